// undo, redo and history, of the writes of all tools.
import { changedNotes } from "../../vault/vault.ts";
import { flag, integer, list, object, optional, text, withDefault } from "../schema.ts";
import { defineTool } from "../define-tool.ts";
import { CHANGES, READS } from "../effects.ts";
import { OPTIONAL_CONTEXT } from "../context-fields.ts";
import { FRESHNESS } from "../vault/fields.ts";

const SHARED = { toolset: "every", contract: "vault" } as const;

/** Maximum number of entries in an answer, and of entries that are searched for a path. */
const MOST = 1000;
/** Maximum number of paths in an entry. */
const MOST_PATHS = 50;

const ENTRY = { id: text(), tool: text(), paths: list(text()), message: text() };
const ID = optional(text("Of an entry of history"));

export const undo = defineTool({
  ...SHARED,
  name: "undo",
  title: "Undo",
  description: "Take back the last write, or the one named. Refused if its files have changed since.",
  byDefault: true,
  effects: CHANGES,
  returnsForeignText: true,
  input: { id: ID, ...OPTIONAL_CONTEXT },
  output: { success: flag(), ...ENTRY },
  about: ({ id }) => id,
  run: async ({ id }, { services, signal }) => ({
    success: true,
    ...shown(await (await services.journals()).undo({ id, signal })),
  }),
});

export const redo = defineTool({
  ...SHARED,
  name: "redo",
  title: "Redo",
  description: "Bring back the last write that was undone, or the one named.",
  byDefault: false,
  effects: CHANGES,
  returnsForeignText: true,
  input: { id: ID, ...OPTIONAL_CONTEXT },
  output: { success: flag(), ...ENTRY },
  about: ({ id }) => id,
  run: async ({ id }, { services, signal }) => ({
    success: true,
    ...shown(await (await services.journals()).redo({ id, signal })),
  }),
});

export const history = defineTool({
  ...SHARED,
  name: "history",
  title: "History",
  description: "What was written, newest first, with the id that undo takes.",
  byDefault: false,
  effects: READS,
  pages: "entries",
  input: {
    limit: withDefault(integer("How many", { minimum: 1, maximum: MOST }), 50),
    path: optional(text("Only changes of this file, or of what is below this folder")),
    times: optional(
      list(integer(), "In milliseconds, ascending: count the notes changed from each to the next, by anyone", MOST),
    ),
    ...OPTIONAL_CONTEXT,
  },
  output: {
    success: flag(),
    entries: list(object({ ...ENTRY, time: integer(), undone: flag() })),
    notesChanged: optional(list(integer())),
    ...FRESHNESS,
  },
  touches: ({ path }) => [path],
  run: async ({ limit, path, times }, { services }) => {
    const entries = await (await services.journals()).history(path === undefined ? limit : MOST);
    const wanted = entries.filter(({ paths }) => isOf(paths, path)).slice(0, limit);
    const found = { success: true, entries: wanted.map(shown) };
    if (times === undefined) return found;
    const { counts, freshness } = await changedNotes(await services.vault(), times);
    return { ...found, notesChanged: counts, ...(freshness.stale && freshness) };
  },
});

/** Moving a folder may rewrite links in thousands of notes: an entry names only the first. */
function shown<Entry extends { readonly paths: readonly string[] }>(entry: Entry): Entry {
  const { paths } = entry;
  return paths.length <= MOST_PATHS
    ? entry
    : { ...entry, paths: [...paths.slice(0, MOST_PATHS), `… (${paths.length} in all)`] };
}

function isOf(paths: readonly string[], wanted = ""): boolean {
  const path = wanted.replace(/^\/+|\/+$/g, "");
  return path === "" || paths.some((one) => one === path || one.startsWith(`${path}/`));
}
