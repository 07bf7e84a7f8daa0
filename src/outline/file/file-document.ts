// An outline in a file or a package folder: parsed again when it has changed,
// and changed under the lock of its journal. Opened by outlines.ts, which passes
// the folder, the journal and the folder for row ids, so that a note of the vault
// is changed through the vault's own root and journal.
import { randomBytes } from "node:crypto";
import {
  below,
  type Content,
  contentHash,
  type EntryPath,
  identityOf,
  nameOf,
  type StoredFiles,
  type VaultPath,
} from "../../files/files.ts";
import type { FileStore, Past } from "../../journal/journal.ts";
import { Problem } from "../../kernel/kernel.ts";
import { applyRowEdits } from "./row-edits.ts";
import { MAX_CONTENTS_SIZE } from "../formats/archives/size-limits.ts";
import { CONTENTS, openContainer, parseOutline, type Container } from "../formats/format-detection.ts";
import type { ParsedOutline } from "../formats/parsed-outline.ts";
import { outlineOf, type OutlineOfRows } from "../outline-of-rows.ts";
import type { Changed, OutlineDocument } from "../model.ts";
import { staleVersion } from "../problems.ts";
import { documentName } from "./document-name.ts";
import { openRowIdStore } from "./row-id-store.ts";
import { sidecarFiles } from "./sidecar-files.ts";
import { idOfBits } from "./row-ids.ts";

/** The journal is closed by the caller that opened it. */
export interface FileDocumentOptions extends FileStore {
  /** The file, or the package folder, relative to the root. */
  readonly path: VaultPath;
  /** The folder for the ids of rows in files that have none, unless the store keeps them. */
  readonly idFolder: string;
  readonly log: (message: string) => void;
}

/** One state of the file, parsed. */
interface FileState {
  readonly hash: string;
  readonly container: Container;
  readonly outline: OutlineOfRows;
}

/** How often a change is planned, if other programs write in between. */
const TRIES = 3;

/** How many journal entries canUndo and canRedo look at. */
const RECENT = 200;

/** Milliseconds. File times are coarse: a file read so soon after a write may have been written again unnoticed. */
const UNSETTLED = 100;

