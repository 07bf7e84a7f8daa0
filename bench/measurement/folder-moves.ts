// Moving and deleting folders with everything in them, against what a plain
// program does to the same folder in the same run; and how it grows.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { deleteFolder } from "../../src/vault/folders.ts";
import { moveFolder } from "../../src/vault/edits/note-mover.ts";
import { openVault, type Vault } from "../../src/vault/vault.ts";
import { goal, ms, table, timed, times } from "./measure.ts";

const SIZES = [1000, 10_000, 100_000];
/** Rewriting 100,000 files takes any program minutes. */
const LINKED_SIZES = SIZES.slice(0, 2);
const NOTES_A_FOLDER = 1000;
/** Files that a plain program writes at a time. */
const AT_ONCE = 32;

const author = { tool: "bench" };

const place = (i: number) => `Part ${Math.floor(i / NOTES_A_FOLDER)}/Note ${i}`;

/** If they are linked, each links to the next. */
function makeNotes(folder: string, notes: number, isLinked: boolean): void {
  for (let i = 0; i < notes; i++) {
    if (i % NOTES_A_FOLDER === 0) mkdirSync(join(folder, "Old", place(i), ".."), { recursive: true });
    const link = isLinked ? ` See [[Old/${place((i + 1) % notes)}]].` : "";
    writeFileSync(join(folder, "Old", `${place(i)}.md`), `# Note ${i}\n\nSome words on a line.${link}\n`);
  }
}

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** As a program does that moves file by file. */
function moveEach(from: string, to: string): void {
  for (const file of filesBelow(from)) {
    const target = to + file.slice(from.length);
    mkdirSync(join(target, ".."), { recursive: true });
    renameSync(file, target);
  }
  rmSync(from, { recursive: true });
}

/** What a careful program without a journal does: every note is replaced by one with other links, then the folder is renamed. */
async function rewriteEach(from: string, to: string): Promise<void> {
  const files = filesBelow(from);
  for (let start = 0; start < files.length; start += AT_ONCE) {
    const batch = files.slice(start, start + AT_ONCE).map(async (path) => {
      const text = readFileSync(path, "utf8").replaceAll("[[Old/", "[[New/");
      const file = await open(`${path}.tmp`, "w");
      await file.writeFile(text);
      await file.sync();
      await file.close();
      await rename(`${path}.tmp`, path);
    });
    await Promise.all(batch);
  }
  renameSync(from, to);
}

async function measure(home: string, notes: number, isLinked: boolean): Promise<Record<string, number>> {
  const root = join(home, `${notes}${isLinked ? " linked" : ""}`);
  const folder = join(root, "vault");
  makeNotes(folder, notes, isLinked);
  const vault = openVault({
    folder,
    isEmbedded: false,
    journals: join(root, "journal"),
    cache: join(root, "cache"),
    log: console.error,
  });
  await vault.index.refresh();
  const [old, other, third] = ["Old", "New", "Third"].map((name) => join(folder, name)) as [string, string, string];
  const indexed = () => vault.index.paths().then(({ answer }) => answer.length);
  const measured: Record<string, number> = {};
  const step = async (name: string, work: (vault: Vault) => unknown) => {
    measured[name] = await timed(() => work(vault));
    await indexed();
  };
  await step("move", () => moveFolder(vault, author, { path: "Old", newPath: "New" }));
  await step("undo", () => vault.journal.undo());
  await step("delete", () => deleteFolder(vault, author, "Old", true));
  await step("undo of it", () => vault.journal.undo());
  if (isLinked) measured["plain"] = await timed(() => rewriteEach(old, other));
  else {
    measured["one rename"] = await timed(() => renameSync(old, third));
    measured["plain"] = await timed(() => moveEach(third, other));
  }
  await vault.close();
  rmSync(root, { recursive: true, force: true });
  return measured;
}

export async function measureFolderMoves(home: string): Promise<void> {
  for (const isLinked of [false, true]) {
    const sizes = isLinked ? LINKED_SIZES : SIZES;
    const measured = new Map<number, Record<string, number>>();
    for (const notes of sizes) measured.set(notes, await measure(home, notes, isLinked));
    const names = ["move", "undo", "delete", "undo of it", ...(isLinked ? [] : ["one rename"]), "plain"];
    const of = (notes: number, name: string) => measured.get(notes)![name]!;
    table(
      isLinked ? "A folder, with a chain of links through all of its notes" : "A folder without a link in it",
      ["notes", ...names, "move to plain", "growth of move"],
      sizes.map((notes, i) => [
        notes.toLocaleString("en"),
        ...names.map((name) => ms(of(notes, name))),
        times(of(notes, "move") / of(notes, "plain")),
        i === 0 ? "" : times(of(notes, "move") / of(sizes[i - 1]!, "move")),
      ]),
    );
    const limit = isLinked ? 5000 : 1000;
    const slowest = Math.max(...["move", "undo", "delete", "undo of it"].map((name) => of(10_000, name)));
    goal(slowest < limit, `10,000 notes in less than ${limit / 1000} s, undo and deletion too: ${ms(slowest)}`);
  }
}
