import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { vaultWith } from "../../../test/fixtures/vaults.ts";
import { readProperties } from "../../markdown/markdown.ts";
import { withPropertiesOf } from "./properties.ts";
import { textOfNewNote } from "./templates.ts";

const clock = { now: () => Date.UTC(2026, 10, 16, 22, 5), timeZone: "Europe/Berlin" };
const FOLDER = { ".obsidian/templates.json": '{"folder": "Templates/"}' };

interface Creation {
  readonly filePath?: string;
  readonly template?: string;
  readonly values?: Readonly<Record<string, unknown>>;
  readonly settings?: object;
}

/** Creates a note with a template of this text. */
async function created(
  text: string,
  content: string,
  { filePath = "Work/Kickoff", template = "T", values, settings }: Creation = {},
) {
  const { vault } = vaultWith(
    { ".obsidian/templates.json": JSON.stringify({ folder: "Templates", ...settings }), "Templates/T.md": text },
    clock,
  );
  return textOfNewNote(vault, filePath, content, { template, values });
}

describe("a template", () => {
  it.each<[string, string, string, Creation?]>([
    ["# {{title}}", "", "# Kickoff"],
    ["# {{title}}\n", "text", "# Kickoff\ntext"],
    ["# {{title}}", "text\n", "# Kickoff\ntext\n"],
    ["{{date}} {{time}}", "", "2026-11-16 23:05"],
    ["{{ DATE }} {{Time}}", "", "2026-11-16 23:05"],
    ["{{date:dddd D. MMMM}} {{time:h A}} {{time:Z}}", "", "Monday 16. November 11 PM +01:00"],
    ["{{date}} {{time}}", "", "16.11.26 11 PM", { settings: { dateFormat: "DD.MM.YY", timeFormat: "h A" } }],
    ["{{date:gggg-[W]ww}}", "", "2026-W47"],
    ["A\n{{content}}\nB\n", "one\ntwo\n", "A\none\ntwo\nB\n"],
    ["A {{content}} B", "x", "A x B"],
    ["{{content}}\n{{content}}\n", "x", "x\nx\n"],
    ["", "text", "text"],
    ["with {{who}} at {{ place }}", "", "with Ann at 5", { values: { who: "Ann", Place: 5 } }],
    ["{{title}}", "", "Other", { values: { title: "Other" } }],
    ["{{who}}", "", "{{date}}", { values: { who: "{{date}}" } }],
    ["{{content}}", "{{title}}", "{{title}}"],
    ["{{date}}", "", "2026-12-24", { filePath: "daily:2026-12-24" }],
    ["{{yesterday}}", "", "{{yesterday}}"],
    ["{{constructor}} {{toString}}", "", "{{constructor}} {{toString}}"],
    ["a\r\n{{content}}\r\n", "x\ny", "a\r\nx\r\ny\r\n"],
    ["\uFEFF# {{title}}", "", "# Kickoff"],
  ])("%j with %j becomes %j", async (text, content, whole, creation) => {
    expect((await created(text, content, creation)).text).toBe(whole);
  });

  it("names what no value was given for", async () => {
    const { text, unfilled } = await created("{{who}}, {{where}}, {{who}}, {{title}}", "", { values: { where: "" } });
    expect({ text, unfilled }).toEqual({ text: "{{who}}, , {{who}}, Kickoff", unfilled: ["who"] });
  });

  it("with a value that is no text is refused", async () => {
    await expect(created("{{who}}", "", { values: { who: ["a"] } })).rejects.toThrow("values.who must be text.");
  });

  it.each(["<% tp.date.now() %>", "# x\n<%* await\nx() -%>\n", "```\n<%+ x %>\n```"])(
    "with commands of Templater is refused: %j",
    async (text) => {
      await expect(created(text, "")).rejects.toThrow(
        "Templates/T.md has commands of Templater (<% … %>), which are never run here: nothing was created.",
      );
    },
  );

  it("takes a content that has such commands: it is only text", async () => {
    expect((await created("# {{title}}\n", "<% x %>")).text).toBe("# Kickoff\n<% x %>");
  });

  it("whose properties a value breaks is refused with what to do", async () => {
    await expect(created("---\nname: x {{who}}\n---\n", "", { values: { who: "a: b: c" } })).rejects.toThrow(
      expect.objectContaining({ hint: 'Quote variables in the properties of the template: title: "{{title}}".' }),
    );
  });
});

