import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CAMPAIGN, repeats } from "../../test/campaign.ts";
import { gitIn, newFolder } from "../../test/fixtures/repositories.ts";
import { IgnoreRules } from "./ignore-rules.ts";
import { walkProject } from "./listing.ts";

const isIgnored = (rules: string, path: string, isFolder = false) =>
  IgnoreRules.NONE.with("", rules).ignores(path, isFolder);

describe("ignore rules", () => {
  it.each([
    ["*.log", "a.log", true],
    ["*.log", "deep/down/a.log", true],
    ["/a.log", "deep/a.log", false],
    ["a/b", "x/a/b", false],
    ["**/a/b", "x/a/b", true],
    ["a/**/b", "a/b", true],
    ["a/**/b", "a/x/y/b", true],
    ["***/b", "x/y/b", true],
    ["a/**", "a", false],
    ["a/**", "a/x/y", true],
    ["a/*", "a/x/y", true],
    ["build/", "build", false],
    ["\\#a", "#a", true],
    ["\\!a", "!a", true],
    ["#a", "#a", false],
    ["a\\ ", "a ", true],
    ["a  ", "a", true],
    ["[a-c].ts", "b.ts", true],
    ["[!a-c].ts", "b.ts", false],
    ["[[:digit:]]x", "7x", true],
    ["[a", "[a", false],
    ["a\\", "a\\", false],
    ["a\r\nb", "a", true],
    ["\uFEFFa", "a", true],
    ["?.txt", "é.txt", false],
    ["??.txt", "é.txt", true],
    ["*.ts\n!b.ts", "b.ts", false],
  ])("%j say about %j: %s", (rules, path, expected) => {
    expect(isIgnored(rules, path)).toBe(expected);
  });

  it("match folders if they end in a slash", () => {
    expect(isIgnored("build/", "build", true)).toBe(true);
  });

  // Without the bounds each of these takes minutes.
  it("match quickly, for any pattern", () => {
    const deep = `${"a/".repeat(97)}c`;
    const patterns = [
      `${"*a".repeat(200)}b`,
      `x/${"**/a/".repeat(90)}b`,
      ...Array.from({ length: 500 }, (_, i) => `**/*a*/**/*a*/${i}`),
    ].join("\n");
    expect(isIgnored(patterns, "a".repeat(5000))).toBe(false);
    expect(isIgnored(patterns, `x/${"a/".repeat(2000)}c`)).toBe(false);
    expect(isIgnored(patterns, deep)).toBe(false);
  });

  it("are at most 1,000 across all files that apply to a folder", () => {
    const many = (name: string) => Array.from({ length: 700 }, (_, i) => `${name}${i}`).join("\n");
    const rules = IgnoreRules.NONE.with("", many("a")).with("sub/", many("b"));
    expect(["a699", "sub/b299", "sub/b300"].map((path) => rules.ignores(path, false))).toEqual([true, true, false]);
  });

  it.each([
    ["*.log", "sub [1]/deep/a.log", true],
    ["*.log", "a.log", false],
    ["/a", "sub [1]/a", true],
    ["/a", "sub [1]/deep/a", false],
    ["a/b", "sub [1]/a/b", true],
    ["!kept.tmp", "sub [1]/kept.tmp", false],
    ["\\!a", "sub [1]/!a", true],
  ])("of a nested file (%j) decide about %j below its folder: %s", (nested, path, expected) => {
    const rules = IgnoreRules.NONE.with("", "*.tmp").with("sub [1]/", nested);
    expect(rules.ignores(path, false)).toBe(expected);
  });

  it("of a nested file bring back a folder that an outer file ignores", () => {
    const rules = IgnoreRules.NONE.with("", "out/\n*.log").with("sub/", "!out/");
    expect(rules.ignores("sub/out", true)).toBe(false);
    expect(["sub/out/a.ts", "sub/out/a.log"].map((path) => rules.ignores(path, false))).toEqual([false, true]);
  });

  const part = fc.constantFrom("a", "b", "ab", "x.ts", "é", "a b", "-");
  const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
  const piece = fc.constantFrom(
    ..."a b ab x.ts é - * ? ** / [ab] [!a] [a-x] [[:alpha:]] [/b] [] \\ \\a \\* \\\\".split(" "),
    " ",
  );
  const pattern = fc
    .tuple(
      fc.constantFrom("", "", "!", "/"),
      fc.array(piece, { minLength: 1, maxLength: 5 }),
      fc.constantFrom("", "", "/", " "),
    )
    .map(([before, pieces, after]) => before + pieces.join("") + after)
    // The one known difference: in git, stars beside other characters may cross folders after a literal beginning.
    .filter((text) => !/[^/!]\*\*|\*\*[^/]|\/\//.test(text));
  const rules = fc.array(pattern, { maxLength: 4 }).map((lines) => lines.join("\n"));

  const tree = fc.record({ paths: fc.array(path, { minLength: 1, maxLength: 12 }), top: rules, nested: rules });

  // Starting git is what takes the time, so that each start lists several trees.
  const TREES = 25;

  it("and the walk list the same files as git, for any patterns", CAMPAIGN, async () => {
    const folder = newFolder();
    gitIn(folder, ["init", "--quiet"]);
    await fc.assert(
      fc.asyncProperty(fc.array(tree, { minLength: TREES, maxLength: TREES }), async (trees) => {
        const all = join(folder, "trees");
        rmSync(all, { recursive: true, force: true });
        for (const [i, { paths, top, nested }] of trees.entries()) {
          const texts = [...paths.map((name) => [name, ""]), [".gitignore", top], ["a/.gitignore", nested]] as const;
          for (const [name, text] of texts) {
            const file = join(all, `${i}`, name!);
            // A name cannot be a file and a folder.
            try {
              mkdirSync(dirname(file), { recursive: true });
              writeFileSync(file, text!);
            } catch {}
          }
        }
        const git = gitIn(all, ["ls-files", "-o", "--exclude-standard", "-z"]).split("\0").slice(0, -1);
        const walked = await Promise.all(trees.map((_, i) => walkProject(join(all, `${i}`))));
        const listed = walked.flatMap(({ files }, i) => files.map((name) => `${i}/${name}`));
        expect(listed.toSorted()).toEqual(git.toSorted());
      }),
      { numRuns: repeats({ short: 800, long: 8_000 }) / TREES },
    );
  });
});
