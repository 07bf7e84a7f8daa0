// No regular expression takes a time that grows with the square of a text, or worse, because it is tried from each
// character of a long run: a word of a megabyte would stop the server for minutes. A run is matched from its beginning
// instead, by a look-behind such as in /(?<!\s)\s+$/. Those built at run time are not seen here.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "acorn";
import { transformSync } from "esbuild";
import { analyse } from "scslre";
import { describe, expect, it } from "vitest";

const SOURCES = join(import.meta.dirname, "..", "src");

/** By file: why its slow ones never see a long text, or never fail to match one. */
const BOUNDED: Readonly<Record<string, string>> = {
  "commands/backup/tar.ts": "the header of one file in our own archive",
  "conversations/ingest/projects/project-identity.ts": "the path or address of a repository",
  "conversations/sources/kit/bounded-json.ts": "the last characters of a text that was cut",
  "conversations/store/title-lines.ts": "a fence that is not closed is matched to the end",
  "conversations/store/titles.ts": "a title",
  "files/disk/open-file.ts": "a number",
  "files/vault/access-rules.ts": "a pattern of the person's settings",
  "outline/formats/rich-text.ts": "one tag, or text whose references were checked",
  "outline/formats/xml/text.ts": "text whose references were checked",
  "project/manifests.ts": "the beginning of a project's manifest",
  "project/ignore-rules.ts": "a line of a project's ignore file",
  "redaction/finders/tables.ts": "a row of a table, which is matched with limits before",
  "settings/server.ts": "an address of the person's settings",
  "settings/values.ts": "an address of the person's settings",
  "setup/hosts/shell-words.ts": "a word of a command line",
  "setup/schedule/windows-task.ts": "a word of a command line",
  "vault/meaning/embedding-endpoint.ts": "an address of the person's settings",
  "vault/meaning/word-meanings.ts": "a passage",
  "vault/media/html-uses.ts": "matches whatever follows",
  "vault/query/query.ts": "matches whatever follows",
};

interface Expression {
  readonly source: string;
  readonly flags: string;
}

function expressionsIn(file: string): Expression[] {
  const { code } = transformSync(readFileSync(join(SOURCES, file), "utf8"), { loader: "ts", target: "esnext" });
  const found: Expression[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { regex } = node as { readonly regex?: { readonly pattern: string; readonly flags: string } };
    if (regex !== undefined) found.push({ source: regex.pattern, flags: regex.flags });
    for (const part of Object.values(node)) visit(part);
  };
  visit(parse(code, { ecmaVersion: "latest", sourceType: "module" }));
  return found;
}

function isSlow({ source, flags }: Expression): boolean {
  const { reports } = analyse({ source, flags }, { reportTypes: { Move: true, Self: true, Trade: true } });
  return reports.some((report) => report.type === "Move" || report.exponential);
}

describe("the regular expressions of the sources", () => {
  it("are tried from each character of a long run nowhere but where texts are short", () => {
    const files = globSync("**/*.ts", { cwd: SOURCES }).filter((file) => !file.endsWith(".test.ts"));
    const all = files.flatMap((file) =>
      expressionsIn(file).map((one) => ({ ...one, file: file.replaceAll("\\", "/") })),
    );
    expect(all.length).toBeGreaterThan(1000);
    const slow = all.filter(isSlow);
    expect(slow.filter(({ file }) => !(file in BOUNDED)).map(({ file, source }) => `${file}: ${source}`)).toEqual([]);
    expect(Object.keys(BOUNDED)).toEqual(Object.keys(BOUNDED).filter((file) => slow.some((one) => one.file === file)));
  }, 60_000);

  it.each([String.raw`\S+:\S+`, String.raw`\/+$`, String.raw`(?:\s*,\s*|\s+and\s+)+`])(
    "would not include /%s/",
    (source) => {
      expect(isSlow({ source, flags: "" })).toBe(true);
    },
  );
});
