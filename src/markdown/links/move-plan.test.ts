import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CAMPAIGN, repeats } from "../../../test/campaign.ts";
import { REAL, realData, SAMPLES } from "../../../test/samples.ts";
import { finished } from "../../kernel/kernel.ts";
import { findLinks, linkedTextOf } from "./links.ts";
import { NameTable } from "./resolution.ts";
import {
  affectedNames,
  type LinkFormat,
  type LinkingFile,
  linkPlanner,
  type MovePlan,
  nameOfLink,
} from "./move-plan.ts";

/** The plan of all files at once. */
function planMove({
  linkingFiles,
  ...moves
}: Parameters<typeof linkPlanner>[0] & { readonly linkingFiles: readonly LinkingFile[] }): MovePlan {
  const planFor = linkPlanner(moves);
  const plans = linkingFiles.map((file) => finished(planFor(file)));
  return {
    files: plans.flatMap(({ files }) => files),
    captured: plans.flatMap(({ captured }) => captured),
    inexpressible: plans.flatMap(({ inexpressible }) => inexpressible),
  };
}

type Vault = Readonly<Record<string, string>>;
type Moves = Readonly<Record<string, string>>;

function plan(vault: Vault, moves: Moves, linkFormat: LinkFormat = "shortest", folders: Moves = {}): MovePlan {
  return planMove({
    before: NameTable.of(Object.keys(vault)),
    moves: new Map(Object.entries(moves)),
    folders: new Map(Object.entries(folders)),
    linkingFiles: Object.entries(vault).map(([path, text]) => ({ path, text })),
    linkFormat,
  });
}

/** The vault after the plan was applied. */
function applied(vault: Vault, moves: Moves, { files }: MovePlan): Record<string, string> {
  const edits = new Map(files.map((file) => [file.path, file.edits]));
  return Object.fromEntries(
    Object.entries(vault).map(([path, text]) => {
      let result = text;
      for (const { start, end, expected, replacement } of (edits.get(path) ?? []).toReversed()) {
        expect(result.slice(start, end)).toBe(expected);
        result = result.slice(0, start) + replacement + result.slice(end);
      }
      return [moves[path] ?? path, result];
    }),
  );
}

function after(vault: Vault, moves: Moves, linkFormat: LinkFormat = "shortest", folders: Moves = {}): Vault {
  return applied(vault, moves, plan(vault, moves, linkFormat, folders));
}

describe("links to a note that moves", () => {
  it("are not changed if they still lead there", () => {
    const vault = { "a.md": "", "n.md": "[[a]] [[a#h|x]]", "F/n.md": "[a](a.md)" };
    expect(plan(vault, { "a.md": "H/a.md" }).files).toEqual([]);
  });

  it("stay a path that any program can follow, if they are one", () => {
    const vault = { "F/a.md": "", "F/n.md": "[a](a.md) [[a]]", "n.md": "[a](F/a.md)", "G/n.md": "[a](a.md)" };
    const moved = after(vault, { "F/a.md": "X/a.md" });
    expect(moved["F/n.md"]).toBe("[a](../X/a.md) [[a]]");
    expect(moved["n.md"]).toBe("[a](X/a.md)");
    // Only a name, which Obsidian looks up: it stays one.
    expect(moved["G/n.md"]).toBe("[a](a.md)");
  });

  it("keep alias, heading, block, embed and encoding when renamed", () => {
    const vault = {
      "a.md": "",
      "n.md": '[[a]] [[a#h|x]] ![[a#^b]] [x](a.md#h "t") [x](<a.md>) | [[a\\|x]] |\n\n[r]: a.md',
    };
    expect(after(vault, { "a.md": "b c.md" })["n.md"]).toBe(
      '[[b c]] [[b c#h|x]] ![[b c#^b]] [x](b%20c.md#h "t") [x](<b c.md>) | [[b c\\|x]] |\n\n[r]: b%20c.md',
    );
  });

  it("keep their style", () => {
    const vault = { "F/a.md": "", "F/G/n.md": "[[a]] [[F/a]] [[F/a.md]] [[../a]] [x](../a.md) [x](/F/a.md)" };
    expect(after(vault, { "F/a.md": "H/b.md" })["F/G/n.md"]).toBe(
      "[[b]] [[H/b]] [[H/b.md]] [[../../H/b]] [x](../../H/b.md) [x](/H/b.md)",
    );
  });

  it("become a path if the bare name is taken", () => {
    const vault = { "F/a.md": "", "G/b.md": "", "n.md": "[[a]] [x](a.md)", "G/n.md": "[[a]]" };
    const moves = { "F/a.md": "H/b.md" };
    expect(after(vault, moves)["n.md"]).toBe("[[H/b]] [x](H/b.md)");
    expect(after(vault, moves, "relative")["G/n.md"]).toBe("[[../H/b]]");
  });

  it("are rewritten in canvases, bases and frontmatter", () => {
    const vault = {
      "F/a.md": "",
      "c.canvas": '{"nodes":[{"file":"F/a.md"},{"text":"[[F/a]]"}]}',
      "b.base": 'filters: \'link("F/a") && file.inFolder("F")\'',
      "n.md": "---\nup: '[[F/a|x]]'\n---\n",
    };
    expect(after(vault, { "F/a.md": "it's/a.md" }, "shortest", { F: "it's" })).toEqual({
      "it's/a.md": "",
      "c.canvas": '{"nodes":[{"file":"it\'s/a.md"},{"text":"[[it\'s/a]]"}]}',
      "b.base": "filters: 'link(\"it''s/a\") && file.inFolder(\"it''s\")'",
      "n.md": "---\nup: '[[it''s/a|x]]'\n---\n",
    });
  });
});

