// vaultManager_createFolder: makes a folder, with the folders above it.
import { createFolder as folderCreated } from "../../vault/vault.ts";
import { flag, text } from "../schema.ts";
import { defineTool } from "../tool.ts";
import { CONTEXT } from "./context.ts";
import { ADDS, dataOutput, PATH } from "./fields.ts";

const name = "vaultManager_createFolder";

export const createFolder = defineTool({
  name,
  title: "Create a folder",
  description: "Create a folder, and missing ones above it.",
  toolset: "vault",
  byDefault: true,
  contract: "vault",
  effects: { ...ADDS, idempotent: true },
  input: { path: PATH, ...CONTEXT },
  output: dataOutput({ path: text(), existed: flag() }),
  run: async ({ path }, { services, signal }) => ({
    success: true,
    data: await folderCreated(await services.vault(), { tool: name, signal }, path),
  }),
});
