// Brings the files of a folder into a space of a shared store, and writes those of
// a space into a folder: in batches, each a change of its own, so that both can be
// interrupted and repeated. What is there with other content stays as it is, and is
// named. Used by the command `store`, through the front door.
import {
  contentHash,
  type EntryPath,
  type ListedEntry,
  millisecondsOf,
  parentOf,
  parseVaultPath,
  type VaultPath,
} from "../../files/files.ts";
import { Problem } from "../../kernel/kernel.ts";
import type { FileStore } from "../file-store.ts";
import type { Step } from "../plan/step.ts";

export interface Transferred {
  readonly added: number;
  readonly same: number;
  /** Files at the same path in both, with different content. None of them was changed. */
  readonly differing: readonly string[];
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

interface Transfer {
  readonly from: FileStore["root"];
  readonly to: FileStore;
  /** For the history. */
  readonly message: string;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** The number of files that one change adds. */
const MAX_FILES = 200;
const MAX_BYTES = 8 * 1024 * 1024;
/** The largest file that is transferred: it has to fit into memory several times. */
const LARGEST = 64 * 1024 * 1024;

export async function transferFiles({ from, to, message, onProgress }: Transfer): Promise<Transferred> {
  const entries = [...(await from.list("" as VaultPath))];
  const there = new Map(
    [...(await to.root.list("" as VaultPath))].map((entry) => [to.root.key(entry.path), entry] as const),
  );
  /** Entries that this transfer adds, by the key that decides whether two paths are the same there. */
  const planned = new Map<string, ListedEntry>();
  const differing: string[] = [];
  const skipped: { path: string; reason: string }[] = [];
  let [added, same, size] = [0, 0, 0];
  let steps: Step[] = [];
  const flush = async () => {
    if (steps.length > 0) await to.journal.change({ tool: "store" }, () => ({ message, steps }));
    added += steps.filter(({ kind }) => kind === "create").length;
    steps = [];
    size = 0;
  };
  for (const [done, entry] of entries.entries()) {
    onProgress?.(done, entries.length);
    const key = to.root.key(entry.path);
    const twin = planned.get(key);
    if (twin !== undefined) {
      // Names may differ in case, or in how an accent is written, at the origin but not here.
      if (entry.kind === "file" || twin.kind === "file")
        skipped.push({ path: entry.path, reason: `It would have the same name there as ${twin.path}.` });
      continue;
    }
    const above = fileAbove(entry.path as EntryPath, (folder) => {
      const known = to.root.key(folder);
      return planned.get(known) ?? there.get(known);
    });
    if (above !== undefined) {
      // A row of the store that this program has not made; or, in the place that it goes to, a file of that name.
      skipped.push({ path: entry.path, reason: `It would be in a folder of the same name as the file ${above}.` });
      continue;
    }
    try {
      const step = await stepFor(entry, from, to, there.get(key));
      if (step === "same") same += entry.kind === "file" ? 1 : 0;
      else if (step === "differs") differing.push(entry.path);
      else {
        planned.set(key, entry);
        steps.push(step);
        size += step.kind === "create" ? step.bytes.length : 0;
      }
    } catch (error) {
      // One file that cannot be read, or whose name is not possible there, must not stop the others.
      if (!(error instanceof Problem) || error.code === "timeout") throw error;
      skipped.push({ path: entry.path, reason: error.message });
    }
    if (steps.length >= MAX_FILES || size >= MAX_BYTES) await flush();
  }
  await flush();
  return { added, same, differing, skipped };
}

/** The path of a file above a path, which has to be a folder. */
function fileAbove(path: EntryPath, entryAt: (path: EntryPath) => ListedEntry | undefined): string | undefined {
  const folder = parentOf(path);
  if (folder === "") return undefined;
  const entry = entryAt(folder);
  if (entry?.kind === "folder") return undefined;
  return entry?.path ?? fileAbove(folder, entryAt);
}

async function stepFor(
  { path: given, kind }: ListedEntry,
  from: FileStore["root"],
  { root }: FileStore,
  there: ListedEntry | undefined,
): Promise<Step | "same" | "differs"> {
  // A member may have stored anything: a path is one only after this.
  const path = parseVaultPath(given);
  if (kind === "folder")
    return there === undefined ? { kind: "folder", path } : there.kind === kind ? "same" : "differs";
  if (there?.kind === "folder") return "differs";
  const content = await from.read(given as EntryPath, LARGEST);
  if (content === undefined) throw new Problem("not_found", "It is gone.");
  const { mtimeNs, birthtimeNs } = content.stats;
  const times = { created: millisecondsOf(birthtimeNs), modified: millisecondsOf(mtimeNs) };
  if (there === undefined) return { kind: "create", path, bytes: content.bytes, isCopy: true, times };
  return (await root.hash(there.path)) === contentHash(content.bytes) ? "same" : "differs";
}
