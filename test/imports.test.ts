// Imports go down only, siblings never import each other, and every room is
// entered through its front door: a part can be understood, tested and replaced
// without those above it. The same holds for the page (web/). And each module
// opens with a comment, whose "Used by" names modules that do use it.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { describe, expect, it } from "vitest";

interface Tree {
  /** The folder, relative to the project. */
  readonly root: string;
  /** From the top to the bottom. Rooms in one row are siblings. */
  readonly floors: readonly (readonly string[])[];
  /** A room in which every folder is a room of its own, one floor below. */
  readonly nested?: string;
}

const PROGRAM: Tree = {
  root: "src",
  floors: [
    ["main"],
    ["commands"],
    ["mcp"],
    ["app"],
    ["tools", "setup"],
    ["tasks"],
    ["vault", "outline", "conversations", "project", "memory"],
    ["journal", "search"],
    ["settings"],
    ["sqlite", "shared"],
    ["files", "markdown", "redaction"],
    ["kernel"],
  ],
};

const PAGE: Tree = {
  root: "web",
  floors: [
    ["app"],
    ["palette", "writing", "folders"],
    ["views"],
    ["views/today", "views/preview"],
    [
      "views/search",
      "views/folder",
      "views/note",
      "views/outline",
      "views/conversation",
      "views/activity",
      "views/graph",
      "views/tasks",
      "views/missing",
      "views/setup",
    ],
    ["markdown", "history"],
    ["diff"],
    ["components"],
    ["server", "navigation", "format"],
  ],
  nested: "views",
};

/** Rooms of src/ whose functions depend on their arguments only. */
const PURE = new Set(["markdown", "search", "redaction"]);

/** The rooms that the page may use. Of kernel/ it uses what is pure: the build fails if the page asks for a module of Node. */
const FOR_THE_PAGE = new Set([...PURE, "kernel"]);

const PROJECT = join(import.meta.dirname, "..");
const IMPORT = /(?:^|\n)\s*(?:import|export)\s[^;]*?from\s*"([^"]+)"|import\("([^"]+)"\)|(?:^|\n)import\s*"([^"]+)"/g;

/** A file of ours that another one imports; both paths are relative to the project. */
interface Import {
  readonly from: string;
  readonly to: string;
  readonly isOfTypes: boolean;
  /** Whether it is an import(), which loads the file when it is run. */
  readonly isLazy: boolean;
}

function importedBy(file: string): (Pick<Import, "isOfTypes" | "isLazy"> & { readonly target: string })[] {
  return [...readFileSync(join(PROJECT, file), "utf8").matchAll(IMPORT)].map((match) => ({
    target: match[1] ?? match[2] ?? match[3]!,
    isOfTypes: /^\s*(?:import|export) type\b/.test(match[0]),
    isLazy: match[2] !== undefined,
  }));
}

function filesOf({ root }: Tree): string[] {
  return readdirSync(join(PROJECT, root), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".test.ts"))
    .map((name) => slashed(join(root, name)));
}

function importsOf(tree: Tree): Import[] {
  return filesOf(tree).flatMap((from) =>
    importedBy(from)
      .filter(({ target }) => target.startsWith("."))
      .map(({ target, ...kind }) => ({ from, to: slashed(normalize(join(dirname(from), target))), ...kind })),
  );
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}

/** `vault` for src/vault/notes/note-reader.ts, `settings` for src/settings.ts, `views/note` for web/views/note/note.tsx. */
function roomOf({ root, nested }: Tree, path: string): string {
  const [first = "", ...rest] = relative(root, path).split(/[/\\]/);
  return first === nested && rest.length > 1 ? `${first}/${rest[0]}` : first.replace(/\.\w+$/, "");
}

function floorOf(tree: Tree, path: string): number {
  return tree.floors.findIndex((rooms) => rooms.includes(roomOf(tree, path)));
}

function isFrontDoor(tree: Tree, path: string): boolean {
  const room = roomOf(tree, path);
  const name = room.slice(room.lastIndexOf("/") + 1);
  return [".ts", ".tsx", `/${name}.ts`, `/${name}.tsx`].some((end) => path === `${tree.root}/${room}${end}`);
}

const isIn = ({ root }: Tree, path: string) => path.startsWith(`${root}/`);
const shown = ({ from, to }: Import) => `${from} imports ${to}`;

