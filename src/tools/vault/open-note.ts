// vaultManager_openNote: shows a note to the person, in Obsidian.
import { openOnDesktop } from "../../files/files.ts";
import { readNote } from "../../vault/vault.ts";
import { flag, text } from "../schema.ts";
import { defineTool } from "../tool.ts";
import { TAKEN_CONTEXT } from "./context.ts";
import { dataOutput, PATH } from "./fields.ts";

export const openNote = defineTool({
  name: "vaultManager_openNote",
  title: "Open a note",
  description: "Show a note to the user in Obsidian, where a desktop is there. Returns the obsidian:// link.",
  toolset: "vault",
  byDefault: false,
  contract: "vault",
  returnsForeignText: false,
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
  input: { path: PATH, ...TAKEN_CONTEXT },
  output: dataOutput({
    path: text(),
    uri: text(),
    opened: flag(),
  }),
  run: async ({ path: sent }, { services }) => {
    const vault = await services.vault();
    const { path } = readNote(vault, sent);
    const uri = `obsidian://open?vault=${encodeURIComponent(vault.name)}&file=${encodeURIComponent(path)}`;
    return { success: true, data: { path, uri, opened: await openOnDesktop(uri) } };
  },
});
