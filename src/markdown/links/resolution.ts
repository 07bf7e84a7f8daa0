// Finds the file that a link leads to, among the names of all files of a vault, by
// Obsidian's rules. Used by the index, by moves and by every tool that follows a
// link. Pure: it knows only the list of paths.
//
// The rules (as observed in Obsidian 1.13), each tried with the target as written
// and then, if none of them finds a file, with `.md` added:
// 1. the exact path from the vault's root;
// 2. the path from the folder of the note that holds the link;
// 3. of all files whose path ends with the target's segments, the one with the
//    shortest path (in characters), and of several such the first by the order
//    of their characters.
// Markdown destinations try 2 before 1, as any Markdown program does. Targets with
// `.` or `..` segments use only 2, targets with a leading `/` only 1. Letter case,
// Unicode composition and kinds of space are ignored; of files that differ in
// nothing else, the one spelled like the target is chosen.
import { folderIn, nameIn } from "../../kernel/kernel.ts";

/** The rules that apply to a target; "path" is rule 1 alone. */
export type TargetRule = "wiki" | "markdown" | "path";

interface File {
  readonly path: string;
  readonly folded: string;
}

export class NameTable {
  /** By folded name; shared with the tables derived from this one. */
  readonly #buckets: ReadonlyMap<string, Bucket>;
  /** Buckets that replace some of the shared ones. */
  readonly #changed: ReadonlyMap<string, Bucket>;

  private constructor(buckets: ReadonlyMap<string, Bucket>, changed: ReadonlyMap<string, Bucket>) {
    this.#buckets = buckets;
    this.#changed = changed;
  }

  /** The table of these vault paths, notes and attachments alike. */
  static of(paths: Iterable<string>): NameTable {
    const table = NameTable.begin();
    for (const path of new Set(paths)) table.add(path);
    return table.finish();
  }

  /** Builds a table path by path, each added once, so that a caller with 100,000 of them can give way in between. */
  static begin(): { readonly add: (path: string) => void; readonly finish: () => NameTable } {
    const groups = new Map<string, File[]>();
    return {
      add: (path) => {
        const file = { path, folded: fold(path) };
        const name = nameIn(file.folded);
        const group = groups.get(name);
        if (group === undefined) groups.set(name, [file]);
        else group.push(file);
      },
      finish: () => {
        const buckets = new Map<string, Bucket>();
        for (const [name, files] of groups) buckets.set(name, new Bucket(files));
        return new NameTable(buckets, new Map());
      },
    };
  }

