// contentManager_replaceContent: replaces one passage, found by its text.
import { editNote, replace } from "../../vault/vault.ts";
import { integer, number, text, withDefault } from "../schema.ts";
import { defineTool } from "../tool.ts";
import { CHANGES, FILE_PATH, noteOutput, WRITE } from "./fields.ts";

const name = "contentManager_replaceContent";

export const replaceContent = defineTool({
  name,
  title: "Replace text in a note",
  description: "Replace a unique passage of a note; small differences are forgiven.",
  toolset: "vault",
  byDefault: true,
  contract: "vault",
  effects: CHANGES,
  input: {
    filePath: FILE_PATH,
    oldContent: text(""),
    newContent: text(""),
    similarityThreshold: withDefault(number("1: identical", { minimum: 0, maximum: 1 }), 0.95),
    ...WRITE,
  },
  output: noteOutput({
    filePath: text(),
    line: integer(),
    replacedText: text(),
    similarity: number(),
    contentHash: text(),
  }),
  run: async ({ filePath, oldContent, newContent, similarityThreshold, expectedHash }, { services, signal }) => {
    const vault = await services.vault();
    const edit = { filePath, expectedHash, change: replace(oldContent, newContent, similarityThreshold) };
    const { path, contentHash, facts } = await editNote(vault, { tool: name, signal }, edit);
    return { success: true, data: { filePath: path, ...facts, contentHash } };
  },
});
