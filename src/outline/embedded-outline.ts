// The embedded outline: what a person finds who starts without one of their
// own. Short, and an example of what a row can have.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { discard, publish, temporaryName, writeTemporary } from "../files/atomic.ts";

/** Makes it where it never was. One that was removed stays so: a mark beside it tells. */
export async function makeEmbeddedOutline(file: string): Promise<void> {
  const mark = `${file}.made`;
  if (existsSync(mark)) return;
  mkdirSync(dirname(file), { recursive: true });
  if (!existsSync(file)) await publishGuide(file);
  writeFileSync(mark, "");
}

/** Whole from the start, and once: other processes may be here too. */
async function publishGuide(file: string): Promise<void> {
  const temporary = join(dirname(file), temporaryName());
  await writeTemporary(temporary, Buffer.from(GUIDE), { path: file });
  try {
    await publish(temporary, file);
  } catch (error) {
    discard(temporary);
    if (!existsSync(file)) throw error;
  }
}

const GUIDE = `<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0">
  <head>
    <title>Welcome</title>
  </head>
  <body>
    <outline text="Welcome" _note="This is an outline in OPML, a format that OmniOutliner and many other programs read. An assistant that is connected to Commonplace can read and change it row by row.">
      <outline text="Ask your assistant">
        <outline text="&quot;Add 'Call the plumber' to my outline.&quot;" _status="unchecked"/>
        <outline text="&quot;Move it to the top, and check it.&quot;" _status="unchecked"/>
        <outline text="&quot;Undo that.&quot;" _status="unchecked"/>
        <outline text="&quot;Plan the week as an outline, from these notes.&quot;" _status="unchecked"/>
      </outline>
      <outline text="Your own outline" _note="commonplace --outline ~/Lists/Plan.ooutline">
        <outline text="OmniOutliner documents (.ooutline, .oo3), OPML, and notes with Markdown lists"/>
        <outline text="Others are opened on demand: those of the vault, and of folders that you name with --outline-folders"/>
      </outline>
      <outline text="Nothing is lost">
        <outline text="Only what was asked for changes; styles, columns and attachments stay as they are"/>
        <outline text="Every change is in the file before the answer, and can be undone, after a restart too"/>
      </outline>
    </outline>
  </body>
</opml>
`;
