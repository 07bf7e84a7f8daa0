// Creates, lists and deletes folders of a vault, and deletes and duplicates
// single notes. What is deleted goes to the vault's trash. Used by the tools of
// vaultManager.
import { AlreadyExists, counted, Problem, Turns } from "../kernel/kernel.ts";
import {
  type ListedEntry,
  millisecondsOf,
  nameOf,
  parentOf,
  parseFolderPath,
  parseNotePath,
  type VaultPath,
} from "../files/files.ts";
import { conflict, type Step } from "../journal/journal.ts";
import { missingFolder } from "./missing-folder.ts";
import { nameMatcher } from "./path-patterns.ts";
import { missingNote } from "./notes/missing-note.ts";
import { existingNotePath, locate, locateNew, newPathFor } from "./notes/note-paths.ts";
import type { Author, Vault } from "./vault.ts";

export async function createFolder(
  vault: Vault,
  author: Author,
  sent: string,
): Promise<{ path: VaultPath; existed: boolean }> {
  const path = parseFolderPath(sent);
  let existed = false;
  await vault.journal.change(author, async () => {
    const { kind } = await locateNew(vault, path, sent);
    if (kind === "file") throw new AlreadyExists(sent, "Choose another path.");
    existed = kind === "folder";
    return { message: `Created the folder ${path}`, steps: existed ? [] : [{ kind: "folder", path }] };
  });
  return { path, existed };
}

export async function deleteNote(
  vault: Vault,
  author: Author,
  sent: string,
  expectedHash?: string,
): Promise<{ path: VaultPath }> {
  const path = await existingNotePath(vault, sent);
  await warnOfBacklinks(vault, path, author);
  await vault.journal.change(author, async () => {
    if ((await locate(vault, path, sent)).kind !== "file") throw await missingNote(vault, sent);
    if (expectedHash !== undefined) {
      const hash = (await vault.root.hash(path))!;
      if (hash !== expectedHash) throw conflict(sent, hash);
    }
    return { message: `Moved ${path} to the trash`, steps: [{ kind: "remove", path }] };
  });
  return { path };
}

/** Says how many files link to what is about to be deleted; those of a deleted folder itself do not count. */
async function warnOfBacklinks(vault: Vault, path: VaultPath, { onWarning }: Author): Promise<void> {
  if (onWarning === undefined) return;
  const isBelow = (other: string) => other === path || other.startsWith(`${path}/`);
  const { answer: paths } = await vault.index.paths();
  const { answer: links, stale } = await vault.index.backlinks(paths.filter(isBelow));
  const linking = new Set(links.map(({ from }) => from).filter((from) => !isBelow(from))).size;
  if (linking === 0) return;
  const count = `${stale ? "at least " : ""}${counted(linking, "backlink")}`;
  onWarning(`${path} has ${count}: without it these links lead to nothing.`);
}

export interface FolderContents {
  readonly path: VaultPath;
  readonly files: number;
  readonly folders: number;
  /** The first of the files, for a preview. */
  readonly sample: readonly string[];
}

/** Lists what would be deleted with a folder. */
async function contentsOf(vault: Vault, sent: string, signal?: AbortSignal): Promise<FolderContents> {
  const path = parseFolderPath(sent);
  if (path === "") throw new Problem("invalid", `Invalid path: ${sent}`);
  if ((await locate(vault, path, sent)).kind !== "folder") throw await missingFolder(vault, sent);
  const turns = new Turns(signal);
  const sample: string[] = [];
  const count = { file: 0, folder: 0 };
  for (const listed of await vault.root.list(path)) {
    if (count[listed.kind]++ < SAMPLE && listed.kind === "file") sample.push(listed.path);
    if (turns.isOver()) await turns.next();
  }
  return { path, files: count.file, folders: count.folder, sample };
}

/** Files that a preview names. */
const SAMPLE = 20;

/** The same for a preview, which refuses what the deletion would. */
export async function previewFolderDeletion(vault: Vault, author: Author, sent: string): Promise<FolderContents> {
  const { signal } = author;
  let contents: FolderContents | undefined;
  await vault.journal.preview({ signal }, async () => {
    contents = await contentsOf(vault, sent, signal);
    return { message: "", steps: [{ kind: "remove", path: contents.path }] };
  });
  await warnOfBacklinks(vault, contents!.path, author);
  return contents!;
}

export async function deleteFolder(
  vault: Vault,
  author: Author,
  sent: string,
  recursive: boolean,
): Promise<FolderContents> {
  let contents: FolderContents | undefined;
  const path = parseFolderPath(sent);
  if (path !== "") await warnOfBacklinks(vault, path, author);
  await vault.journal.change(author, async () => {
    contents = await contentsOf(vault, sent, author.signal);
    if (!recursive && contents.files + contents.folders > 0) {
      throw new Problem(
        "conflict",
        `Folder is not empty: ${sent}`,
        "Set recursive to true to delete it with everything in it.",
      );
    }
    return {
      message: `Moved the folder ${contents.path} to the trash`,
      steps: [{ kind: "remove", path: contents.path }],
    };
  });
  return contents!;
}

