// An outline in a file, or in a package folder: read when it has changed, and
// changed under the lock of its journal, saved before anybody hears of it. The
// caller hands over the folder, the journal and the place for row ids, so that
// a note of the vault is written by the vault's own rules.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import {
  below,
  type Content,
  contentHash,
  type EntryPath,
  identityOf,
  nameOf,
  type VaultPath,
  type VaultRoot,
} from "../../files/files.ts";
import type { Journal, Past } from "../../journal/journal.ts";
import { Problem } from "../../kernel/kernel.ts";
import { carryOut } from "./row-edits.ts";
import { LARGEST_CONTENTS } from "../formats/archives/size-limits.ts";
import { CONTENTS, openContainer, readSource, type Container } from "../formats/format-detection.ts";
import type { Source } from "../formats/parsed-outline.ts";
import { outlineOf, type OutlineOfRows } from "../outline-of-rows.ts";
import type { Changed, OutlineDocument } from "../model.ts";
import { openRowIdStore } from "./row-id-store.ts";
import { idOfBits } from "./row-ids.ts";

export interface FileDocumentOptions {
  readonly root: VaultRoot;
  /** The file, or the folder of a package, below the root. */
  readonly path: VaultPath;
  /** Closed by whoever opened it. */
  readonly journal: Journal;
  /** The folder for the ids of rows that their file has none of. */
  readonly sidecars: string;
  readonly log: (message: string) => void;
}

/** One state of the file, read. */
interface State {
  readonly hash: string;
  readonly container: Container;
  readonly outline: OutlineOfRows;
}

/** How often a change is planned anew when other programs write in between. */
const TRIES = 3;

/** How far back canUndo looks. */
const RECENT = 200;

/** Clocks of disks are coarse: what was written so shortly before it was read may have been written again since. */
const UNSETTLED = 100;

export function openFileDocument({ root, path, journal, sidecars, log }: FileDocumentOptions): OutlineDocument {
  const absolute = join(root.folder, path);
  const ids = openRowIdStore(sidecars, absolute, log);
  let state: State | undefined;
  /** What the file looked like, from the outside, when it was last read; undefined where that may not be trusted. */
  let stamp: string | undefined;

  const stateOf = (hash: string, container: Container, source: Source, known?: readonly string[]): State => {
    const version = versionOf(hash);
    const rowIdsOf = source.ids ?? known ?? ids.idsOf(version, source);
    return { hash, container, outline: outlineOf(source, rowIdsOf, { name: nameOf(path), path: absolute, version }) };
  };

  /** The state that this content is; read anew only where it is another one. */
  const stateFrom = ({ bytes, hash }: Content): State => {
    if (state?.hash === hash) return state;
    // The old one goes first: two large outlines are one too many.
    state = undefined;
    const container = openContainer(bytes);
    state = stateOf(hash, container, readSource(container.contents()));
    return state;
  };

  const current = (): State => {
    const file = fileOf(root, path);
    const { stats } = root.locate(file);
    const now = stats && `${identityOf(stats)}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
    if (state !== undefined && stamp !== undefined && stamp === now) return state;
    const time = Date.now();
    const content = root.read(file, LARGEST_CONTENTS);
    if (content === undefined) throw missing(path);
    const read = stateFrom(content);
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
    let changed: { readonly state: State; readonly added: readonly string[] } | undefined;
    await journal.change(about, async (read) => {
      const file = fileOf(root, path) as VaultPath;
      const content = read(file, LARGEST_CONTENTS);
      if (content === undefined) throw missing(path);
      const before = stateFrom(content);
      const { outline } = before;
      if (about.expectedVersion !== undefined && about.expectedVersion !== outline.version)
        throw conflict(outline.version);
      const { edits, message } = plan(outline);
      let saving: Promise<Buffer> | undefined;
      const edited = carryOut(outline, edits, newId, (contents) => {
        // Compressed in another thread while this one reads it again.
        saving = before.container.replaced(contents);
        saving.catch(() => {});
      });
      if (edited.source === outline.source) {
        changed = { state: before, added: [] };
        return { message, steps: [] };
      }
      const bytes = await (saving ?? before.container.replaced(edited.source.bytes));
      const hash = contentHash(bytes);
      if (edited.source.ids === undefined) ids.keep(versionOf(hash), edited.source, edited.ids);
      changed = { state: stateOf(hash, openContainer(bytes), edited.source, edited.ids), added: edited.added };
      planned();
      const replacing = { kind: "replace", path: file, before: content.hash } as const;
      // Several small splices are less to keep than all that lies between them.
      const isSpliced = before.container.isPlain && edited.splices !== undefined;
      const replaced = isSpliced ? { edits: edited.splices!, made: { bytes, hash } } : { bytes };
      return { message, steps: [{ ...replacing, ...replaced }] };
    });
    state = changed!.state;
    stamp = undefined;
    return { outline: state.outline, added: changed!.added };
  };

  /** Changes of this document itself, newest first. */
  const changes = (): Past[] =>
    journal
      .history({ limit: RECENT })
      .entries.filter(({ tool, paths }) => tool !== "undo" && tool !== "redo" && paths.some(isOwn));
  const isOwn = (each: string) => each === path || each.startsWith(`${path}/`);

  return {
    read: async (signal) => {
      signal?.throwIfAborted();
      return current().outline;
    },
    change: async (about, plan) => {
      for (let tries = 1; ; tries++) {
        let isPlanned = false;
        try {
          return await tryToChange(about, plan, () => (isPlanned = true));
        } catch (error) {
          // Another program wrote between our look and our rename: the wish is as good on what is there now.
          const isOvertaken = isPlanned && error instanceof Problem && error.code === "conflict";
          if (!isOvertaken || tries === TRIES) throw error;
        }
      }
    },
    canUndo: async () => changes().some(({ undone }) => !undone),
    // Behind a later change, what was undone cannot be brought back.
    canRedo: async () => changes()[0]?.undone === true,
    close: async () => {
      state = undefined;
    },
  };
}

/** The file itself: of a package, that which holds the rows. */
function fileOf(root: VaultRoot, path: VaultPath): EntryPath {
  return root.locate(path).kind === "folder" ? below(path, CONTENTS) : path;
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
    `There is no document at ${nameOf(path as VaultPath)}: it may be renamed, or its disk not be mounted.`,
    "Open another document, or check the setting `outline`.",
  );
}

function conflict(version: string): Problem {
  return new Problem(
    "conflict",
    `The document has changed since it was read: its version is now ${version}.`,
    "Read it again, then repeat the change on what is there now.",
  );
}
