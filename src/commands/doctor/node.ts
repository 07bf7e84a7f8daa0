// The Node that runs the program. One that is too old never comes this far.
import type { Check } from "./finding.ts";

export const checkNode: Check = () => ({
  part: "node",
  state: "ok",
  path: process.execPath,
  note: process.versions.node,
});
