// The operations of the fault tests: the n-th one for a given vault is always
// the same, so that the killed process and the one that checks agree on what
// should have happened.
import { contentHash } from "../../../src/files/disk/atomic.ts";
import type { VaultPath } from "../../../src/files/vault/vault-path.ts";
import type { Step } from "../../../src/journal/plan/step.ts";

/** Every file by its path with its bytes as Latin-1, and every folder by its path with "/". */
export type State = Readonly<Record<string, string>>;

/** Operations from this seed on have so many notes that they are written in parts. */
export const MANY_NOTES = 1000;

export type Planned = "undo" | "redo" | { readonly steps: readonly Step[]; readonly after: State };

/** The last is one that no user can name, but that a disk may have. */
const FOLDERS = ["", "one/", "one/two/", "three/", "ü 🗂/", process.platform === "win32" ? "odd/" : "Q: a\\b\n/"];

/** As they are listed from the disk, without the parser. */
const listed = (path: string) => path as VaultPath;

/** The n-th operation on a vault in this state. Of six, the fifth is an undo, and every other sixth a redo. */
export function operation(seed: number, index: number, state: State): Planned {
  if (index % 6 === 4) return "undo";
  if (index % 12 === 5) return "redo";
  if (seed >= MANY_NOTES) return manyNotes(index, state);
  const random = randomFrom(seed * 100_003 + index);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const paths = Object.keys(state).sort();
  const files = paths.filter((path) => !path.endsWith("/"));
  const folders = paths.filter((path) => /^[^/]+\/$/.test(path));
  const plan = new Draft(state);
  const fresh = (label: string) => `${pick(FOLDERS)}${label} ${index}.md`;
  const text = () => pick(["", "short", `line ${index}\n`, `${index} `.repeat(20_000)]);
  const choice = files.length === 0 ? 0 : Math.floor(random() * (folders.length === 0 ? 6 : 8));
  if (choice === 0) plan.create(fresh("new"), text());
  if (choice === 1) plan.replace(pick(files), (before) => `${before}appended ${index}\n`);
  if (choice === 2) plan.replace(pick(files), () => text() + index);
  if (choice === 3) plan.remove(pick(files));
  if (choice === 4) plan.rename(pick(files), fresh("moved"));
  if (choice === 5) {
    // As a move of a folder does: its notes and others change, and it gets another name.
    for (const file of files.slice(0, 8)) plan.replace(file, (before) => `[[${index}]] ${before.slice(0, 1000)}`);
    const [gone] = files;
    if (gone !== undefined && random() < 0.5) plan.remove(gone);
    if (folders.length > 0) plan.renameFolder(pick(folders), `folder ${index}/`);
    plan.create(`made ${index}/deep/x.md`, text());
  }
  if (choice === 6) {
    // A whole folder gets another name or goes to the trash, and nothing else happens.
    const folder = pick(folders);
    if (random() < 0.5) plan.renameFolder(folder, random() < 0.5 ? `bare ${index}/` : `within ${index}/deep/bare/`);
    else plan.removeFolder(folder);
  }
  if (choice === 7) {
    // A folder is moved whose notes hold links: some of those in it change, and some outside.
    const folder = pick(folders);
    for (const file of files.filter((_, i) => i % 3 === 0).slice(0, 10))
      plan.replace(file, (before) => `${before.slice(0, 1000)}[[${folder}${index}]]\n`);
    plan.renameFolder(folder, pick([`linked ${index}/`, `deeper ${index}/linked/`]));
  }
  return { steps: plan.steps, after: plan.after() };
}

/** First 300 notes in a folder, then by turns all of them changed and their folder moved. */
function manyNotes(index: number, state: State): Planned {
  const plan = new Draft(state);
  const notes = Object.keys(state).filter((path) => !path.endsWith("/"));
  if (notes.length === 0) for (let i = 0; i < 300; i++) plan.create(`notes/${i}.md`, `note ${i}`);
  for (const note of notes) plan.replace(note, (before) => `${before.slice(0, 100)} [[${index}]]`);
  const folder = Object.keys(state).find((path) => path.endsWith("/"));
  if (folder !== undefined) plan.renameFolder(folder, `notes ${index}/`);
  return { steps: plan.steps, after: plan.after() };
}

/** Steps, and what they make of the state. */
class Draft {
  readonly steps: Step[] = [];
  readonly #state: Map<string, string>;

  constructor(state: State) {
    this.#state = new Map(Object.entries(state));
  }

  after(): State {
    return Object.fromEntries(this.#state);
  }

  create(path: string, text: string): void {
    this.steps.push({ kind: "create", path: listed(path), bytes: Buffer.from(text, "latin1") });
    this.#put(path, text);
  }

  replace(path: string, change: (before: string) => string): void {
    const before = this.#state.get(path) ?? "";
    const bytes = Buffer.from(change(before), "latin1");
    const hash = contentHash(Buffer.from(before, "latin1"));
    this.steps.push({ kind: "replace", path: listed(path), before: hash, bytes });
    this.#state.set(path, bytes.toString("latin1"));
  }

  remove(path: string): void {
    this.steps.push({ kind: "remove", path: listed(path) });
    this.#state.delete(path);
  }

  rename(path: string, to: string): void {
    this.steps.push({ kind: "rename", path: listed(path), to: listed(to) });
    const text = this.#state.get(path) ?? "";
    this.#state.delete(path);
    this.#put(to, text);
  }

  removeFolder(path: string): void {
    this.steps.push({ kind: "remove", path: listed(path.slice(0, -1)) });
    for (const each of Array.from(this.#state.keys())) if (each.startsWith(path)) this.#state.delete(each);
  }

  renameFolder(path: string, to: string): void {
    this.steps.push({ kind: "rename", path: listed(path.slice(0, -1)), to: listed(to.slice(0, -1)) });
    this.#makeParents(to.slice(0, -1));
    for (const [each, text] of Array.from(this.#state)) {
      if (!each.startsWith(path)) continue;
      this.#state.delete(each);
      this.#state.set(to + each.slice(path.length), text);
    }
  }

  #put(path: string, text: string): void {
    this.#makeParents(path);
    this.#state.set(path, text);
  }

  #makeParents(path: string): void {
    for (let slash = path.indexOf("/"); slash > 0; slash = path.indexOf("/", slash + 1))
      this.#state.set(path.slice(0, slash + 1), "");
  }
}

/** Mulberry32: small, and the same everywhere. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
