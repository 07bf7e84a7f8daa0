// Reports the Node that runs the program. An unsupported one never gets this far.
import type { Check } from "./finding.ts";

export const checkNode: Check = () => ({
  part: "node",
  state: "ok",
  path: process.execPath,
  note: process.versions.node,
});
