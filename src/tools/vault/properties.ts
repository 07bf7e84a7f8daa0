// contentManager_updateProperties: sets and removes properties in the
// frontmatter without changing any other byte of it.
import { Problem } from "../../kernel/kernel.ts";
import { OPTIONAL_CONTEXT } from "../definition/context-fields.ts";
import { defineTool } from "../definition/define-tool.ts";
import { CHANGES } from "../definition/effects.ts";
import { list, optional, record, text } from "../definition/schema.ts";
import { FILE_PATH, dataOutput, UNLISTED_HASH, noteTouched, OWN } from "./fields.ts";

export const updateProperties = defineTool({
  ...OWN,
  name: "contentManager_updateProperties",
  title: "Set properties of a note",
  description:
    "Set, change or remove properties (fields) of a note, its frontmatter, YAML, metadata: status, tag, alias, author, rating, due date.",
  example: { filePath: "Note", set: { status: "done" } },
  byDefault: true,
  effects: { ...CHANGES, idempotent: true },
  input: {
    filePath: FILE_PATH,
    set: optional(record()),
    unset: optional(list(text())),
    ...UNLISTED_HASH,
    ...OPTIONAL_CONTEXT,
  },
  output: dataOutput({
    filePath: text(),
    set: list(text()),
    unset: list(text()),
    contentHash: text(),
  }),
  touches: noteTouched,
  run: async ({ filePath, set = {}, unset = [], expectedHash }, { services, author }) => {
    if (Object.keys(set).length + unset.length === 0)
      throw new Problem(
        "invalid",
        "set or unset is required",
        'For example: {"set":{"status":"done"},"unset":["due"]}',
      );
    const { editNote, setProperties } = await import("../../vault/vault.ts");
    const vault = await services.vault();
    const edit = { filePath, expectedHash, change: setProperties(set, unset) };
    const { path, contentHash, facts } = await editNote(vault, author, edit);
    return { success: true, data: { filePath: path, ...facts, contentHash } };
  },
});