describe("the properties of a template and of the content", () => {
  it.each([
    [
      "are added at the end, and those of the template keep their form",
      "---\n# about\ntopic:   # what\ntags: [a,  'b'] # c\n---\n# T\n",
      "---\ntopic: tea\nrating: 4\n---\nbody\n",
      "---\n# about\ntopic: tea   # what\ntags: [a,  'b'] # c\nrating: 4\n---\n# T\nbody\n",
    ],
    [
      "are united if they are lists, without a value twice",
      "---\ntags:\n  - daily # every day\n---\n",
      "---\ntags: [work, daily]\n---\nx",
      "---\ntags:\n  - daily # every day\n  - work\n---\nx",
    ],
    [
      "are lists of tags even where they are written as text",
      "---\ntags: a, b\n---\n",
      "---\ntags: c\n---\n",
      "---\ntags:\n  - a\n  - b\n  - c\n---\n",
    ],
    [
      "are united if the template has a list and the content one value",
      '---\nup: ["[[A]]"]\n---\n',
      '---\nup: "[[B]]"\n---\n',
      '---\nup: ["[[A]]", "[[B]]"]\n---\n',
    ],
    [
      "are those of the content if both have one",
      "---\nstatus: open\n---\n",
      "---\nstatus: done\n---\n",
      "---\nstatus: done\n---\n",
    ],
    [
      "are those of the template if the content's are empty",
      "---\nstatus: open\n---\n",
      "---\nstatus:\n---\n",
      "---\nstatus: open\n---\n",
    ],
    [
      "are those of the content, as they are, if the template has none",
      "# T\n",
      "---\na:   1 # c\n---\nbody\n",
      "---\na:   1 # c\n---\n# T\nbody\n",
    ],
    [
      "stay below the properties with {{content}}",
      "---\na: 1\n---\n## X\n{{content}}\n## Y\n",
      "---\nb: 2\n---\nbody\n",
      "---\na: 1\nb: 2\n---\n## X\nbody\n## Y\n",
    ],
  ])("%s", async (_, template, content, whole) => {
    expect((await created(template, content)).text).toBe(whole);
  });

  it("are refused if the content's are not valid, and nothing is made", async () => {
    await expect(created("---\na: 1\n---\n", "---\nb: [\n---\n")).rejects.toThrow(
      "It is that of content: nothing was created.",
    );
  });

  it("read back as those of both, whatever they are", () => {
    const name = fc.constantFrom("a", "b", "tags", "up");
    const value = fc.oneof(
      fc.integer(),
      fc.string({ unit: "grapheme-ascii", maxLength: 8 }),
      fc.array(fc.constantFrom("x", "y", "z")),
    );
    const properties = fc.dictionary(name, value, { minKeys: 1 });
    const yaml = (record: object) => `---\n${JSON.stringify(record)}\n---\n`;
    fc.assert(
      fc.property(properties, properties, (own, sent) => {
        const { properties: both, broken } = readProperties(withPropertiesOf(yaml(sent), yaml(own)));
        expect(broken).toBeUndefined();
        expect(Object.keys(both).toSorted()).toEqual(
          [...new Set([...Object.keys(own), ...Object.keys(sent)])].toSorted(),
        );
        for (const [key, sentValue] of Object.entries(sent)) {
          const ownValue = own[key];
          const isList = Array.isArray(ownValue) || (key === "tags" && ownValue !== undefined);
          if (!isList) expect(both[key]).toEqual(sentValue);
          else if (Array.isArray(sentValue)) expect(both[key]).toEqual(expect.arrayContaining(sentValue));
        }
      }),
    );
  });
});

