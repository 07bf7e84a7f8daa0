// contentManager_updateProperties: sets and removes properties, and values of
// lists, in the frontmatter of one note or several without changing any other
// byte of it.
import { isDeepStrictEqual } from "node:util";
import { parseJson, Problem } from "../../kernel/kernel.ts";
import { OPTIONAL_CONTEXT } from "../definition/context-fields.ts";
import { defineTool } from "../definition/define-tool.ts";
import { CHANGES } from "../definition/effects.ts";
import { list, optional, record, resultObject, text, textOr, unlisted } from "../definition/schema.ts";
import { dataOutput, FILE_PATH, UNLISTED_HASH, OWN } from "./fields.ts";

/** More would take a model too long to write. */
const MAX_NOTES = 1000;
/** Lists that a hint names. */
const MAX_NAMED = 5;

interface UpdatedNote {
  readonly filePath: string;
  readonly contentHash: string;
  /** The names that changed, if they are not the same in all notes. */
  readonly set?: readonly string[];
  readonly unset?: readonly string[];
  /** Values of lists that were replaced. */
  readonly dropped?: Readonly<Record<string, readonly unknown[]>>;
}

export const updateProperties = defineTool({
  ...OWN,
  name: "contentManager_updateProperties",
  title: "Set properties",
  description:
    "Set, change or remove properties (fields, metadata) of a note or several, frontmatter, YAML: status, tag, alias, due date. set replaces lists.",
  example: { filePath: "Note", add: { tags: ["x"] } },
  byDefault: true,
  effects: { ...CHANGES, idempotent: true },
  input: {
    filePath: textOr(FILE_PATH, list(text()), "", { missing: "File path is required" }),
    set: optional(record()),
    add: optional(record()),
    remove: optional(record()),
    unset: optional(list(text())),
    ...UNLISTED_HASH,
    ...OPTIONAL_CONTEXT,
  },
  output: {
    ...dataOutput({
      filePath: optional(text()),
      set: list(text()),
      unset: list(text()),
      dropped: unlisted(record()),
      contentHash: optional(text()),
      notes: unlisted(list(resultObject<UpdatedNote>())),
    }),
    hint: unlisted(text()),
  },
  touches: ({ filePath = [] }, result) =>
    result?.data.notes?.slice(0).map((note) => note.filePath) ?? [result?.data.filePath ?? filePath].flat(),
  run: async (
    { filePath, set = {}, add = {}, remove = {}, unset = [], expectedHash },
    { services, author, progress: onProgress },
  ) => {
    if ([set, add, remove, unset].every((part) => Object.keys(part).length === 0))
      throw new Problem(
        "invalid",
        "set, add, remove or unset is required",
        `For example: ${JSON.stringify({ filePath, set: { status: "done" }, add: { tags: ["urgent"] }, unset: ["due"] })}`,
      );
    const sent = listIn(filePath);
    const paths = typeof sent === "string" ? [sent] : [...new Set(sent)];
    if (paths.length === 0) throw new Problem("invalid", "File path is required");
    if (paths.length > MAX_NOTES) throw new Problem("invalid", `filePath must have at most ${MAX_NOTES} items`);
    if (expectedHash !== undefined && paths.length > 1)
      throw new Problem(
        "invalid",
        "expectedHash is that of one note",
        "For several notes, send it with each operation of contentManager_batchContent.",
      );
    const { editNotes, setProperties } = await import("../../vault/vault.ts");
    const change = setProperties({ set, add, remove, unset });
    const edits = paths.map((path, i) => ({
      filePath: path,
      expectedHash,
      change,
      ...(paths.length > 1 && { label: `filePath[${i}]` }),
    }));
    const made = await editNotes(await services.vault(), { ...author, onProgress }, edits);
    // Two of the paths may mean one note.
    const edited = made.filter(({ path }, i) => made.findIndex((other) => other.path === path) === i);
    const [first] = edited;
    const hint = hintOf([...hintsOnDates({ ...set, ...add }), ...hintsOnLists(edited)]);
    if (typeof sent === "string") {
      const { path, facts, contentHash } = first!;
      return { success: true, data: { filePath: path, ...facts, contentHash }, ...hint };
    }
    const isSame = edited.every(({ facts }) => isDeepStrictEqual(facts, first!.facts));
    const notes = edited.map(({ path, contentHash, facts }) => ({
      filePath: path,
      contentHash,
      ...(!isSame && facts),
    }));
    return { success: true, data: { ...first!.facts, notes }, ...hint };
  },
});

/** Models send a list as JSON, too. No path of a note reads as one. */
function listIn(filePath: string | readonly string[]): string | readonly string[] {
  const parsed = typeof filePath === "string" && filePath.startsWith("[") ? parseJson(filePath) : undefined;
  return Array.isArray(parsed) && parsed.every((path) => typeof path === "string") ? parsed : filePath;
}

function hintOf(hints: readonly string[]): { readonly hint?: string } {
  return hints.length === 0 ? {} : { hint: hints.join(" ") };
}

function shownValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Hints at values that look like dates but are not valid ones. They are written all the same: a property may be any text. */
function hintsOnDates(values: Readonly<Record<string, unknown>>): string[] {
  const wrong = Object.entries(values).filter(([, value]) => [value].flat().some(isImpossibleDate));
  if (wrong.length === 0) return [];
  const named = wrong.map(([name, value]) => `${name}: ${[value].flat().join(", ")}`).join("; ");
  return [`There is no such date: ${named}. It was written as text.`];
}

/** Values that a list has lost although nobody named them. */
function hintsOnLists(
  edited: readonly { readonly path: string; readonly facts: Pick<UpdatedNote, "dropped"> }[],
): string[] {
  const lost = edited.flatMap(({ path, facts }) =>
    Object.entries(facts.dropped ?? {}).map(
      ([name, values]) => `${edited.length > 1 ? `${path}: ` : ""}${name} ${values.map(shownValue).join(", ")}`,
    ),
  );
  if (lost.length === 0) return [];
  const named = lost.slice(0, MAX_NAMED).join("; ");
  const more = lost.length > MAX_NAMED ? ` and ${lost.length - MAX_NAMED} more` : "";
  return [`set replaced a list and dropped ${named}${more}. To keep them, undo this and send add instead.`];
}

function isImpossibleDate(value: unknown): boolean {
  const [date] = (typeof value === "string" && /^\d{4}-\d{2}-\d{2}(?=$|[T ])/.exec(value)) || [];
  if (date === undefined) return false;
  const time = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== date;
}
