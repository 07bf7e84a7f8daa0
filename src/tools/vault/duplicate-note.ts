// vaultManager_duplicateNote: copies a note.
import { duplicateNote as noteDuplicated } from "../../vault/vault.ts";
import { flag, text, withDefault } from "../schema.ts";
import { defineTool } from "../tool.ts";
import { CHANGES, dataOutput, OVERWRITE, WRITE } from "./fields.ts";

const name = "vaultManager_duplicateNote";

export const duplicateNote = defineTool({
  name,
  title: "Duplicate a note",
  description: "Copy a note or an attachment to another path.",
  toolset: "vault",
  byDefault: false,
  contract: "vault",
  effects: CHANGES,
  input: {
    sourcePath: text("Path of the note", { missing: "Path is required" }),
    targetPath: text("Path of the copy", { missing: "Path is required" }),
    overwrite: OVERWRITE,
    autoIncrement: withDefault(flag('Where it is taken, try "name copy", "name copy 2" …'), false),
    ...WRITE,
  },
  output: dataOutput({ sourcePath: text(), targetPath: text() }),
  run: async ({ context: _, ...sent }, { services, signal }) => ({
    success: true,
    data: await noteDuplicated(await services.vault(), { tool: name, signal }, sent),
  }),
});