describe.each([PROGRAM, PAGE])("the imports in $root/", (tree) => {
  const imports = importsOf(tree);
  const within = imports.filter(({ to }) => isIn(tree, to));

  it("are found at all", () => {
    expect(within.length).toBeGreaterThan(100);
  });

  it("belong to rooms that have a floor", () => {
    expect(filesOf(tree).filter((file) => floorOf(tree, file) === -1)).toEqual([]);
  });

  it("go down only, and never to a sibling", () => {
    const wrong = within.filter(
      ({ from, to }) => roomOf(tree, to) !== roomOf(tree, from) && floorOf(tree, to) <= floorOf(tree, from),
    );
    expect(wrong.map(shown)).toEqual([]);
  });

  it("of another room come through its front door, the file named after it", () => {
    const wrong = within.filter(({ from, to }) => roomOf(tree, to) !== roomOf(tree, from) && !isFrontDoor(tree, to));
    expect(wrong.map(shown)).toEqual([]);
  });
});

/** The comment that a module opens with, on one line. */
function openingComment(file: string): string {
  const lines = readFileSync(join(PROJECT, file), "utf8").split("\n");
  const end = lines.findIndex((line) => !line.startsWith("//"));
  return lines
    .slice(0, end)
    .map((line) => line.slice(3))
    .join(" ");
}

/** The modules that a comment names as users: `fields.ts` and `app/parts.ts` of "Used by fields.ts and app/parts.ts." */
function namedUsers(comment: string): string[] {
  return [...comment.matchAll(/\bused (?:only )?by (.+?)(?:[.;:](?= |$)|$)/gi)].flatMap(
    ([, users]) => users!.match(/[\w/-]+\.tsx?\b/g) ?? [],
  );
}

describe.each([PROGRAM, PAGE])("the modules of $root/", (tree) => {
  it("open with a comment that says what they are for", () => {
    expect(filesOf(tree).filter((file) => openingComment(file) === "")).toEqual([]);
  });

  it("name as their users only modules that import them, directly or through the front door", () => {
    const imports = importsOf(tree);
    const importersOf = (file: string) => imports.filter(({ to }) => to === file).map(({ from }) => from);
    const wrong = filesOf(tree).flatMap((file) => {
      const importers = importersOf(file);
      const users = [...importers, ...importers.filter((each) => isFrontDoor(tree, each)).flatMap(importersOf)];
      return namedUsers(openingComment(file))
        .filter((named) => !users.some((user) => user.endsWith(`/${named}`)))
        .map((named) => `${file} is not used by ${named}`);
    });
    expect(wrong).toEqual([]);
  });
});

describe("the imports between src/ and web/", () => {
  it("lead from the page to the front doors of rooms that it may use, or to types", () => {
    const wrong = importsOf(PAGE).filter(
      ({ to, isOfTypes }) =>
        !isIn(PAGE, to) &&
        !(isIn(PROGRAM, to) && isFrontDoor(PROGRAM, to) && (isOfTypes || FOR_THE_PAGE.has(roomOf(PROGRAM, to)))),
    );
    expect(wrong.map(shown)).toEqual([]);
  });

  it("never lead from the program to the page", () => {
    expect(importsOf(PROGRAM).filter(({ to }) => isIn(PAGE, to))).toEqual([]);
  });
});

describe("the list of tools", () => {
  it("loads no room that only calls need", () => {
    const imports = importsOf(PROGRAM).filter(({ isOfTypes, isLazy }) => !isOfTypes && !isLazy);
    const loaded = new Set(["src/tools/tools.ts"]);
    for (const file of loaded) for (const { from, to } of imports) if (from === file) loaded.add(to);
    const rooms = new Set([...loaded].map((file) => roomOf(PROGRAM, file)));
    expect([...rooms].toSorted()).toEqual(["conversations", "files", "kernel", "sqlite", "tools"]);
  });
});

describe("the pure rooms", () => {
  it("touch no file system, network or process", () => {
    const effects = /^node:(fs|net|http|https|child_process|worker_threads|sqlite|process|os)/;
    const wrong = filesOf(PROGRAM).filter(
      (file) =>
        PURE.has(roomOf(PROGRAM, file)) &&
        importedBy(file).some(({ target, isOfTypes }) => !isOfTypes && effects.test(target)),
    );
    expect(wrong).toEqual([]);
  });
});
