// contentManager_createContent: makes a note.
import { create, editNote } from "../../vault/vault.ts";
import { integer, text } from "../schema.ts";
import { defineTool } from "../tool.ts";
import { CONTEXT } from "./context.ts";
import { ADDS, CONTENT, FILE_PATH, noteOutput } from "./fields.ts";

const name = "contentManager_createContent";

export const createContent = defineTool({
  name,
  title: "Create a note",
  description: "Create a note; missing folders are made, .md is added. Fails if it exists.",
  toolset: "vault",
  byDefault: true,
  contract: "vault",
  effects: ADDS,
  input: { filePath: FILE_PATH, content: CONTENT, ...CONTEXT },
  output: noteOutput({ filePath: text(), created: integer(), contentHash: text() }),
  run: async ({ filePath, content }, { services, signal }) => {
    const vault = await services.vault();
    const { path, contentHash } = await editNote(vault, { tool: name, signal }, { filePath, change: create(content) });
    return { success: true, data: { filePath: path, created: Date.now(), contentHash } };
  },
});
