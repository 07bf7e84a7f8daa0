// The outline that is created for a person who has configured none: a short guide
// that shows what a row can have. Used by outlines.ts and the commands `serve` and
// `restore`.
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { createWhole, makeOwnFolder } from "../files/files.ts";

/** Creates it once. A marker file next to it prevents a deleted outline from coming back. */
export function makeEmbeddedOutline(file: string): void {
  const marker = `${file}.made`;
  if (existsSync(marker)) return;
  makeOwnFolder(dirname(file));
  createWhole(file, GUIDE);
  createWhole(marker, "");
}

/** Returns whether an outline is as the program wrote it. */
export function isGuideOutline(text: string): boolean {
  return text === GUIDE;
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
      <outline text="Your own outline" _note="npm start -- --outline ~/Lists/Plan.ooutline">
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