describe("links of the note that moves", () => {
  it("still mean the same", () => {
    const vault = {
      "F/n.md": "[[./a]] [x](a.md) [[b]] [x](../b.md)",
      "F/a.md": "",
      "b.md": "",
      "F/b.md": "",
      "G/b.md": "",
    };
    expect(after(vault, { "F/n.md": "G/H/n.md" })["G/H/n.md"]).toBe(
      "[[../../F/a]] [x](../../F/a.md) [[b]] [x](../../b.md)",
    );
  });

  it("follow the vault's format if a destination may be a path from the note or from the root", () => {
    const vault = { "n.md": "[x](F/a.md)", "F/a.md": "" };
    const moves = { "n.md": "H/n.md", "F/a.md": "G/b.md" };
    expect(after(vault, moves, "relative")["H/n.md"]).toBe("[x](../G/b.md)");
    expect(after(vault, moves, "shortest")["H/n.md"]).toBe("[x](../G/b.md)");
    expect(after(vault, moves, "absolute")["H/n.md"]).toBe("[x](G/b.md)");
  });
});

describe("links of third notes", () => {
  it("are rewritten when a collision begins", () => {
    const vault = { "Long/a.md": "", "b.md": "", "n.md": "[[a]] [[b]]" };
    expect(after(vault, { "b.md": "X/a.md" })["n.md"]).toBe("[[Long/a]] [[X/a]]");
  });

  it("are left alone when a collision ends and they mean the same", () => {
    const vault = { "a.md": "", "F/a.md": "", "n.md": "[[a]] [[F/a]]" };
    expect(plan(vault, { "F/a.md": "F/b.md" }).files.map(({ edits }) => edits.map((edit) => edit.replacement))).toEqual(
      [["F/b"]],
    );
  });
});

describe("links that meant nothing", () => {
  it("stay as they are, and are reported when a move gives them a meaning", () => {
    const vault = { "a.md": "", "n.md": "[[b]] [[c]]" };
    const { files, captured } = plan(vault, { "a.md": "b.md" });
    expect(files).toEqual([]);
    expect(captured).toEqual([{ path: "n.md", start: 2, target: "b", file: "b.md" }]);
  });
});

it("reports a link whose form cannot express the new name", () => {
  const vault = { "a.md": "", "n.md": "[[a]] [x](a.md)" };
  const { files, inexpressible } = plan(vault, { "a.md": "C# notes.md" });
  expect(files[0]!.edits.map(({ replacement }) => replacement)).toEqual(["C%23%20notes.md"]);
  expect(inexpressible).toEqual([{ path: "n.md", start: 2, target: "a", file: "C# notes.md" }]);
});

it("changes nothing for a rename of letter case alone", () => {
  expect(plan({ "a.md": "", "n.md": "[[a]] [x](a.md)" }, { "a.md": "A.md" }).files).toEqual([]);
});

