// vaultManager_deleteNote: moves a note to the vault's trash.
import { deleteNote as noteDeleted } from "../../vault/vault.ts";
import { text } from "../schema.ts";
import { defineTool } from "../tool.ts";
import { CHANGES, dataOutput, PATH, WRITE } from "./fields.ts";

const name = "vaultManager_deleteNote";

export const deleteNote = defineTool({
  name,
  title: "Delete a note",
  description: "Move a note or an attachment to .trash. Can be undone.",
  toolset: "vault",
  byDefault: true,
  contract: "vault",
  effects: CHANGES,
  input: { path: PATH, ...WRITE },
  output: dataOutput({ path: text() }),
  run: async ({ path, expectedHash }, { services, signal }) => ({
    success: true,
    data: await noteDeleted(await services.vault(), { tool: name, signal }, path, expectedHash),
  }),
});
