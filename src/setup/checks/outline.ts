// Checks the outline: whether its file exists and can be read, and how many rows it has.
import { constants } from "node:fs";
import { counted, operatingSystem, Problem } from "../../kernel/kernel.ts";
import type { Check, Finding } from "./finding.ts";
import { look, may } from "./inspection.ts";
import { commandLine } from "../program-name.ts";

export const checkOutline: Check = async ({ outline: path, origins, folders: { data } }) => {
  if (path === "app") return checkApplication();
  const about = { part: "outline", path } as const;
  const stats = look(path);
  if (stats === undefined) {
    if (origins.outline === "default")
      return {
        ...about,
        state: "missing",
        note: "the built-in one, created on first use",
        hint: "name your own with --outline FILE",
      };
    const { isOutlineMissing } = await import("../../outline/outline.ts");
    const note = `does not exist, set by ${origins.outline}`;
    if (!isOutlineMissing(path, data)) return { ...about, state: "problem", note, hint: "correct the path" };
    return {
      ...about,
      state: "problem",
      note: `${note}, and was there before`,
      hint: `mount its drive; if it is gone on purpose, '${commandLine("index", "--accept")}' says so`,
      isAcceptable: true,
    };
  }
  // A document of OmniOutliner may be a folder, but only with its extension.
  if (stats.isDirectory() && !/\.(ooutline|oo3)$/i.test(path))
    return { ...about, state: "problem", note: `a folder, set by ${origins.outline}`, hint: "name the file" };
  if (!may(path, constants.R_OK))
    return { ...about, state: "problem", note: "not readable", hint: "check its permissions" };
  const { inspectOutline } = await import("../../outline/outline.ts");
  try {
    const { rows, format } = inspectOutline(path);
    const found = may(path, constants.W_OK) ? "found" : "found, but not writable";
    const note = `${found}, ${counted(rows, "row")}, ${format}`;
    return { ...about, state: "ok", note, counts: { rows }, updated: stats.mtime.toISOString() };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ...about, state: "problem", note: error.message, hint: error.hint ?? "open it in its own program" };
  }
};

/** One finding for each question to OmniOutliner, none of which changes a document. */
async function checkApplication(): Promise<Finding[]> {
  const { inspectApplication } = await import("../../outline/outline.ts");
  const seen = await inspectApplication(operatingSystem());
  return seen.map(({ what, isOk, saw, hint }) => ({
    part: `outline: ${what}`,
    state: isOk ? "ok" : "problem",
    note: saw,
    ...(hint !== undefined && { hint }),
  }));
}
