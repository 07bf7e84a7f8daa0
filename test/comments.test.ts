// The English of comments and names: a comment begins with a verb or a noun, and
// limits are MAX_… and MIN_….
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const FILES = globSync(["src/**/*.{ts,js}", "web/**/*.{ts,tsx}"], { cwd: ROOT }).map((file) =>
  file.replaceAll("\\", "/"),
);
const textOf = (file: string): string => readFileSync(join(ROOT, file), "utf8");

/** Captures the first line of a comment. */
const COMMENT = /^\s*(?:\/\*\*|\/\/)\s+(\S.*)$/;
const CLAUSE = /^(?:What|Which|Whose|Who|Where|Whether|(?:Of|With|By|In) (?:which|whom))\b|^Of all\b/;
const MAX_SHARE = 0.005;
/** Rewritten later, with what they describe. */
const EXEMPT = new Set(["src/conversations/sources", "web/views"]);

/** src/vault, web/views … and the parts of conversations. */
const folderOf = (file: string): string =>
  /^(?:src\/conversations\/[^/]+|(?:src|web)\/[^/]+)(?=\/)/.exec(file)?.[0] ?? "src";

function commentsIn(text: string): string[] {
  const lines = text.split("\n");
  return lines.flatMap((line, i) => {
    const isContinued = /^\s*\/\//.test(line) && /^\s*\/\//.test(lines[i - 1] ?? "");
    const first = /^\s*\/\*\*$/.test(lines[i - 1] ?? "") ? /^\s*\*\s+(\S.*)$/.exec(line)?.[1] : COMMENT.exec(line)?.[1];
    return first === undefined || isContinued ? [] : [first];
  });
}

it("opens fewer than 5 of 1,000 comments of a folder with a relative clause", () => {
  const folders = Map.groupBy(FILES, folderOf);
  const found = [...folders].flatMap(([folder, files]) => {
    const comments = files.flatMap((file) => commentsIn(textOf(file)));
    const clauses = comments.filter((comment) => CLAUSE.test(comment));
    return clauses.length <= comments.length * MAX_SHARE || EXEMPT.has(folder) ? [] : [folder, ...clauses];
  });
  expect(folders.size).toBeGreaterThan(25);
  expect(found).toEqual([]);
});

it("calls no limit MOST_, LONGEST_, DEEPEST_ or FEWEST_", () => {
  const files = FILES.filter((file) => !EXEMPT.has(folderOf(file)));
  const found = files.flatMap(
    (file) => textOf(file).match(/\b(?:MOST|LONGEST|DEEPEST|FEWEST|LEAST)(?:_[A-Z_]+)?\b/g) ?? [],
  );
  expect(found).toEqual([]);
});

it("avoids words that have to be decoded", () => {
  const found = FILES.flatMap(
    (file) => textOf(file).match(/\b(?:anew|meanwhile|whoever|inside of|at the most|worth to)\b/gi) ?? [],
  );
  expect(found).toEqual([]);
});