export function openFileDocument({
  root,
  path,
  journal,
  sidecars,
  idFolder,
  log,
}: FileDocumentOptions): OutlineDocument {
  const named = documentName({ root, sidecars }, path);
  const ids = openRowIdStore(sidecars ?? sidecarFiles(idFolder), named, log);
  let state: FileState | undefined;
  /** Identity, size and times of the file when it was last read; undefined if they cannot be trusted. */
  let stamp: string | undefined;

  const stateOf = async (
    hash: string,
    container: Container,
    parsed: ParsedOutline,
    known?: readonly string[],
  ): Promise<FileState> => {
    const version = versionOf(hash);
    const rowIdsOf = parsed.ids ?? known ?? (await ids.idsOf(version, parsed));
    return { hash, container, outline: outlineOf(parsed, rowIdsOf, { name: nameOf(path), path: named, version }) };
  };

  /** Parses the content unless it is that of the current state. */
  const stateFrom = async ({ bytes, hash }: Content): Promise<FileState> => {
    if (state?.hash === hash) return state;
    // Released first, so that two large outlines are never in memory.
    state = undefined;
    const container = openContainer(bytes);
    const next = await stateOf(hash, container, parseOutline(container.contents(), path));
    state = next;
    return next;
  };

  const current = async (): Promise<FileState> => {
    const file = await fileOf(root, path);
    const { stats } = await root.locate(file);
    const now = stats && `${identityOf(stats)}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
    if (state !== undefined && stamp !== undefined && stamp === now) return state;
    const time = Date.now();
    const content = await root.read(file, MAX_CONTENTS_SIZE);
    if (content === undefined) throw missing(path);
    const read = await stateFrom(content);
    const { mtimeMs, ctimeMs } = content.stats;
    const isSame = stats !== undefined && content.stats.ctimeNs === stats.ctimeNs && content.stats.size === stats.size;
    stamp = isSame && time - Number(mtimeMs > ctimeMs ? mtimeMs : ctimeMs) > UNSETTLED ? now : undefined;
    return read;
  };

  const tryToChange = async (
    about: Parameters<OutlineDocument["change"]>[0],
    plan: Parameters<OutlineDocument["change"]>[1],
    planned: () => void,
  ): Promise<Changed> => {
    let changed: { readonly state: FileState; readonly added: readonly string[] } | undefined;
    await journal.change(about, async (read) => {
      const file = (await fileOf(root, path)) as VaultPath;
      const content = await read(file, MAX_CONTENTS_SIZE);
      if (content === undefined) throw missing(path);
      const before = await stateFrom(content);
      const { outline } = before;
      if (about.expectedVersion !== undefined && about.expectedVersion !== outline.version)
        throw staleVersion(outline.version);
      const { edits, message } = plan(outline);
      let saving: Promise<Buffer> | undefined;
      const edited = applyRowEdits(outline, edits, newId, (contents) => {
        // Compressed in another thread while this one parses it.
        saving = before.container.replaced(contents);
        saving.catch(() => {});
      });
      if (edited.parsed === outline.parsed) {
        changed = { state: before, added: [] };
        return { message, steps: [] };
      }
      const bytes = await (saving ?? before.container.replaced(edited.parsed.bytes));
      const hash = contentHash(bytes);
      if (edited.parsed.ids === undefined) await ids.keep(versionOf(hash), edited.parsed, edited.ids);
      const next = await stateOf(hash, openContainer(bytes), edited.parsed, edited.ids);
      changed = { state: next, added: edited.added };
      planned();
      const replacing = { kind: "replace", path: file, before: content.hash } as const;
      // The journal keeps the splices only, which is less than the span they cover.
      const isSpliced = before.container.isPlain && edited.splices !== undefined;
      const replaced = isSpliced ? { edits: edited.splices!, made: { bytes, hash } } : { bytes };
      return { message, steps: [{ ...replacing, ...replaced }] };
    });
    state = changed!.state;
    stamp = undefined;
    return { outline: state.outline, added: changed!.added };
  };

  /** Changes of this document, newest first. */
  const changes = async (): Promise<Past[]> =>
    (await journal.history({ limit: RECENT })).entries.filter(
      ({ tool, paths }) => tool !== "undo" && tool !== "redo" && paths.some(isOwn),
    );
  const isOwn = (each: string) => each === path || each.startsWith(`${path}/`);

  return {
    read: async (signal) => {
      signal?.throwIfAborted();
      return (await current()).outline;
    },
    modified: async () => {
      const { stats } = await root.locate(await fileOf(root, path));
      return stats && Number(stats.mtimeNs) / 1e6;
    },
    change: async (about, plan) => {
      for (let tries = 1; ; tries++) {
        let isPlanned = false;
        try {
          return await tryToChange(about, plan, () => (isPlanned = true));
        } catch (error) {
          // Another program wrote between our read and our rename: plan again on what is there now.
          const isOvertaken = isPlanned && error instanceof Problem && error.code === "conflict";
          if (!isOvertaken || tries === TRIES) throw error;
        }
      }
    },
    canUndo: async () => (await changes()).some(({ undone }) => !undone),
    // A change can only be redone if nothing was changed since it was undone.
    canRedo: async () => (await changes())[0]?.undone === true,
    close: async () => {
      state = undefined;
    },
  };
}

/** The file that contains the rows: for a package, the one inside it. */
async function fileOf(root: StoredFiles, path: VaultPath): Promise<EntryPath> {
  return (await root.locate(path)).kind === "folder" ? below(path, CONTENTS) : path;
}

function versionOf(hash: string): string {
  return hash.slice(0, 16);
}

function newId(): string {
  const bits = randomBytes(8);
  return idOfBits(bits.readUInt32BE(0), bits.readUInt32BE(4));
}

function missing(path: string): Problem {
  return new Problem(
    "no_document",
    `There is no document at ${nameOf(path as VaultPath)}: it may have been renamed, or its drive may not be mounted.`,
    "Open another document, or check the setting `outline`.",
  );
}
