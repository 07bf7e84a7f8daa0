// docs/internals/bases.md: every row is evaluated, every function has a row, and every
// function that Obsidian documents is there.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { evaluate, scopeOf, worldOf } from "../../../test/fixtures/bases-world.ts";
import { ANY, compileExpression, DATE_FIELD_NAMES, FILE_FIELD_NAMES, GLOBALS, METHODS, UNSUPPORTED } from "./bases.ts";

const PAGE = readFileSync(new URL("../../../docs/internals/bases.md", import.meta.url), "utf8");

const FRONTMATTER = /```yaml\n([^`]+)```/.exec(PAGE)![1]!;
const WORLD = worldOf({
  "Books/Dune.md": `---\n${FRONTMATTER}---\nRead it again. #novel ![[cover.png]]`,
  "People/Frank Herbert.md": "---\nborn: 1920-10-08\n---\nHe wrote [[Dune]].",
  "cover.png": "",
});

interface Row {
  readonly name: string;
  readonly example: string;
  readonly result: string;
}

const unquoted = (cell: string) => cell.trim().replace(/^`|`$/g, "").replaceAll("\\|", "|");

const ROWS: readonly Row[] = [...PAGE.matchAll(/^\| (.+?) \| (.+) \| (.+) \|$/gm)]
  .map(([, name, example, result]) => ({
    name: unquoted(name!),
    example: unquoted(example!),
    result: unquoted(result!),
  }))
  .filter(({ example }) => example !== "example" && example !== "---");

/** Of Obsidian's page "Functions" and the table of file properties, in August 2026. */
const DOCUMENTED = `
  escapeHTML date duration file html if image icon link list max min now number today random
  any.isTruthy any.isType any.toString
  date.year date.month date.day date.hour date.minute date.second date.millisecond
  date.date date.format date.time date.relative date.isEmpty
  string.length string.contains string.containsAll string.containsAny string.endsWith string.isEmpty string.lower
  string.replace string.repeat string.reverse string.slice string.split string.startsWith string.title string.trim
  number.abs number.ceil number.floor number.isEmpty number.round number.toFixed
  list.length list.contains list.containsAll list.containsAny list.filter list.flat list.isEmpty list.join list.map
  list.reduce list.reverse list.slice list.sort list.unique
  link.asFile link.linksTo
  file.name file.basename file.path file.folder file.ext file.size file.properties file.tags file.links file.embeds
  file.backlinks file.file file.ctime file.mtime
  file.asLink file.hasLink file.hasProperty file.hasTag file.inFolder
  object.isEmpty object.keys object.values
  regexp.matches`
  .trim()
  .split(/\s+/);

const NAMES = new Set(ROWS.map(({ name }) => name));

describe("docs/internals/bases.md", () => {
  it.each(ROWS.filter(({ example }) => example !== "not supported"))(
    "is right about $name: $example",
    ({ example, result }) => {
      const scope = scopeOf(WORLD, "Books/Dune.md", { shownIn: WORLD.file("People/Frank Herbert.md")! });
      expect(evaluate(example, scope)).toEqual(JSON.parse(result));
    },
  );

  it.each(ROWS.filter(({ example }) => example === "not supported"))(
    "says of $name what an expression with it is refused with",
    ({ name, result }) => {
      expect(() => compileExpression(`${name}()`)).toThrow(result);
    },
  );

  it("has a row for every function that Obsidian documents", () => {
    expect(DOCUMENTED.filter((name) => !NAMES.has(name))).toEqual([]);
  });

  it("has a row for every function that there is", () => {
    const methods = Object.entries({ ...METHODS, any: ANY }).flatMap(([type, table]) =>
      Object.keys(table).map((name) => `${type}.${name}`),
    );
    const fields = [
      ...DATE_FIELD_NAMES.map((name) => `date.${name}`),
      ...FILE_FIELD_NAMES.map((name) => `file.${name}`),
      "string.length",
      "list.length",
    ];
    const all = [...Object.keys(GLOBALS), ...Object.keys(UNSUPPORTED), ...methods, ...fields];
    expect(all.filter((name) => !NAMES.has(name))).toEqual([]);
    const isForAny = (name: string) => /^\w+\.isEmpty$/.test(name);
    const functions = [...NAMES].filter((name) => /^(?:[a-z]+\.)?[a-z]+$/i.test(name) && name !== "or");
    expect(functions.filter((name) => !all.includes(name) && !isForAny(name))).toEqual([]);
  });
});
