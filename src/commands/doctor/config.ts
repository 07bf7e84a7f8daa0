// Checks the config file. An invalid one stops every command except those that
// report it, which run without it.
import type { Check } from "./finding.ts";
import { look } from "./inspection.ts";

export const checkConfig: Check = ({ folders: { config: path }, configFault }) => {
  if (configFault !== undefined)
    return {
      part: "config",
      state: "problem",
      path,
      // Its path stands before it.
      note: configFault.replaceAll(`${path}: `, "").replaceAll(path, "it"),
      hint: "correct it, or move it away: until then nothing else runs, and all this is told as if it were not there",
    };
  return look(path) === undefined
    ? { part: "config", state: "missing", path, note: "none, and none is needed" }
    : { part: "config", state: "ok", path, note: "read" };
};
