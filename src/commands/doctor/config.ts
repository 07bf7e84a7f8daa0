// The config file. One that cannot be read stops every command before this.
import type { Check } from "./finding.ts";
import { look } from "./looking.ts";

export const checkConfig: Check = ({ folders: { config: path } }) =>
  look(path) === undefined
    ? { part: "config", state: "missing", path, note: "none, and none is needed" }
    : { part: "config", state: "ok", path, note: "read" };