  /** The table after files were removed and added. The cost depends on the changes, not on the size of the table. */
  with({ removed = [], added = [] }: { removed?: Iterable<string>; added?: Iterable<string> }): NameTable {
    const removedPaths = new Set(removed);
    const addedPaths = new Set(added);
    const changes = new Map<string, File[]>();
    for (const path of [...removedPaths, ...addedPaths]) {
      const name = nameIn(fold(path));
      if (changes.has(name)) continue;
      const left = (this.#bucket(name)?.files ?? []).filter(
        (file) => !removedPaths.has(file.path) && !addedPaths.has(file.path),
      );
      changes.set(name, left);
    }
    for (const path of addedPaths) {
      const folded = fold(path);
      changes.get(nameIn(folded))!.push({ path, folded });
    }
    const changed = new Map(this.#changed);
    for (const [name, files] of changes) changed.set(name, new Bucket(files));
    // Merge the changes before there are too many of them.
    const isOutgrown = changed.size > 1_000 + this.#buckets.size / 4;
    return isOutgrown
      ? new NameTable(new Map([...this.#buckets, ...changed]), new Map())
      : new NameTable(this.#buckets, changed);
  }

  /** The table after all moves at once: two files may swap names. */
  renamed(moves: ReadonlyMap<string, string>): NameTable {
    const existing = [...moves].filter(([from]) => this.has(from));
    return this.with({ removed: existing.map(([from]) => from), added: existing.map(([, to]) => to) });
  }

  /** Returns whether there is a file of exactly this path and spelling. */
  has(path: string): boolean {
    const folded = fold(path);
    const same = this.#bucket(nameIn(folded))?.at(folded);
    return same !== undefined && same.some((file) => file.path === path);
  }

  /** How many files end with these segments, whatever their case. */
  count(target: string): number {
    const folded = fold(target);
    const files = this.#bucket(nameIn(folded))?.files ?? [];
    return files.reduce((sum, file) => (endsWithSegments(file.folded, folded) ? sum + 1 : sum), 0);
  }

  /** The file that a target in a note leads to; undefined if there is none. */
  resolve(target: string, notePath: string, rule: TargetRule = "wiki"): string | undefined {
    const written = target.normalize("NFC");
    const folded = fold(written);
    const name = nameIn(folded);
    if (name === "" || name === "." || name === "..") return undefined;
    for (const extension of ["", ".md"]) {
      const bucket = this.#bucket(name + extension);
      if (bucket === undefined) continue;
      const found = lookUp(bucket, folded + extension, notePath, rule);
      if (found !== undefined) return spelledLike(found, written + extension).path;
    }
    return undefined;
  }

  #bucket(name: string): Bucket | undefined {
    return this.#changed.get(name) ?? this.#buckets.get(name);
  }
}

/** The files of one name, in the order of rule 3. */
class Bucket {
  readonly files: readonly File[];
  #byPath: Map<string, File[]> | undefined;

  constructor(files: File[]) {
    this.files = files.sort(
      (a, b) => a.folded.length - b.folded.length || order(a.folded, b.folded) || order(a.path, b.path),
    );
  }

  /** The files at a folded path: more than one only if they differ in nothing but spelling. */
  at(folded: string): readonly File[] | undefined {
    if (this.files.length === 1) return this.files[0]!.folded === folded ? this.files : undefined;
    // Thousands of files may be called "README.md".
    this.#byPath ??= Map.groupBy(this.files, (file) => file.folded);
    return this.#byPath.get(folded);
  }

  shortest(folded: string): readonly File[] | undefined {
    const best = this.files.find((file) => endsWithSegments(file.folded, folded));
    return best && this.at(best.folded);
  }
}

function lookUp(bucket: Bucket, target: string, notePath: string, rule: TargetRule): readonly File[] | undefined {
  const fromRoot = withoutLeadingSlash(target);
  if (rule === "path" || fromRoot !== target) return bucket.at(fromRoot);
  const fromFolder = join(folderIn(fold(notePath)), target);
  if (isRelative(target)) return fromFolder === undefined ? undefined : bucket.at(fromFolder);
  const near = () => (fromFolder === undefined ? undefined : bucket.at(fromFolder));
  const exact = rule === "markdown" ? (near() ?? bucket.at(target)) : (bucket.at(target) ?? near());
  return exact ?? bucket.shortest(target);
}

function spelledLike(files: readonly File[], written: string): File {
  if (files.length === 1) return files[0]!;
  const segments = written.split("/").filter((segment) => segment !== "." && segment !== "..");
  const ending = withoutLeadingSlash(segments.join("/"));
  return files.find((file) => endsWithSegments(file.path.normalize("NFC"), ending)) ?? files[0]!;
}

/** The form in which all spellings of a name are equal: composed, in lower case, with plain spaces. */
export function fold(name: string): string {
  return name
    .normalize("NFC")
    .toLowerCase()
    .replace(/[\u00A0\u202F]/g, " ");
}

/**
 * The last segment of a target or path, folded, without `.md`. Every file that any
 * rule can find for a target has the same link name as the target.
 */
export function linkName(target: string): string {
  let name = nameIn(fold(target));
  // "a.md" may also mean the file "a.md.md".
  while (name.endsWith(".md")) name = name.slice(0, -3);
  return name;
}

/** Returns whether a target is relative to the note. */
export function isRelative(target: string): boolean {
  return /(?:^|\/)\.\.?(?:\/|$)/.test(target);
}

/** The path from a folder; undefined if it leads out of the vault. */
function join(folder: string, target: string): string | undefined {
  if (!target.includes("./") && !target.includes("//")) return folder === "" ? target : `${folder}/${target}`;
  const segments = folder === "" ? [] : folder.split("/");
  for (const segment of target.split("/")) {
    if (segment === "..") {
      if (segments.pop() === undefined) return undefined;
    } else if (segment !== "." && segment !== "") segments.push(segment);
  }
  return segments.join("/");
}

function withoutLeadingSlash(path: string): string {
  return path.startsWith("/") ? path.slice(1) : path;
}

function endsWithSegments(path: string, ending: string): boolean {
  return (
    path.endsWith(ending) && (path.length === ending.length || path.charAt(path.length - ending.length - 1) === "/")
  );
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
