// contentManager_deleteContent: deletes one passage, found by its text.
import { deleteContent as contentDeleted, editNote } from "../../vault/vault.ts";
import { integer, text } from "../schema.ts";
import { defineTool } from "../tool.ts";
import { CHANGES, FILE_PATH, noteOutput, WRITE } from "./fields.ts";

const name = "contentManager_deleteContent";

export const deleteContent = defineTool({
  name,
  title: "Delete text from a note",
  description: "Delete one passage of a note, given exactly. It must be unique.",
  toolset: "vault",
  byDefault: false,
  contract: "vault",
  effects: CHANGES,
  input: { filePath: FILE_PATH, content: text("The passage as it is", { missing: "Content is required" }), ...WRITE },
  output: noteOutput({
    filePath: text(),
    line: integer(),
    deletedText: text(),
    contentHash: text(),
  }),
  run: async ({ filePath, content, expectedHash }, { services, signal }) => {
    const vault = await services.vault();
    const edit = { filePath, expectedHash, change: contentDeleted(content) };
    const { path, contentHash, facts } = await editNote(vault, { tool: name, signal }, edit);
    return { success: true, data: { filePath: path, ...facts, contentHash } };
  },
});
