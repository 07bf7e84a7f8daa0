// vaultManager_deleteFolder: moves a folder to the vault's trash, after a look
// at what would go with it.
import { contentsOf, deleteFolder as folderDeleted } from "../../vault/vault.ts";
import { flag, record, text, withDefault } from "../schema.ts";
import { defineTool } from "../tool.ts";
import { TAKEN_CONTEXT } from "./context.ts";
import { CHANGES, PATH } from "./fields.ts";

const name = "vaultManager_deleteFolder";

export const deleteFolder = defineTool({
  name,
  title: "Delete a folder",
  description: "Move a folder to the vault's .trash. Without confirmed it only shows what would go. Can be undone.",
  toolset: "vault",
  byDefault: false,
  contract: "vault",
  effects: CHANGES,
  input: {
    path: PATH,
    recursive: withDefault(flag("With everything in it"), false),
    confirmed: withDefault(flag("Do it"), false),
    ...TAKEN_CONTEXT,
  },
  output: {
    success: flag(),
    requiresConfirmation: flag(),
    message: text(),
    data: record(),
  },
  run: async ({ path, recursive, confirmed }, { services, signal }) => {
    const vault = await services.vault();
    if (confirmed) return { success: true, data: await folderDeleted(vault, { tool: name, signal }, path, recursive) };
    const data = await contentsOf(vault, path, signal);
    const message = `This will move '${data.path}' with ${data.files} files and ${data.folders} folders to the trash. Set confirmed=true to proceed.`;
    return { success: false, requiresConfirmation: true, message, data };
  },
});
