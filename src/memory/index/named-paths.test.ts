import { describe, expect, it } from "vitest";
import { expectLinearTimeForText } from "../../../test/growth.ts";
import { accessRules } from "../../files/files.ts";
import { isHiddenPath, namesHidden } from "./named-paths.ts";

const { isHidden } = accessRules({
  hide: ["Private/", "/Work/Old plans/", "Notes/My diary.md", "*.secret.md", "Größe/"],
});

/** A path in every spelling. */
const SPELLINGS: Readonly<Record<string, (path: string) => string>> = {
  plain: (path) => path,
  "without its extension": (path) => path.replace(/\.md$/, ""),
  "with backslashes": (path) => path.replaceAll("/", "\\"),
  "with doubled backslashes": (path) => path.replaceAll("/", "\\\\"),
  "with escapes": encodeURIComponent,
  "with escapes of escapes": (path) => encodeURIComponent(encodeURIComponent(path)),
  "with escapes of slashes alone": (path) => path.replaceAll("/", "%2f"),
  "with escapes of letters": (path) => path.replace(/[A-Za-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  "with escapes of JSON": (path) => path.replaceAll("/", "\\u002F"),
  "with plus signs": (path) => path.replaceAll(" ", "+"),
  "as a link": (path) => `[[${path.replace(/\.md$/, "")}]]`,
  "as a link to a heading": (path) => `[[${path}#Heading|shown]]`,
  "as an embed": (path) => `![[${path}]]`,
  "as a Markdown link": (path) => `[shown](${path.replaceAll(" ", "%20")})`,
  "from the root": (path) => `/${path}`,
  "from here": (path) => `./${path}`,
  "with a way back": (path) => `Else/../${path}`,
  "with doubled slashes": (path) => path.replaceAll("/", "//"),
  "in capitals": (path) => path.toUpperCase(),
  decomposed: (path) => path.normalize("NFD"),
  absolute: (path) => `/home/anna/Vault/${path}`,
  "absolute, on Windows": (path) => `C:\\Users\\Anna\\Vault\\${path.replaceAll("/", "\\")}`,
  "as an address": (path) => `obsidian://open?vault=V&file=${encodeURIComponent(path)}`,
};

const HIDDEN = [
  "Private/Diary.md",
  "Private/My own/Long name.md",
  "Work/Old plans/a.md",
  "Notes/My diary.md",
  "x/y.secret.md",
  "Größe/ü.md",
];
const SHOWN = ["Public/Diary.md", "Work/New plans/a.md", "Notes/diary.md", "Privateer/a.md", "Else/Old plans/a.md"];

/** A text around a path. */
const TEXTS: Readonly<Record<string, (path: string) => string>> = {
  error: (path) => `File not found: ${path}`,
  "error in a sentence": (path) => `The folder of ${path} is missing, it seems.`,
  "error of a path": (path) => `Invalid path: ${path}. See the hint.`,
  query: (path) => `path:"${path}" apples`,
  where: (path) => `file.path == "${path}" && x > 1`,
  "broken where": (path) => `file.path == "${path}`,
  "where in other quotes": (path) => `file.path.startsWith('${path}')`,
  reason: (path) => `Reading ${path} to find out`,
  list: (path) => `A.md, ${path}, B.md`,
};

describe("a path in memory", () => {
  it.each(Object.entries(SPELLINGS))("that is hidden is recognised, %s", (_, spell) => {
    expect(HIDDEN.filter((path) => !isHiddenPath(spell(path), isHidden))).toEqual([]);
  });

  it.each(Object.entries(SPELLINGS))("that is shown is not taken for hidden, %s", (_, spell) => {
    const shown = SHOWN.filter((path) => !(path.startsWith("Else/Old") && /Vault|obsidian|^\//.test(spell(path))));
    expect(shown.filter((path) => isHiddenPath(spell(path), isHidden))).toEqual([]);
  });

  it.each(Object.entries(TEXTS))("is recognised in a text: %s", (_, put) => {
    const left = HIDDEN.flatMap((path) =>
      Object.entries(SPELLINGS).flatMap(([name, spell]) =>
        // Without an extension or a slash between words there is no path in a sentence.
        namesHidden(put(spell(path)), isHidden) ? [] : [`${name}: ${put(spell(path))}`],
      ),
    );
    expect(left).toEqual([]);
    expect(SHOWN.filter((path) => namesHidden(put(path), isHidden))).toEqual([]);
  });

  it.each([
    'file.inFolder("Private")',
    "file.inFolder('Private/Sub')",
    'file.inFolder("Private/',
    "Folder not found: Private",
    "inFolder(`Work/Old plans`)",
    "path:Private apples",
    "(Private/…",
  ])("is recognised by its folder: %s", (text) => {
    expect(namesHidden(text, isHidden)).toBe(true);
  });

  it.each([
    "a private thing of my own",
    "Private",
    "old plans for work",
    "and/or 1/2 e.g. this.",
    "",
    "%",
    "%zz %e0%a4%a",
    "..",
    "../../x",
    "C:",
    "\\",
    "a".repeat(10_000),
  ])("is not found in %j", (text) => {
    expect(namesHidden(text, isHidden)).toBe(false);
  });

  it.each(["a/b ", "%2F", "\\", '"', "Private", "a.md, ", "[[", "://"])(
    "is looked for in linear time in a text that repeats %j",
    (piece) => {
      expectLinearTimeForText(piece, (text) => String(namesHidden(text, isHidden)), 400);
    },
  );
});