interface Duplication {
  readonly sourcePath: string;
  readonly targetPath: string;
  readonly overwrite: boolean;
  readonly autoIncrement: boolean;
  /** The content hash of the note that is overwritten. */
  readonly expectedHash?: string | undefined;
}

export async function duplicateNote(
  vault: Vault,
  author: Author,
  sent: Duplication,
): Promise<{ sourcePath: VaultPath; targetPath: VaultPath }> {
  const sourcePath = await existingNotePath(vault, sent.sourcePath);
  let targetPath = await newPathFor(vault, sent.targetPath, sourcePath);
  await vault.journal.change(author, async () => {
    await locate(vault, sourcePath, sent.sourcePath);
    await locateNew(vault, targetPath, sent.targetPath);
    const source = await vault.root.read(sourcePath);
    if (source === undefined) throw await missingNote(vault, sent.sourcePath);
    if (sent.autoIncrement) targetPath = await freePath(vault, await newPathFor(vault, sent.targetPath, sourcePath));
    const existing = await vault.root.read(targetPath);
    if (existing !== undefined && !sent.overwrite) {
      throw new AlreadyExists(sent.targetPath, "Choose another path, or set autoIncrement or overwrite to true.");
    }
    if (existing !== undefined && sent.expectedHash !== undefined && sent.expectedHash !== existing.hash) {
      throw conflict(sent.targetPath, existing.hash);
    }
    const step: Step = existing
      ? { kind: "replace", path: targetPath, before: existing.hash, bytes: source.bytes }
      : { kind: "create", path: targetPath, bytes: source.bytes, isCopy: true };
    return { message: `Copied ${sourcePath} to ${targetPath}`, steps: [step] };
  });
  return { sourcePath, targetPath };
}

/** The path itself if it is free, else the first free one of "name copy", "name copy 2" … */
async function freePath({ root }: Vault, path: VaultPath): Promise<VaultPath> {
  const name = nameOf(path);
  const dot = name.lastIndexOf(".");
  const folder = parentOf(path);
  for (let copy = 0; ; copy++) {
    const suffix = copy === 0 ? "" : copy === 1 ? " copy" : ` copy ${copy}`;
    const candidate = parseNotePath(
      `${folder === "" ? "" : `${folder}/`}${name.slice(0, dot)}${suffix}${name.slice(dot)}`,
    );
    if ((await root.locate(candidate)).kind === "absent") return candidate;
  }
}

export interface Listed {
  readonly path: string;
  readonly name: string;
  readonly type: "file" | "folder";
  readonly size?: number;
  readonly created?: number;
  readonly modified: number;
  /** For a folder: the number of files and folders directly in it. */
  readonly files?: number;
  readonly folders?: number;
}

export interface ListingOptions {
  readonly depth: number;
  /** Part of a name, or a pattern with * and ?. */
  readonly filter?: string | undefined;
  readonly includeFiles: boolean;
  readonly includeFolders: boolean;
  readonly signal?: AbortSignal;
}

export async function listFolder(
  vault: Vault,
  sent: string,
  options: ListingOptions,
): Promise<{ path: VaultPath; items: Listed[] }> {
  const path = parseFolderPath(sent);
  const { kind } = await locate(vault, path, sent);
  if (kind !== "folder") throw await missingFolder(vault, sent);
  const matches = nameMatcher(options.filter);
  const { depth, signal } = options;
  const items: Listed[] = [];
  for (const listed of await vault.root.list(path, { depth, ...(signal && { signal }) })) {
    const { kind: type, name } = listed;
    if (!(type === "file" ? options.includeFiles : options.includeFolders) || !matches(name)) continue;
    const item = await describe(vault, listed);
    if (item !== undefined) items.push(item);
  }
  return { path, items };
}

async function describe(vault: Vault, { path, name, kind }: ListedEntry): Promise<Listed | undefined> {
  const stats = await vault.root.stats(path);
  if (stats === undefined) return undefined;
  const [modified, created] = [millisecondsOf(stats.mtimeNs), millisecondsOf(stats.birthtimeNs)].map(Math.round);
  const shared = { path: path.normalize("NFC"), name: name.normalize("NFC"), modified: modified! };
  if (kind === "file") return { ...shared, type: "file", size: Number(stats.size), created: created! };
  const inside = [...(await vault.root.list(path, { depth: 1 }))];
  const files = inside.filter((listed) => listed.kind === "file").length;
  return { ...shared, type: "folder", files, folders: inside.length - files };
}
