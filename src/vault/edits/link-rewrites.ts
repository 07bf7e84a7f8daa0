// Plans the links that a move has to rewrite: finds the files that may hold one,
// reads them, and turns their edits into steps of the journal. Used by
// note-mover.ts.
import { nameOf, type VaultPath } from "../../files/files.ts";
import { Problem, type Turns } from "../../kernel/kernel.ts";
import {
  kindOfFile,
  linkedTextOf,
  type LinkFormat,
  linkPlanner,
  type MovePlan,
  namesTouchedBy,
  NameTable,
} from "../../markdown/markdown.ts";
import type { HiddenFiles, Read, Step } from "../../journal/journal.ts";
import { obsidianSettings } from "../days/obsidian-settings.ts";
import { readAt, replaceStep } from "./rewritten-notes.ts";
import type { Author, Vault } from "../vault.ts";

export interface LinkRewrites extends MovePlan {
  readonly steps: readonly Step[];
}

export interface MovedFiles {
  /** All files of the vault except one that is overwritten. */
  readonly files: readonly VaultPath[];
  /** The files that may hold a link to rewrite. */
  readonly linking: readonly VaultPath[];
  readonly moves: ReadonlyMap<string, string>;
  readonly folders: ReadonlyMap<string, string>;
  /** Collects the files that could not be read. */
  readonly unread: string[];
  /** Files that the settings hide: links in them and to them count, but no caller learns of it. */
  readonly hidden: HiddenFiles | undefined;
}

/** Keeps only the edits of each note: the texts of a whole vault may not fit into memory. */
export async function planLinkRewrites(
  vault: Vault,
  read: Read,
  { files, linking, moves, folders, unread, hidden }: MovedFiles,
  turns: Turns,
  onProgress: Author["onProgress"],
): Promise<LinkRewrites> {
  const found = { files: [], captured: [], inexpressible: [], steps: [] } as {
    -readonly [Part in keyof LinkRewrites]: LinkRewrites[Part][number][];
  };
  const hiddenPaths = [...((await hidden?.paths()) ?? [])];
  const hiddenLinking = hiddenPaths.filter((path) => linkedTextOf(path) !== undefined);
  if (linking.length + hiddenLinking.length === 0) return found;
  const [before, after] = [NameTable.begin(), NameTable.begin()];
  for (const path of [...files, ...hiddenPaths]) {
    before.add(path);
    after.add(moves.get(path) ?? path);
    if (turns.isOver()) await turns.next();
  }
  const linkFormat = await linkFormatOf(vault);
  const { isHidden, isProtected } = vault.access;
  const planFor = linkPlanner({
    before: before.finish(),
    after: after.finish(),
    moves,
    folders,
    linkFormat,
    onRewrite: (path, target) => {
      // A new link would name the hidden file in a visible note.
      if (isHidden(target) && !isHidden(path)) throw linkOutOfReach();
    },
  });
  for (const [scanned, path] of linking.entries()) {
    if (turns.isOver()) {
      onProgress?.(scanned, linking.length, "Looking for links to rewrite");
      await turns.next();
    }
    const note = await readAt(path, read);
    if (note === undefined) unread.push(path);
    else {
      const plan = await turns.run(planFor({ path, text: note.written.text }));
      found.captured.push(...plan.captured.filter(({ file }) => !isHidden(file)));
      found.inexpressible.push(...plan.inexpressible);
      for (const file of plan.files) {
        if (isProtected(file.path)) throw linkProtected(file.path);
        found.files.push(file);
        found.steps.push(replaceStep(path, file.edits, note));
      }
    }
  }
  for (const path of hiddenLinking) {
    if (turns.isOver()) await turns.next();
    const note = await readAt(path, hidden!.read);
    const plan = note && (await turns.run(planFor({ path, text: note.written.text })));
    if (plan === undefined) continue;
    if (plan.inexpressible.length > 0 || (plan.files.length > 0 && isProtected(path))) throw linkOutOfReach();
    for (const { edits } of plan.files) found.steps.push({ ...replaceStep(path, edits, note!), keepsLinks: true });
  }
  return found;
}

function linkProtected(path: string): Problem {
  return new Problem(
    "denied",
    `A link in ${path} would have to be rewritten, and the settings protect that note. Nothing was moved.`,
    "Leave it where it is, or ask the person to allow the change (--protect).",
  );
}

/** Says no more than that there is such a link. */
function linkOutOfReach(): Problem {
  return new Problem(
    "denied",
    "A link that the settings keep out of reach would break. Nothing was moved.",
    "Leave it where it is, choose another name, or ask the person to move it.",
  );
}

export async function filesOf(
  vault: Vault,
  turns: Turns,
  signal: AbortSignal | undefined,
): Promise<{ paths: VaultPath[]; unread: string[] }> {
  const unread: string[] = [];
  const onUnreadable = (path: VaultPath) => unread.push(path);
  const paths: VaultPath[] = [];
  for (const { kind, path } of await vault.root.list("" as VaultPath, { onUnreadable, ...(signal && { signal }) })) {
    if (kind === "file") paths.push(path);
    if (turns.isOver()) await turns.next();
  }
  return { paths, unread };
}

/**
 * The files that a move may have to rewrite, by the index: moved files that
 * hold any link, and other files that hold a link of a touched name. Without an
 * index, all files that can hold links.
 */
export async function filesToRead(
  vault: Vault,
  paths: readonly VaultPath[],
  moved: Pick<MovedFiles, "moves" | "folders"> & { readonly current: string },
  turns: Turns,
): Promise<readonly VaultPath[]> {
  const { moves, folders, current } = moved;
  const indexed = await vault.index.filesLinking(namesTouchedBy(moves, folders), current, turns);
  if (indexed === undefined) return paths.filter((path) => linkedTextOf(path) !== undefined);
  return paths.filter((path) => {
    // Temporary files and the like are in no index.
    const isWanted = indexed.has(path) || (moves.has(path) && kindOfFile(nameOf(path)) === undefined);
    return isWanted && linkedTextOf(path) !== undefined;
  });
}

/** Obsidian's setting for the format of new links. */
async function linkFormatOf(vault: Vault): Promise<LinkFormat> {
  const format = (await obsidianSettings(vault, "app.json"))?.["newLinkFormat"];
  return format === "relative" || format === "absolute" ? format : "shortest";
}
