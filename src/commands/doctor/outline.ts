// The outline: whether its file is there, can be read, and what it holds.
import { constants } from "node:fs";
import { counted, Problem } from "../../kernel/kernel.ts";
import type { Check, Finding } from "./finding.ts";
import { look, may } from "./inspection.ts";

export const checkOutline: Check = async ({ outline: path, sources }) => {
  if (path === "app") return checkApplication();
  const about = { part: "outline", path } as const;
  const stats = look(path);
  if (stats === undefined) {
    if (sources.outline === "default")
      return {
        ...about,
        state: "missing",
        note: "embedded default, made on first use",
        hint: "name your own with --outline FILE",
      };
    return { ...about, state: "problem", note: `not there, set by ${sources.outline}`, hint: "correct the path" };
  }
  // OmniOutliner's documents may be folders; a plain one is none of them.
  if (stats.isDirectory() && !/\.(ooutline|oo3)$/i.test(path))
    return { ...about, state: "problem", note: `a folder, set by ${sources.outline}`, hint: "name the file" };
  if (!may(path, constants.R_OK))
    return { ...about, state: "problem", note: "may not be read", hint: "check its permissions" };
  const { inspectOutline } = await import("../../outline/outline.ts");
  try {
    const { rows, format } = inspectOutline(path);
    const found = may(path, constants.W_OK) ? "found" : "found, but may not be written";
    const note = `${found}, ${counted(rows, "row")}, ${format}`;
    return { ...about, state: "ok", note, counts: { rows }, updated: stats.mtime.toISOString() };
  } catch (error) {
    // Found is not yet readable.
    if (!(error instanceof Problem)) throw error;
    return { ...about, state: "problem", note: error.message, hint: error.hint ?? "open it in its own program" };
  }
};

/** What OmniOutliner can do here, one finding for each look. It is asked for nothing that changes a document. */
async function checkApplication(): Promise<Finding[]> {
  const { inspectApplication } = await import("../../outline/outline.ts");
  const seen = await inspectApplication(process.platform);
  return seen.map(({ what, isOk, saw, hint }) => ({
    part: `outline: ${what}`,
    state: isOk ? "ok" : "problem",
    note: saw,
    ...(hint !== undefined && { hint }),
  }));
}
