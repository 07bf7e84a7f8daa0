// contentManager_prependContent: adds below the frontmatter, or below a heading.
import { editNote, prepend } from "../../vault/vault.ts";
import { integer, text } from "../schema.ts";
import { defineTool } from "../tool.ts";
import { ADDS, CONTENT, FILE_PATH, HEADING, noteOutput, WRITE } from "./fields.ts";

const name = "contentManager_prependContent";

export const prependContent = defineTool({
  name,
  title: "Prepend to a note",
  description: "Add to the top of a note, below its frontmatter, or right below a heading.",
  toolset: "vault",
  byDefault: false,
  contract: "vault",
  effects: ADDS,
  input: { filePath: FILE_PATH, content: CONTENT, heading: HEADING, ...WRITE },
  output: noteOutput({
    filePath: text(),
    prependedLength: integer(),
    totalLength: integer(),
    contentHash: text(),
  }),
  run: async ({ filePath, content, heading, expectedHash }, { services, signal }) => {
    const vault = await services.vault();
    const edit = { filePath, expectedHash, change: prepend(content, heading) };
    const { path, text: now, contentHash, facts } = await editNote(vault, { tool: name, signal }, edit);
    const { prependedLength } = facts;
    return { success: true, data: { filePath: path, prependedLength, totalLength: now.length, contentHash } };
  },
});
