// The bytes of a new document without rows. Used by outlines.ts.
import { crc32, deflateRawSync } from "node:zlib";
import { CONTENTS } from "./format-detection.ts";
import { encodeText } from "./xml/text.ts";

export type NewFormat = "ooutline" | "opml" | "markdown";

export function emptyDocument(format: NewFormat, title: string): Buffer {
  switch (format) {
    case "ooutline":
      return zipOf(CONTENTS, Buffer.from(OOUTLINE));
    case "opml":
      return Buffer.from(opml(title));
    case "markdown":
      return Buffer.alloc(0);
  }
}

function opml(title: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0">
  <head>
    <title>${encodeText(title.replace(/\p{Cc}/gu, " "))}</title>
  </head>
  <body>
  </body>
</opml>
`;
}

/** The columns have the same ids as in a new document of OmniOutliner. */
const OOUTLINE = `<?xml version="1.0" encoding="UTF-8"?>
<outline xmlns="http://www.omnigroup.com/namespace/OmniOutliner/v5" type-of-file-on-disk="flat">
  <columns id="pULZH7FeeKD" is-base-schema="yes" outline-column="jFqHUGd_Dg1" status-column="n83L1Mnvt1Z" note-column="dTpN3JwYpBn">
    <column id="n83L1Mnvt1Z" type="checkbox" minimum-width="13" maximum-width="1000000">
      <title>
        <text>
          <p/>
        </text>
      </title>
    </column>
    <column id="dTpN3JwYpBn" type="text" minimum-width="18" maximum-width="18">
      <title>
        <text>
          <p/>
        </text>
      </title>
    </column>
    <column id="jFqHUGd_Dg1" type="text" minimum-width="13" maximum-width="1000000">
      <title>
        <text>
          <p>
            <run>
              <lit>Topic</lit>
            </run>
          </p>
        </text>
      </title>
    </column>
  </columns>
  <items>
    <item rank="" is-root="yes">
      <entry/>
      <entry/>
      <entry/>
    </item>
  </items>
</outline>
`;

/** 1 January 1980, the earliest date in a zip archive. */
const DATE = 0x0021;

/** A zip archive with one member. */
function zipOf(name: string, contents: Buffer): Buffer {
  const packed = deflateRawSync(contents);
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(8, 4);
  common.writeUInt16LE(DATE, 8);
  common.writeUInt32LE(crc32(contents), 10);
  common.writeUInt32LE(packed.length, 14);
  common.writeUInt32LE(contents.length, 18);
  common.writeUInt16LE(name.length, 22);
  const header = Buffer.concat([Buffer.from("PK\x03\x04"), common, Buffer.from(name), packed]);
  const entry = Buffer.concat([Buffer.from("PK\x01\x02\x14\0"), common, Buffer.alloc(14), Buffer.from(name)]);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(header.length, 16);
  return Buffer.concat([header, entry, end]);
}
