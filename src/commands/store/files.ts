// commonplace store import and export: a folder into the files of a space, and
// these into a folder.
import { statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { openCommonplace } from "../../app/app.ts";
import { makeFolders } from "../../files/files.ts";
import {
  exportSettings,
  importSettings,
  openFolderStore,
  openSharedStore,
  transferFiles,
  type Transferred,
  type TransferredSettings,
} from "../../journal/journal.ts";
import { counted, joined, print, printable, type Printable, printJson, Problem } from "../../kernel/kernel.ts";
import { spaceNamed, type Space, type Store } from "../../shared/shared.ts";
import { folderNameOfSpace } from "../../settings.ts";
import type { Invocation } from "../command.ts";
import { withProgress } from "../progress.ts";
import { spaceOf } from "./space-flag.ts";

/** Paths that are named; the others are counted. */
const MAX_NAMED = 20;

export async function importFiles(store: Store, invocation: Invocation, folder: string): Promise<number> {
  const source = resolve(folder);
  if (statSync(source, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Problem("not_found", `There is no folder ${source} to import.`);
  const { space, files, onDisk } = await bothSides(store, invocation, source);
  if (space.role === "reader")
    throw new Problem("denied", `You may read the space ${space.name}, but not add anything to it.`);
  // Every member reads it: where the folder is on this machine is nobody else's business.
  const message = `Imported from ${basename(source)}`;
  const { result } = await withProgress("files", (onProgress) =>
    transferFiles({ from: onDisk.root, to: files, message, onProgress }),
  );
  const settings = await importSettings(onDisk, files, invocation.flags["replace-settings"] === true);
  await files.journal.close();
  const unindexed = await index(invocation, space);
  return report(invocation, result, settings, `into the space ${space.name}`, unindexed);
}

/** Readers cannot index what they are the first to ask for. @returns why it could not be done */
async function index({ settings }: Invocation, { name }: Space): Promise<string | undefined> {
  const folder = folderOf(settings, name);
  const vault = { name, space: name, folder, isReadOnly: false, protect: [], hide: [] };
  const commonplace = openCommonplace({ ...settings, vault: folder, vaults: [vault] });
  try {
    await withProgress("indexing notes", (onProgress) => commonplace.refreshIndex({ onProgress }));
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  } finally {
    await commonplace.close();
  }
}

function folderOf({ folders }: Invocation["settings"], space: string): string {
  return join(folders.data, "spaces", folderNameOfSpace(space));
}

export async function exportFiles(store: Store, invocation: Invocation, folder: string): Promise<number> {
  const target = resolve(folder);
  const space = await spaceNamed(store, spaceOf(invocation));
  makeFolders(target);
  const { files, onDisk } = await bothSides(store, invocation, target, space);
  const message = `Exported from the space ${space.name}`;
  const { result } = await withProgress("files", (onProgress) =>
    transferFiles({ from: files.root, to: onDisk, message, onProgress }),
  );
  const settings = await exportSettings(files, onDisk);
  await onDisk.journal.close();
  return report(invocation, result, settings, `into ${target}`);
}

async function bothSides(store: Store, invocation: Invocation, folder: string, known?: Space) {
  const { settings } = invocation;
  const options = { log: () => {} };
  const onDisk = openFolderStore(folder, join(settings.folders.data, "journal"), options);
  const space = known ?? (await spaceNamed(store, spaceOf(invocation)));
  const place = { store, space: space.name, folder: folderOf(settings, space.name) };
  return { space, onDisk, files: await openSharedStore(place, options) };
}

function report(
  { flags }: Invocation,
  { added, same, differing: files, skipped }: Transferred,
  settings: TransferredSettings,
  where: string,
  unindexed?: string,
): number {
  const differing = [...files, ...settings.differing];
  const isWhole = differing.length + skipped.length === 0;
  if (flags["json"])
    printJson({ added, same, settings: settings.added, differing, skipped, ...(unindexed && { unindexed }) });
  else
    print(
      joined([
        printable`Added ${counted(added, "file")} ${where}; ${same} ${same === 1 ? "was" : "were"} there already.`,
        ...(settings.added.length === 0 ? [] : [printable`Added settings: ${settings.added.join(", ")}`]),
        ...named(differing, differing.length === 1 ? "differs, and stays as it is" : "differ, and stay as they are"),
        ...named(
          skipped.map(({ path, reason }) => `${path}: ${reason}`),
          "could not be transferred",
        ),
        ...(unindexed === undefined ? [] : [printable`They are not indexed yet: ${unindexed}`]),
      ]),
    );
  return isWhole ? 0 : 1;
}

function named(lines: readonly string[], what: string): Printable[] {
  if (lines.length === 0) return [];
  const more = lines.length - MAX_NAMED;
  return [
    printable`${counted(lines.length, "file")} ${what}:`,
    ...lines.slice(0, MAX_NAMED).map((line) => printable`  ${line}`),
    ...(more > 0 ? [printable`  and ${more} more`] : []),
  ];
}
