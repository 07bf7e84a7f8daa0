// export_individual_conversations: writes whole conversations, one file per
// conversation.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import {
  defaultExportFolder,
  exportConversations,
  exportFolder,
  type ExportFormat,
  type ExportWriter,
  folderWriter,
  storesOf,
} from "../../conversations/conversations.ts";
import { outOfReach, parseFolderPath, realPath } from "../../files/files.ts";
import { AlreadyExists, pathWithin, Problem } from "../../kernel/kernel.ts";
import type { Author, Vault } from "../../vault/vault.ts";
import { choice, flag, integer, list, optional, text, unlisted, withDefault } from "../definition/schema.ts";
import { defineTool, type Call, type Services } from "../definition/define-tool.ts";
import { ADDS } from "../definition/effects.ts";
import { folderWorkedIn } from "./fields.ts";

const FORMATS = ["json", "md", "markdown", "txt"] as const satisfies readonly ExportFormat[];

const MAX_CONVERSATIONS = 100;
/** In the vault, for who has no disk here. */
const EXPORTS = "Exports";

export const exportIndividualConversations = defineTool({
  name: "export_individual_conversations",
  title: "Export conversations",
  description:
    "Export (copy) conversations (chats) to files on disk as JSON, Markdown or text. Never overwrites; redacts secrets.",
  toolset: "recall",
  byDefault: true,
  contract: "recall",
  effects: ADDS,
  returnsForeignText: true,
  inProject: true,
  // Transcripts that are not in the store yet are read first.
  timeLimit: 600_000,
  input: {
    format: withDefault(choice(FORMATS, ""), "json"),
    limit: withDefault(integer("", { minimum: 1, maximum: MAX_CONVERSATIONS, isStrict: true }), 20),
    output_dir: optional(text()),
    conversation_filter: optional(text()),
    workspace_filter: optional(text()),
    /** Ids of recall_conversations: these conversations and no others. */
    id: unlisted(list(text("", { notEmpty: true }), "", MAX_CONVERSATIONS)),
    /** Regardless of limit. For the command: an assistant would wait too long. */
    all: unlisted(flag("")),
  },
  output: {
    success: flag(),
    exported_count: integer(),
    output_directory: text(),
    format: text(),
    files: list(text()),
    errors: list(text()),
    /** How many match, if limit left some out. */
    matching: unlisted(integer()),
    message: unlisted(text()),
    hint: unlisted(text()),
  },
  run: async ({ format, limit, all, id, output_dir, conversation_filter, workspace_filter }, call) => {
    const { services, signal, progress } = call;
    const { folder, writer } = await destinationOf(output_dir, call);
    const request = {
      format,
      limit: all ? Number.MAX_SAFE_INTEGER : limit,
      ids: id,
      title: conversation_filter || undefined,
      workspace: workspace_filter || undefined,
      signal,
      onProgress: (done: number, total: number) => progress(done, total, `Exporting: ${done} of ${total}`),
    };
    const conversations = await services.conversations();
    const { files, errors, total, withDroppedTexts } = await exportConversations(conversations, request, writer);
    const tried = files.length + errors.length;
    if (files.length > 0 && services.hasDisk) await conversations.noteExport(folder);
    return {
      success: errors.length === 0,
      exported_count: files.length,
      output_directory: folder,
      format,
      files,
      errors,
      ...(tried === 0 && { message: "No conversation matches." }),
      ...(tried < total && {
        matching: total,
        hint: `These are the newest ${tried} of ${total}. A limit of ${MAX_CONVERSATIONS} is the most; in a terminal, 'commonplace export --all' exports every one.`,
      }),
      ...(withDroppedTexts > 0 && {
        message: `${withDroppedTexts} of them have only the beginnings of long tool texts: the whole ones were dropped, since there were more than --tool-texts allows.`,
      }),
    };
  },
});

interface Destination {
  readonly folder: string;
  readonly writer: ExportWriter;
}

/** A folder inside a vault is written through the vault, so that its rules and its journal apply. */
async function destinationOf(sent: string | undefined, call: Call): Promise<Destination> {
  const { services, author } = call;
  const { settings } = services;
  if (!services.hasDisk) return destinationInSpace(services, sent || EXPORTS, author);
  const places = {
    base: await folderWorkedIn(call),
    home: homedir(),
    own: [settings.folders.data, settings.folders.cache],
    user: process.getuid?.(),
    ...storesOf(process.env, settings.conversations),
  };
  const folderWith = (vault: string | undefined) => exportFolder(sent || defaultExportFolder(), { ...places, vault });
  const shown = (folder: string) => {
    if (services.isHiddenFile?.(folder)) throw outOfReach();
    return folder;
  };
  for (const { folder: configured, vault } of services.vaults) {
    const vaultFolder = existsSync(configured) ? realPath(configured) : undefined;
    const folder = vaultFolder && unlessRefused(() => folderWith(vaultFolder));
    const within = folder && pathWithin(vaultFolder, folder);
    if (!folder || within === undefined) continue;
    shown(folder);
    const inVault = parseFolderPath(within);
    const opened = await vault();
    return { folder, writer: vaultWriter(opened, inVault, author, (path) => join(opened.root.folder, path)) };
  }
  const folder = shown(folderWith(undefined));
  return { folder, writer: folderWriter(folder) };
}

/** For who has no disk here: a folder of the default space, or of the one that `store:SPACE/folder` names. */
async function destinationInSpace({ vaults }: Services, sent: string, author: Author): Promise<Destination> {
  const [, space, within = sent] = /^store:([^/]+)\/?(.*)$/s.exec(sent) ?? [];
  const named = space === undefined ? vaults[0] : vaults.find(({ name }) => name === space);
  if (named === undefined) throw outOfReach();
  const opened = await named.vault();
  const folder = parseFolderPath(within);
  const shown = (path: string) => `store:${named.name}/${path}`;
  return { folder: shown(folder), writer: vaultWriter(opened, folder, author, shown) };
}

/** Returns undefined if it is refused: a folder refused in one vault may be allowed in another. */
function unlessRefused<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/** @param shown what a file that was written is called in the result */
function vaultWriter(vault: Vault, folder: string, author: Author, shown: (path: string) => string): ExportWriter {
  return {
    create: async (name, pieces) => {
      const { create, editNote } = await import("../../vault/vault.ts");
      const filePath = folder === "" ? name : `${folder}/${name}`;
      try {
        const { path } = await editNote(vault, author, { filePath, change: create([...pieces].join("")) });
        return shown(path);
      } catch (error) {
        if (error instanceof AlreadyExists) return undefined;
        throw error;
      }
    },
  };
}