describe("the template's file", () => {
  const files = {
    ...FOLDER,
    "Templates/Meeting.md": "meeting",
    "Templates/Work/Review.md": "review",
    "Other/Meeting.md": "other",
    "Recipe.md": "recipe",
  };
  const { vault } = vaultWith(files, clock);
  const textOf = async (template: string) => (await textOfNewNote(vault, "N", "", { template })).text;

  it.each([
    ["Meeting", "meeting"],
    ["Meeting.md", "meeting"],
    ["/Meeting", "meeting"],
    ["Work/Review", "review"],
    ["Templates/Meeting", "meeting"],
    ["Other/Meeting", "other"],
    ["Recipe", "recipe"],
  ])("%s is found: in the folder of templates first, then in the vault", async (template, text) => {
    expect(await textOf(template)).toBe(text);
  });

  it("that is missing is refused with the names of those that are there", async () => {
    await expect(textOf("Meetin")).rejects.toThrow(
      expect.objectContaining({ message: "Template not found: Meetin", hint: "There is Meeting, Work/Review." }),
    );
  });

  it("that is missing is refused with the nearest names first, and without files that are no notes", async () => {
    const others = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`Templates/A${i}.base`, ""]));
    const notes = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`Templates/Book ${i} sheet.md`, ""]));
    const { vault: many } = vaultWith({
      ".obsidian/templates.json": '{"folder":"Templates"}',
      ...others,
      ...notes,
      "Templates/Meeting Template.md": "",
    });
    const hint = expect.stringMatching(/^There is Meeting Template, Book \d+ sheet, .* and others\.$/);
    const find = () => textOfNewNote(many, "N", "", { template: "Meating" });
    await expect(find()).rejects.toThrow(expect.objectContaining({ message: "Template not found: Meating", hint }));
    await expect(find()).rejects.not.toThrow(expect.objectContaining({ hint: expect.stringContaining(".base") }));
  });

  it.each([
    ["../x", "Path cannot contain '..'"],
    [".obsidian/templates.json", "Cannot access system folder"],
    ["a\\b", "Invalid path: "],
  ])("at %s is refused like any path", async (template, sentence) => {
    await expect(textOf(template)).rejects.toThrow(sentence);
  });

  it.each([
    ["../../etc", "Path cannot contain '..'"],
    [".git", "Cannot access system folder"],
  ])("in a folder of the settings like %s is refused, and the settings are named", async (folder, sentence) => {
    const { vault: hostile } = vaultWith({ ".obsidian/templates.json": JSON.stringify({ folder }), "T.md": "x" });
    await expect(textOfNewNote(hostile, "N", "", { template: "T" })).rejects.toThrow(
      expect.objectContaining({ message: sentence, hint: "The path is from .obsidian/templates.json." }),
    );
  });
});

const REAL = join(import.meta.dirname, "../../../../shared/data/vaults");

describe.skipIf(!existsSync(REAL))("the templates of real vaults (real data)", () => {
  const vaults = readdirSync(REAL).filter((name) => existsSync(join(REAL, name, "Templates")));
  it.each(vaults)("in %s are filled, with every property that they have", async (name) => {
    const folder = join(REAL, name, "Templates");
    const names = readdirSync(folder).filter((file) => file.endsWith(".md"));
    const texts = names.map((file) => [file, readFileSync(join(folder, file), "utf8")] as const);
    const { vault } = vaultWith({
      ...FOLDER,
      ...Object.fromEntries(texts.map(([file, text]) => [`Templates/${file}`, text])),
    });
    expect(names.length).toBeGreaterThan(0);
    for (const [file, source] of texts) {
      const { text } = await textOfNewNote(vault, "New note", "---\nadded: 1\n---\nThe content\n", { template: file });
      expect(text).toContain("The content\n");
      expect(text).not.toMatch(/\{\{(?:date|time|title)/);
      const before = Object.keys(readProperties(source).properties);
      expect(Object.keys(readProperties(text).properties)).toEqual(expect.arrayContaining([...before, "added"]));
    }
  });
});
