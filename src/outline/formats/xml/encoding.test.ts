import { describe, expect, it } from "vitest";
import { openContainer, parseOutline } from "../format-detection.ts";

const opml = (encoding: string, topic: string) =>
  `<?xml version="1.0" encoding="${encoding}"?>\n<opml version="2.0"><head/><body><outline text="${topic}"/><outline text="Other"/></body></opml>\n`;

const utf16 = (text: string, isBig: boolean) => {
  const little = Buffer.from(`\ufeff${text}`, "utf16le");
  return isBig ? little.swap16() : little;
};

const FILES = {
  "UTF-8": Buffer.from(opml("UTF-8", "Grüße – 日本")),
  "US-ASCII": Buffer.from(opml("US-ASCII", "Gruesse &#x2013; &#26085;")),
  "ISO-8859-1": Buffer.from(opml("ISO-8859-1", "Grüße, señor"), "latin1"),
  "Windows-1252": Buffer.from(opml("windows-1252", "Gr\u00fc\u00dfe \u0096 \u0080"), "latin1"),
  "UTF-16 little": utf16(opml("UTF-16", "Grüße – 日本"), false),
  "UTF-16 big": utf16(opml("utf-16", "Grüße – 日本"), true),
};

const TOPICS = {
  "UTF-8": "Grüße – 日本",
  "US-ASCII": "Gruesse – 日",
  "ISO-8859-1": "Grüße, señor",
  "Windows-1252": "Grüße – €",
  "UTF-16 little": "Grüße – 日本",
  "UTF-16 big": "Grüße – 日本",
};

describe.each(Object.keys(FILES) as (keyof typeof FILES)[])("an outline in %s", (encoding) => {
  const bytes = FILES[encoding];

  it("is read, and written back unchanged", async () => {
    const container = openContainer(bytes);
    const xml = parseOutline(container.contents());
    expect(xml.topic(0)).toBe(TOPICS[encoding]);
    expect((await container.replaced(container.contents())).equals(bytes)).toBe(true);
  });

  it("can store any text", async () => {
    const added = "Smörgås – ünï → 日本 😀 €";
    const container = openContainer(bytes);
    const changed = container.contents().toString("utf8").replace('"Other"', `"${added}"`);
    const written = await container.replaced(Buffer.from(changed));
    const again = parseOutline(openContainer(written).contents());
    expect([again.topic(0), again.topic(1)]).toEqual([TOPICS[encoding], added]);
    const unchanged =
      bytes.length - Buffer.from('"Other"/></body></opml>\n').length * (encoding.startsWith("UTF-16") ? 2 : 1);
    expect(written.subarray(0, unchanged).equals(bytes.subarray(0, unchanged))).toBe(true);
  });
});

describe("an XML file", () => {
  it.each([
    ["in an unknown encoding", Buffer.from(opml("Shift_JIS", "x")), "encoding Shift_JIS"],
    [
      "that declares ASCII but is not ASCII",
      Buffer.from(opml("us-ascii", "é"), "latin1"),
      "encoding us-ascii, which it is not in",
    ],
    [
      "that declares Latin-1 but is UTF-16",
      utf16(opml("ISO-8859-1", "x"), false),
      "encoding ISO-8859-1, which it is not in",
    ],
    [
      "that ends in the middle of a character",
      utf16(opml("UTF-16", "x"), false).subarray(0, -1),
      "encoding UTF-16, which it is not in",
    ],
    ["that breaks off in its declaration", Buffer.from('<?xml version="1.0" enc'), "breaks off"],
    ["that breaks off after its declaration", Buffer.from('<?xml version="1.0"?>\n'), "breaks off"],
    ["that breaks off in its first tag", Buffer.from('<opml version="2.0"'), "damaged"],
    ["that breaks off in a comment", Buffer.from("<?xml version='1.0'?><!-- half"), "breaks off"],
  ])("%s is refused, and not read as another format", (_, bytes, reason) => {
    expect(() => parseOutline(openContainer(bytes).contents())).toThrow(reason);
  });

  it("is not confused with Markdown that begins with HTML", () => {
    expect(parseOutline(Buffer.from("<div>\n\n- One\n- Two\n")).count).toBe(2);
  });
});

it.each([
  "ascii",
  "US-ASCII",
  "ISO-8859-1",
  "iso_8859-1",
  "latin1",
  "Latin-1",
  "windows-1252",
  "CP1252",
  "utf8",
  "UTF-8",
])("%s is the name of an encoding, and no part of another name", (name) => {
  const read = (declared: string) => parseOutline(openContainer(Buffer.from(opml(declared, "x"))).contents()).topic(0);
  expect(read(name)).toBe("x");
  for (const other of [`${name}5`, `x-${name}`]) expect(() => read(other)).toThrow(`encoding ${other}`);
});
