// Checks the config file. An invalid one stops every command except those that
// report it, which run without it; an unknown key stops none.
import type { Check } from "./finding.ts";
import { look } from "./inspection.ts";

export const checkConfig: Check = ({ folders: { config: path }, configFault, configWarnings }) => {
  if (configFault !== undefined)
    return {
      part: "config",
      state: "problem",
      path,
      // The row shows the path already.
      note: configFault.replaceAll(`${path}: `, "").replaceAll(path, "it"),
      hint: "correct it, or move it away: until then no other command runs; these findings ignore it",
    };
  if (configWarnings.length > 0)
    return {
      part: "config",
      state: "problem",
      path,
      note: configWarnings.join(" ").replaceAll(`${path}: `, ""),
      hint: "correct or remove it: it has no effect",
    };
  return look(path) === undefined
    ? { part: "config", state: "missing", path, note: "none, and none is required" }
    : { part: "config", state: "ok", path, note: "read" };
};
