import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CAMPAIGN, repeats } from "../../test/campaign.ts";
import { gitIn, newFolder } from "../../test/repositories.ts";
import { parseIgnoreRules, verdictOf } from "./ignore-rules.ts";
import { walkProject } from "./walk.ts";

const isIgnored = (rules: string, path: string, isFolder = false) =>
  verdictOf(parseIgnoreRules(rules), path, isFolder) === "ignored";

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
    ["a/*", "a/x/y", false],
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

  it("match folders where they end in a slash", () => {
    expect(isIgnored("build/", "build", true)).toBe(true);
  });

  it("are not kept busy by a hostile pattern", () => {
    expect(isIgnored(`${"*a".repeat(200)}b`, "a".repeat(5000))).toBe(false);
    expect(isIgnored(`x/${"**/a/".repeat(100)}b`, `x/${"a/".repeat(2000)}c`)).toBe(false);
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
    .map(([before, pieces, after]) => before + pieces.join("") + after);
  const rules = fc.array(pattern, { maxLength: 4 }).map((lines) => lines.join("\n"));

  it("and the walk list what git lists, whatever the patterns", CAMPAIGN, async () => {
    const folder = newFolder();
    gitIn(folder, ["init", "--quiet"]);
    await fc.assert(
      fc.asyncProperty(fc.array(path, { minLength: 1, maxLength: 12 }), rules, rules, async (paths, top, nested) => {
        rmSync(join(folder, "tree"), { recursive: true, force: true });
        const write = (name: string, text: string) => {
          mkdirSync(dirname(join(folder, "tree", name)), { recursive: true });
          writeFileSync(join(folder, "tree", name), text);
        };
        for (const name of paths) {
          // A name cannot be a file and a folder.
          try {
            write(name, "");
          } catch {}
        }
        write(".gitignore", top);
        try {
          write("a/.gitignore", nested);
        } catch {}
        const git = gitIn(join(folder, "tree"), ["ls-files", "-o", "--exclude-standard", "-z"])
          .split("\0")
          .slice(0, -1);
        const { files } = await walkProject(join(folder, "tree"));
        expect(files.toSorted()).toEqual(git.toSorted());
      }),
      { numRuns: repeats({ short: 150, long: 3_000 }) },
    );
  });
});
