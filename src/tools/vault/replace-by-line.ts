// contentManager_replaceByLine: replaces a range of lines.
import { editNote, replaceByLine as linesReplaced } from "../../vault/vault.ts";
import { integer, text } from "../schema.ts";
import { defineTool } from "../tool.ts";
import { CHANGES, FILE_PATH, noteOutput, WRITE } from "./fields.ts";

const name = "contentManager_replaceByLine";

export const replaceByLine = defineTool({
  name,
  title: "Replace lines of a note",
  description: "Replace lines of a note by number, both ends included. Read it with line numbers first.",
  toolset: "vault",
  byDefault: false,
  contract: "vault",
  effects: CHANGES,
  input: {
    filePath: FILE_PATH,
    startLine: integer("First line, from 1", { minimum: 1 }),
    endLine: integer("Last line", { minimum: 1 }),
    newContent: text(""),
    ...WRITE,
  },
  output: noteOutput({ filePath: text(), replacedText: text(), contentHash: text() }),
  run: async ({ filePath, startLine, endLine, newContent, expectedHash }, { services, signal }) => {
    const vault = await services.vault();
    const edit = { filePath, expectedHash, change: linesReplaced(startLine, endLine, newContent) };
    const { path, contentHash, facts } = await editNote(vault, { tool: name, signal }, edit);
    return { success: true, data: { filePath: path, ...facts, contentHash } };
  },
});
