// Small outline files for tests, in every format and style, with everything that
// an edit must not change.
import { crc32, deflateRawSync, gzipSync } from "node:zlib";

export interface Fixture {
  readonly name: string;
  readonly bytes: Buffer;
}

/** A zip archive as OmniOutliner writes it. */
export function zipOf(members: Readonly<Record<string, string | Buffer>>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(members)) {
    const contents = Buffer.from(content);
    const packed = deflateRawSync(contents, { level: 9 });
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(0x4abd60d3, 6);
    common.writeUInt32LE(crc32(contents), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(contents.length, 18);
    common.writeUInt16LE(name.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(0x81a40000, 6);
    tail.writeUInt32LE(offset, 10);
    const member = Buffer.concat([Buffer.from("PK\x03\x04"), common, Buffer.from(name), packed]);
    parts.push(member);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x00\x03"), common, tail, Buffer.from(name)]));
    offset += member.length;
  }
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

const PROLOG = `<?xml version="1.0" encoding="UTF-8"?>
<?xml-model href="http://www.omnigroup.com/namespace/OmniOutliner/xmloutline-v5.rng" type="application/xml" schematypens="http://relaxng.org/ns/structure/1.0?>
`;

const v5Text = (...lines: string[]) => `<text>
        ${lines.map((line) => (line === "" ? "<p/>" : `<p>\n          ${line}\n        </p>`)).join("\n        ")}
      </text>`;
const v5Run = (text: string, style = "") => `<run>${style}
            <lit>${text}</lit>
          </run>`;

export const V5 = `${PROLOG}<outline xmlns="http://www.omnigroup.com/namespace/OmniOutliner/v5" type-of-file-on-disk="flat">
  <!-- a comment -->
  <columns id="pULZH7FeeKD" is-base-schema="yes" outline-column="tttttttttt1" status-column="sssssssssss" note-column="nnnnnnnnnnn">
    <column id="nnnnnnnnnnn" type="text"/>
    <column id="ccccccccccc" type="number"><title><text><p/></text></title></column>
    <column id="tttttttttt1" type="text"/>
    <column id="sssssssssss" type="checkbox"/>
  </columns>
  <items>
    <style>
      <inherited-style name="Heading 1" idref="a9BSdDnjgaQ"/>
    </style>
    <item rank="" is-root="yes" schema="pULZH7FeeKD">
      <entry/>
      <entry/>
      <entry/>
      <entry/>
    </item>
    <item id="aaaaaaaaaaa" parent-id="ccccccccccc" rank="0001">
      <style>
        <value key="font-size">20</value>
      </style>
      <entry/>
      <number>3.5</number>
      ${v5Text(v5Run("plain "), v5Run("second &amp; &#60;last&gt;"))}
      <checkbox>checked</checkbox>
    </item>
    <item id="bbbbbbbbbbb" rank="0001" children-are-sections="yes">
      ${v5Text(v5Run("A note"), "", v5Run("of three lines"))}
      <entry/>
      ${v5Text(`${v5Run("See ")}${v5Run('<cell href="https://example.com/?a=1&amp;b=2" name="the site" type="link"/>', '\n            <style><value key="underline">single</value></style>')}${v5Run(' and <cell refid="att1"/>more')}`)}
      <checkbox>unchecked</checkbox>
    </item>
    <item id="ccccccccccc" rank="00ff">
      <entry/>
      <entry/>
      ${v5Text(v5Run("First"))}
      <entry/>
    </item>
    <item id="ddddddddddd" parent-id="ccccccccccc" rank="00013f">
      <entry/>
      <entry/>
      <entry/>
      <checkbox>unchecked</checkbox>
    </item>
    <item id="eeeeeeeeeee" parent-id="ccccccccccc" rank="">
      <entry/>
      <entry/>
      ${v5Text(v5Run("bo"), v5Run("ld", '\n            <style><value key="font-weight">9</value></style>'))}
      <checkbox>unchecked</checkbox>
    </item>
  </items>
  <unknown-to-us><x/></unknown-to-us>
</outline>
`;

const V3_HEAD = `<?xml version="1.0" encoding="utf-8" standalone="no"?>
<!DOCTYPE outline PUBLIC "-//omnigroup.com//DTD OUTLINE 3.0//EN" "http://www.omnigroup.com/namespace/OmniOutliner/xmloutline-v3.dtd">
`;

/** Without white space, as versions 3 and 4 write. */
export const V3 = `${V3_HEAD}<outline xmlns="http://www.omnigroup.com/namespace/OmniOutliner/v3"><editor/><columns><column id="nnnnnnnnnnn" type="text" is-note-column="yes"><title><text><p/></text></title></column><column id="ccccccccccc" type="number"/><column id="ttttttttttt" type="text" is-outline-column="yes"/></columns><root><style><value key="font-weight">9</value></style><item id="aaaaaaaaaaa" expanded="yes" state="indeterminate"><style/><values><number>2</number><text><p><run><lit>Parent </lit></run><run><style><value key="font-italic">yes</value></style><lit>styled &quot;text&quot;</lit></run></p></text></values><note><text><p><run><lit>A note</lit></run></p></text></note><children><item id="bbbbbbbbbbb" state="checked"><values><null/><text><p><run><lit>done</lit></run></p></text></values></item><item id="ccccccccccc"><values><null/><null/></values></item></children></item><item id="ddddddddddd"><values><null/><text><p><run><lit>last</lit></run></p></text></values></item></root></outline>
`;

/** The same with every element on its own line, and Windows line endings. */
export const V3_PRETTY = `${V3_HEAD}<outline xmlns="http://www.omnigroup.com/namespace/OmniOutliner/v3">
\t<columns>
\t\t<column id="ttttttttttt" type="text" is-outline-column="yes"/>
\t\t<column id="nnnnnnnnnnn" type="text" is-note-column="yes"/>
\t</columns>
\t<root>
\t\t<item id="aaaaaaaaaaa">
\t\t\t<values>
\t\t\t\t<text>
\t\t\t\t\t<p>
\t\t\t\t\t\t<run>
\t\t\t\t\t\t\t<lit>one</lit>
\t\t\t\t\t\t</run>
\t\t\t\t\t</p>
\t\t\t\t</text>
\t\t\t</values>
\t\t\t<children>
\t\t\t\t<item id="bbbbbbbbbbb" state="checked">
\t\t\t\t\t<values>
\t\t\t\t\t\t<text>
\t\t\t\t\t\t\t<p>
\t\t\t\t\t\t\t\t<run>
\t\t\t\t\t\t\t\t\t<lit>  two  </lit>
\t\t\t\t\t\t\t\t</run>
\t\t\t\t\t\t\t</p>
\t\t\t\t\t\t</text>
\t\t\t\t\t</values>
\t\t\t\t</item>
\t\t\t</children>
\t\t</item>
\t</root>
</outline>
`.replaceAll("\n", "\r\n");

export const OPML = `<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0">
  <head><!-- <editor scale-mac="1.25"/> -->
    <title>Tom &amp; Jerry</title>
  </head>
  <body>
    <outline text="One" created="yesterday">
      <outline text="A &lt;b&gt; &amp; &#99;" _note="first&#10;second" _status="checked"/>
      <!-- between -->
      <outline text="B" _status="unchecked" xmlUrl='http://example.com/?a="1"'>
        <outline text=""/>
      </outline>
    </outline>
    <outline text='two "quoted"'></outline>
    <outline _note="no text"/>
  </body>
</opml>
`;

export const OPML_ONE_LINE = `<opml version="1.0"><head/><body><outline text="a" _complete="true"><outline text="b"/><outline text="c" _complete="false"/></outline></body></opml>`;

export const MARKDOWN = `---
title: A list
tags: [a]
---
Words before.

- [ ] first
  with a note

  of two paragraphs
  - nested
    \`\`\`
    - no row

    \`\`\`
  - [x] checked
- second
    - deep

Words between.

1. one
2. two
   - bullet below a number

| table | here |
| --- | --- |
`;

export const MARKDOWN_SECTIONS = `\uFEFF# Top

Text of the section.

* a
\t* b
\t\tnote of b
* [X] c

## Sub

* d

# Last
no list here
`.replaceAll("\n", "\r\n");

const EDITORS = `<?xml version="1.0" encoding="UTF-8"?>\n<editors><editor expanded="aaaaaaaaaaa"/></editors>\n`;

export const FIXTURES: readonly Fixture[] = [
  {
    name: "plan.ooutline",
    bytes: zipOf({ "contents.xml": V5, "editors.xml": EDITORS, "previews/p.png": Buffer.from([0, 1, 255, 3]) }),
  },
  { name: "later-member.ooutline", bytes: zipOf({ "editors.xml": EDITORS, "contents.xml": V5 }) },
  { name: "one-line.xml", bytes: Buffer.from(V5.replace(/>\s+</g, "><")) },
  { name: "flat.oo3", bytes: gzipSync(V3) },
  { name: "pretty.oo3", bytes: Buffer.from(V3_PRETTY) },
  { name: "list.opml", bytes: Buffer.from(OPML) },
  { name: "one-line.opml", bytes: Buffer.from(OPML_ONE_LINE) },
  { name: "windows.opml", bytes: Buffer.from(`\uFEFF${OPML.replaceAll("\n", "\r\n")}`) },
  { name: "note.md", bytes: Buffer.from(MARKDOWN) },
  { name: "sections.md", bytes: Buffer.from(MARKDOWN_SECTIONS) },
  { name: "unfinished.md", bytes: Buffer.from("- a\n  - b") },
];