it("moves folders below others, the innermost first", () => {
  const vault = { "F/G/a.md": "", "b.base": 'x: file.inFolder("F/G/H") || file.inFolder("f") || file.inFolder("FG")' };
  const moves = { "F/G/a.md": "X/a.md" };
  expect(after(vault, moves, "shortest", { F: "Y", "F/G": "X" })["b.base"]).toBe(
    'x: file.inFolder("X/H") || file.inFolder("Y") || file.inFolder("FG")',
  );
});

// The rules once more, written from the format's description alone, by looking at every file for every link.
type Rule = "wiki" | "markdown" | "path";
const same = (name: string) => name.normalize("NFC").toLowerCase();

function naiveMeaning(files: readonly string[], target: string, source: string, rule: Rule): string | undefined {
  for (const wanted of [target, `${target}.md`]) {
    const from = (folder: string) => {
      const place = new URL(folder.split("/").map(encodeURIComponent).join("/") + "/", "http://x/r/");
      const reached = new URL(wanted.split("/").map(encodeURIComponent).join("/"), place).pathname;
      // A path that leads out of the root comes out short of it, or beside it.
      const depth = wanted.split("/").filter((part) => part === "..").length - folder.split("/").filter(Boolean).length;
      return depth > 0 ? [] : files.filter((file) => `/r/${same(file)}` === same(decodeURIComponent(reached)));
    };
    const root = files.filter((file) => same(file) === same(wanted.replace(/^\//, "")));
    const folder = source.split("/").slice(0, -1).join("/");
    const near = folder === "" && !wanted.startsWith(".") ? root : from(folder === "" ? "." : folder);
    const far = files.filter((file) => same(`/${file}`).endsWith(same(`/${wanted}`)));
    far.sort((a, b) => a.length - b.length || (same(a) < same(b) ? -1 : 1));
    const byRule =
      rule === "path" || wanted.startsWith("/")
        ? [root]
        : /^\.\.?\//.test(wanted)
          ? [near]
          : rule === "markdown"
            ? [near, root, far]
            : [root, near, far];
    const found = byRule.find((matches) => matches.length > 0)?.[0];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns whether a Markdown destination leads to the file as a plain path from its note. */
function isNaivePath(
  files: readonly string[],
  target: string,
  source: string,
  rule: Rule,
  file: string | undefined,
): boolean {
  if (rule !== "markdown" || target.startsWith("/")) return false;
  return file !== undefined && naiveMeaning(files, `./${target}`, source, rule) === file;
}

// Every form of link, one a line; read back by a pattern of its own.
interface Form {
  readonly rule: Rule;
  readonly write: (target: string) => string;
  readonly pattern: RegExp;
  readonly read?: (raw: string) => string;
}
const encoded = (target: string) => target.replaceAll(" ", "%20").replaceAll("(", "%28").replaceAll(")", "%29");
const FORMS: readonly Form[] = [
  { rule: "wiki", write: (t) => `[[${t}]]`, pattern: /^\[\[(.+)\]\]$/ },
  { rule: "wiki", write: (t) => `![[${t}#h|a]]`, pattern: /^!\[\[(.+)#h\|a\]\]$/ },
  { rule: "wiki", write: (t) => `| [[${t}#^b\\|a]] |`, pattern: /^\| \[\[(.+)#\^b\\\|a\]\] \|$/ },
  { rule: "markdown", write: (t) => `[x](${encoded(t)})`, pattern: /^\[x\]\((.+)\)$/, read: decodeURIComponent },
  {
    rule: "markdown",
    write: (t) => `![x](<${t}#h> "t")`,
    pattern: /^!\[x\]\(<(.+)#h> "t"\)$/,
    read: decodeURIComponent,
  },
  { rule: "markdown", write: (t) => `[x]: ${encoded(t)}`, pattern: /^\[x\]: (.+)$/, read: decodeURIComponent },
];
const CANVAS_FORMS: readonly Form[] = [
  { rule: "path", write: (t) => `{"file":"${t}"}`, pattern: /^\{"file":"(.+)"\}$/ },
  { rule: "wiki", write: (t) => `{"text":"\\n[[${t}]]"}`, pattern: /^\{"text":"\\n\[\[(.+)\]\]"\}$/ },
];
const BASE_FORMS: readonly Form[] = [
  { rule: "wiki", write: (t) => `- link("${t}")`, pattern: /^- link\("(.+)"\)$/ },
  { rule: "wiki", write: (t) => `- '"[[${t}]]"'`, pattern: /^- '"\[\[(.+)\]\]"'$/ },
];
const formsOf = (path: string) =>
  path.endsWith(".canvas") ? CANVAS_FORMS : path.endsWith(".base") ? BASE_FORMS : FORMS;

interface Line {
  readonly form: Form;
  readonly target: string;
}
function textOf(path: string, lines: readonly Line[]): string {
  const written = lines.map(({ form, target }) => form.write(target));
  return path.endsWith(".canvas") ? `{"nodes":[\n${written.join("\n,\n")}\n]}` : written.join("\n\n");
}
function targetsIn(path: string, text: string, lines: readonly Line[]): string[] {
  const written = path.endsWith(".canvas")
    ? text
        .split("\n")
        .slice(1, -1)
        .filter((line) => line !== ",")
    : text.split("\n\n");
  return lines.map(({ form }, i) => {
    const raw = form.pattern.exec(written[i]!)?.[1];
    expect(raw, `line ${written[i]} has kept its form`).toBeDefined();
    return form.read?.(raw!) ?? raw!;
  });
}

const FOLDERS = ["", "A", "B", "A/B", "A/A", "B/A/B", "a b"];
const NAMES = ["x.md", "y.md", "z.md", "x y (1).md", "v1.2.md", "é.md", "x.png", "x", "x.md.md", "c.canvas", "b.base"];
const inFolder = (folder: string, name: string) => (folder === "" ? name : `${folder}/${name}`);
const path = fc
  .tuple(fc.constantFrom(...FOLDERS), fc.constantFrom(...NAMES))
  .map(([folder, name]) => inFolder(folder, name));

const SPELLINGS = ["bare", "whole", "partial", "dotted", "rooted", "relative"] as const;

/** Some target that may lead from a note to a file. */
function targetFor(
  file: string,
  source: string,
  spelling: (typeof SPELLINGS)[number],
  hides: boolean,
  shouts: boolean,
): string {
  const up = source
    .split("/")
    .slice(1)
    .map(() => "..");
  const spelled = {
    bare: file.split("/").at(-1)!,
    whole: file,
    partial: file.split("/").slice(-2).join("/"),
    dotted: ["..", ".", ...up.slice(1), file]
      .slice(up.length > 0 ? 0 : 1)
      .join("/")
      .replace("../.", ".."),
    rooted: `/${file}`,
    relative: file.split("/")[0] === source.split("/")[0] ? file.split("/").slice(1).join("/") || file : file,
  }[spelling];
  const shown = hides && spelled.endsWith(".md") ? spelled.slice(0, -3) : spelled;
  return shouts ? shown.toUpperCase() : shown;
}

const scenario = fc
  .record({
    files: fc.uniqueArray(path, { minLength: 2, maxLength: 14 }),
    links: fc.array(
      fc.record({
        source: fc.nat(),
        file: fc.oneof({ weight: 4, arbitrary: fc.nat() }, { weight: 1, arbitrary: path }),
        form: fc.nat(),
        spelling: fc.constantFrom(...SPELLINGS),
        hides: fc.boolean(),
        shouts: fc.boolean(),
      }),
      { maxLength: 25 },
    ),
    moves: fc.array(fc.tuple(fc.nat(), path), { maxLength: 5 }),
    folderMove: fc.option(fc.tuple(fc.constantFrom(...FOLDERS.slice(1)), fc.constantFrom("A", "C", "A/C", "C/A"))),
    swap: fc.option(fc.tuple(fc.nat(), fc.nat())),
    format: fc.constantFrom<LinkFormat>("shortest", "relative", "absolute"),
  })
  .map(({ files, links, moves, folderMove, swap, format }) => {
    const at = (index: number) => files[index % files.length]!;
    const lines = new Map<string, Line[]>();
    for (const link of links) {
      const sources = files.filter((file) => linkedTextOf(file) !== undefined);
      if (sources.length === 0) continue;
      const source = sources[link.source % sources.length]!;
      const forms = formsOf(source);
      const file = typeof link.file === "number" ? at(link.file) : link.file;
      const target = targetFor(file, source, link.spelling, link.hides, link.shouts);
      lines.set(source, [...(lines.get(source) ?? []), { form: forms[link.form % forms.length]!, target }]);
    }
    const moved: Record<string, string> = {};
    const taken = () => new Set(files.map((file) => same(moved[file] ?? file)));
    if (folderMove !== null) {
      for (const file of files.filter((one) => one.startsWith(`${folderMove[0]}/`))) {
        const to = folderMove[1] + file.slice(folderMove[0].length);
        if (!taken().has(same(to))) moved[file] = to;
      }
    }
    if (swap !== null) {
      const [one, other] = [at(swap[0]), at(swap[1])];
      if (one !== other && moved[one] === undefined && moved[other] === undefined) {
        moved[one] = other;
        moved[other] = one;
      }
    }
    for (const [index, to] of moves) if (!taken().has(same(to))) moved[at(index)] = to;
    const vault = Object.fromEntries(files.map((file) => [file, textOf(file, lines.get(file) ?? [])]));
    return { vault, lines, moved, format };
  });

describe("any moves in any vault", () => {
  it("leave every link with the meaning it had, and rewrite no other", CAMPAIGN, () => {
    let rewritten = 0;
    fc.assert(
      fc.property(scenario, ({ vault, lines, moved, format }) => {
        const before = Object.keys(vault);
        const made = plan(vault, moved, format);
        const result = applied(vault, moved, made);
        const now = Object.keys(result);
        expect(made.inexpressible).toEqual([]);
        for (const [source, old] of lines) {
          // A text may become an image by its new name; its links count all the same.
          const newSource = moved[source] ?? source;
          targetsIn(source, result[newSource]!, old).forEach((target, i) => {
            const { form, target: was } = old[i]!;
            const meant = naiveMeaning(before, was, source, form.rule);
            const means = naiveMeaning(now, was, newSource, form.rule);
            const wanted = meant === undefined ? undefined : (moved[meant] ?? meant);
            const isFromRoot = naiveMeaning(before, was, source, "path") === meant;
            const wasPath =
              isNaivePath(before, was, source, form.rule, meant) && !(isFromRoot && format === "absolute");
            const isPath = isNaivePath(now, was, newSource, form.rule, wanted);
            if (wasPath) expect(isNaivePath(now, target, newSource, form.rule, wanted)).toBe(true);
            if (meant === undefined || (means === wanted && (isPath || !wasPath))) expect(target).toBe(was);
            else {
              rewritten++;
              expect(naiveMeaning(now, target, newSource, form.rule), `[[${was}]] → [[${target}]]`).toBe(wanted);
            }
          });
        }
      }),
      { numRuns: repeats({ short: 600, long: 50_000 }) },
    );
    expect(rewritten).toBeGreaterThan(1_000);
  });

  it("report exactly the links that they give a meaning to", () => {
    fc.assert(
      fc.property(scenario, ({ vault, lines, moved, format }) => {
        const now = Object.keys(vault).map((file) => moved[file] ?? file);
        const expected = [...lines].flatMap(([source, old]) =>
          old
            .filter(({ form, target }) => naiveMeaning(Object.keys(vault), target, source, form.rule) === undefined)
            .map(({ form, target }) => naiveMeaning(now, target, moved[source] ?? source, form.rule))
            .filter((file) => file !== undefined),
        );
        expect(
          plan(vault, moved, format)
            .captured.map(({ file }) => file)
            .sort(),
        ).toEqual(expected.sort());
      }),
      { numRuns: repeats({ short: 600, long: 20_000 }) },
    );
  });

  it("can be planned from the sources that hold an affected name", () => {
    fc.assert(
      fc.property(scenario, ({ vault, moved, format }) => {
        const moves = new Map(Object.entries(moved));
        const names = affectedNames(moves);
        const before = NameTable.of(Object.keys(vault));
        const all = Object.entries(vault).map(([path, text]) => ({ path, text }));
        const candidates = all.filter(({ path, text }) => {
          const kind = linkedTextOf(path);
          return moves.has(path) || (kind && findLinks(text, kind).some((link) => names.has(nameOfLink(link))));
        });
        const whole = planMove({ before, moves, linkingFiles: all, linkFormat: format });
        expect(planMove({ before, moves, linkingFiles: candidates, linkFormat: format })).toEqual(whole);
      }),
      { numRuns: repeats({ short: 300, long: 10_000 }) },
    );
  });

  it("keep a bare name if only one file has it", () => {
    fc.assert(
      fc.property(scenario, ({ vault, lines, moved, format }) => {
        const result = applied(vault, moved, plan(vault, moved, format));
        for (const [source, old] of lines) {
          targetsIn(source, result[moved[source] ?? source]!, old).forEach((target, i) => {
            const { form, target: was } = old[i]!;
            if (form.rule !== "wiki" || was.includes("/")) return;
            const file = naiveMeaning(Object.keys(result), target, moved[source] ?? source, "wiki");
            const name = file?.split("/").at(-1);
            const namesakes = Object.keys(result).filter((path) =>
              path
                .split("/")
                .at(-1)!
                .startsWith(name ?? "/"),
            );
            if (namesakes.length === 1) expect(target).not.toContain("/");
          });
        }
      }),
      { numRuns: repeats({ short: 300, long: 10_000 }) },
    );
  });
});

const VAULTS = [
  { name: "the sample vault", folder: join(SAMPLES, "vault"), isHere: true },
  ...["thousand-notes", "kepano"].map((name) => ({ name: `${name} ${REAL}`, ...realData("vaults", name) })),
];

describe("whole vaults", () => {
  it.for(VAULTS)("$name keeps every link through a hundred moves", ({ folder, isHere }, { skip }) => {
    if (!isHere) skip();
    const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .filter((path) => !path.split("/").some((segment) => segment.startsWith(".")));
    let vault: Record<string, string> = Object.fromEntries(
      paths.map((path) => [path, linkedTextOf(path) ? readFileSync(join(folder, path), "utf8") : ""]),
    );
    expect(plan(vault, {}).files).toEqual([]);
    const links = meanings(vault);
    expect(links.filter(({ meaning }) => meaning !== undefined).length).toBeGreaterThan(20);

    const where = new Map(paths.map((path) => [path, path]));
    const folders = [...new Set(paths.map((path) => path.split("/").slice(0, -1).join("/"))), "New", "New/Deep"];
    let seed = 7;
    const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
    for (let round = 0; round < 10; round++) {
      const moves: Record<string, string> = {};
      const taken = new Set(Object.keys(vault).map(same));
      for (let i = 0; i < 10; i++) {
        const from = Object.keys(vault)[random(Object.keys(vault).length)]!;
        const fileName = from.split("/").at(-1)!;
        // Half of the names are those of other notes: collisions.
        const other = Object.keys(vault)[random(Object.keys(vault).length)]!.split("/").at(-1)!;
        const to = inFolder(folders[random(folders.length)]!, random(2) ? fileName : other);
        if (linkedTextOf(from) !== linkedTextOf(to) || taken.has(same(to)) || moves[from] !== undefined) continue;
        moves[from] = to;
        taken.add(same(to));
      }
      const made = plan(vault, moves);
      expect(made.inexpressible).toEqual([]);
      vault = applied(vault, moves, made);
      for (const [first, current] of where) where.set(first, moves[current] ?? current);
    }
    const expected = links
      .filter(({ meaning }) => meaning !== undefined)
      .map(({ source, order, meaning }) => ({
        place: `${where.get(source)}|${order}`,
        meaning: where.get(meaning!),
      }));
    const byPlace = new Map(meanings(vault).map((link) => [`${link.source}|${link.order}`, link.meaning]));
    for (const { place, meaning } of expected) expect(byPlace.get(place)).toBe(meaning);
  });
});

interface Meaning {
  readonly source: string;
  readonly order: number;
  readonly meaning: string | undefined;
}

/** Resolves every link of a vault the naive way, looking only at files of the same name. */
function meanings(vault: Vault): Meaning[] {
  const byName = Map.groupBy(Object.keys(vault), (path) => same(path.split("/").at(-1)!).replace(/\.md$/, ""));
  return Object.entries(vault).flatMap(([source, text]) => {
    const kind = linkedTextOf(source);
    if (kind === undefined) return [];
    return findLinks(text, kind).map(({ form, target }, order) => {
      const rule = form === "path" ? "path" : form === "markdown" || form === "definition" ? "markdown" : "wiki";
      const files = byName.get(same(target.split("/").at(-1)!).replace(/\.md$/, "")) ?? [];
      return { source, order, meaning: naiveMeaning(files, target, source, rule) };
    });
  });
}
