// The outline files: Plan.opml is the configured one, the others lie in a folder
// of outlines and are closed at first.
import { zipOf } from "../../../test/fixtures/outline-files.ts";

const PLAN = `<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0">
  <head>
    <title>Plan</title>
  </head>
  <body>
    <outline text="This week">
      <outline text="Finish the slides" _status="unchecked" _note="For the Thursday talk"/>
      <outline text="Pay the electricity bill" _status="checked"/>
      <outline text="Fix the bike" _status="unchecked">
        <outline text="Buy a tube" _status="checked"/>
        <outline text="Borrow a pump" _status="checked"/>
      </outline>
    </outline>
    <outline text="Someday">
      <outline text="Learn to sail"/>
      <outline text="Build a bookshelf" _note="Two metres, birch"/>
    </outline>
    <outline text="Waiting for">
      <outline text="Refund from the airline" _status="unchecked"/>
      <outline text="Reply from the landlord" _status="unchecked"/>
    </outline>
  </body>
</opml>
`;

const PACKING = `<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0">
  <head>
    <title>Packing</title>
  </head>
  <body>
    <outline text="Clothes">
      <outline text="Rain jacket" _status="unchecked"/>
      <outline text="Wool socks" _status="unchecked"/>
    </outline>
    <outline text="Kit">
      <outline text="Head torch" _status="unchecked" _note="Spare batteries in the drawer"/>
      <outline text="Water filter" _status="checked"/>
    </outline>
  </body>
</opml>
`;

const RELEASE = `# Release

- [ ] Ship the release
  - [x] Write the changelog
- [x] Freeze the code
  - [ ] Announce the freeze
- [ ] Update the docs
- Notes for later
  - Ask support about the outage
`;

/** The beginning was cut off, as by a copy that broke. */
const TORN = `tline text="Attic">
      <outline text="Suitcase"/>
      <outline text="Christmas lights"/>
    </outline>
    <outline text="Cellar">
      <outline text="Paint, white"/>
      <outline text="Bicycle trailer"/>
    </outline>
  </body>
</opml>
`;

const row = (id: string, parent: string | undefined, rank: string, topic: string, state?: string, note?: string) => `
    <item id="${id}"${parent === undefined ? "" : ` parent-id="${parent}"`} rank="${rank}">
      ${note === undefined ? "<entry/>" : `<text><p><run><lit>${note}</lit></run></p></text>`}
      <text><p><run><lit>${topic}</lit></run></p></text>
      ${state === undefined ? "<entry/>" : `<checkbox>${state}</checkbox>`}
    </item>`;

const NOVEL = `<?xml version="1.0" encoding="UTF-8"?>
<outline xmlns="http://www.omnigroup.com/namespace/OmniOutliner/v5" type-of-file-on-disk="flat">
  <columns id="pULZH7FeeKD" is-base-schema="yes" outline-column="tttttttttt1" status-column="sssssssssss" note-column="nnnnnnnnnnn">
    <column id="nnnnnnnnnnn" type="text"/>
    <column id="tttttttttt1" type="text"/>
    <column id="sssssssssss" type="checkbox"/>
  </columns>
  <items>
    <item rank="" is-root="yes" schema="pULZH7FeeKD">
      <entry/>
      <entry/>
      <entry/>
    </item>${row("chapterAAA1", undefined, "10", "Chapter one: the lighthouse", "unchecked")}${row("sceneAAAAA1", "chapterAAA1", "10", "Mara finds the letter", "checked")}${row("sceneAAAAA2", "chapterAAA1", "20", "The storm breaks", "unchecked", "Rain against the lamp room")}${row("chapterBBB2", undefined, "20", "Chapter two: the harbour", "unchecked")}${row("sceneBBBBB1", "chapterBBB2", "10", "Customs officer asks questions", "unchecked")}
  </items>
</outline>
`;

export const OUTLINES: Record<string, string | Buffer> = {
  "Plan.opml": PLAN,
  "Packing.opml": PACKING,
  "Release.md": RELEASE,
  "Storage.opml": TORN,
  "Novel.ooutline": zipOf({ "contents.xml": NOVEL }),
};
