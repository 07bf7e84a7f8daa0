// contentManager_findReplaceContent: replaces a word or phrase, once or
// everywhere in a note. The replacement is taken literally.
import { editNote, findReplace } from "../../vault/vault.ts";
import { flag, integer, text, withDefault } from "../schema.ts";
import { defineTool } from "../tool.ts";
import { CHANGES, FILE_PATH, noteOutput, WRITE } from "./fields.ts";

const name = "contentManager_findReplaceContent";

export const findReplaceContent = defineTool({
  name,
  title: "Find and replace in a note",
  description: "Replace a word or phrase in a note, the first or all. Both texts are literal.",
  toolset: "vault",
  byDefault: false,
  contract: "vault",
  effects: CHANGES,
  input: {
    filePath: FILE_PATH,
    findText: text("What to find"),
    replaceText: text(""),
    replaceAll: withDefault(flag("All of them, not only the first"), false),
    caseSensitive: withDefault(flag("A and a differ"), true),
    wholeWord: withDefault(flag("Not inside of longer words"), false),
    ...WRITE,
  },
  output: noteOutput({ filePath: text(), count: integer(), contentHash: text() }),
  run: async ({ filePath, expectedHash, context: _, ...request }, { services, signal }) => {
    const vault = await services.vault();
    const edit = { filePath, expectedHash, change: findReplace(request) };
    const { path, contentHash, facts } = await editNote(vault, { tool: name, signal }, edit);
    return { success: true, data: { filePath: path, count: facts.count, contentHash } };
  },
});
