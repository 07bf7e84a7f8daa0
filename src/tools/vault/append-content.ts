// contentManager_appendContent: adds to the end of a note, or of a section.
import { append, editNote } from "../../vault/vault.ts";
import { integer, text } from "../schema.ts";
import { defineTool } from "../tool.ts";
import { CONTEXT } from "./context.ts";
import { ADDS, CONTENT, EXPECTED_HASH, FILE_PATH, HEADING, noteOutput } from "./fields.ts";

const name = "contentManager_appendContent";

export const appendContent = defineTool({
  name,
  title: "Append to a note",
  description: "Add to the end of a note, or of one section of it.",
  toolset: "vault",
  byDefault: true,
  contract: "vault",
  effects: ADDS,
  input: { filePath: FILE_PATH, content: CONTENT, heading: HEADING, expectedHash: EXPECTED_HASH, ...CONTEXT },
  output: noteOutput({
    filePath: text(),
    appendedLength: integer(),
    totalLength: integer(),
    contentHash: text(),
  }),
  run: async ({ filePath, content, heading, expectedHash }, { services, signal }) => {
    const vault = await services.vault();
    const edit = { filePath, expectedHash, change: append(content, heading) };
    const { path, text: now, contentHash, facts } = await editNote(vault, { tool: name, signal }, edit);
    const { appendedLength } = facts;
    return { success: true, data: { filePath: path, appendedLength, totalLength: now.length, contentHash } };
  },
});
