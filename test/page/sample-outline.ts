// A short outline for the tests of the page and its picture, and a very long one.

export const SAMPLE_OUTLINE = `<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0">
  <head><title>Projects</title></head>
  <body>
    <outline text="Garden">
      <outline text="Order seeds" _status="checked" _note="Runner beans, sweet peas, two kinds of lettuce."/>
      <outline text="Mend the cold frame" _status="unchecked">
        <outline text="Buy glass" _status="unchecked"/>
        <outline text="Putty" _status="checked"/>
      </outline>
    </outline>
    <outline text="Reading">
      <outline text="How buildings learn" _status="unchecked"/>
      <outline text="The living mountain" _status="checked"/>
    </outline>
  </body>
</opml>
`;

/** @returns an outline with 100 rows per section */
export function longOutline(sectionCount: number): string {
  const sections = Array.from({ length: sectionCount }, (_, i) => {
    const rows = Array.from({ length: 99 }, (__, k) => `<outline text="Row ${i}.${k}" _status="unchecked"/>`);
    return `<outline text="Section ${i}">${rows.join("")}</outline>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<opml version="2.0"><head><title>Long</title></head><body>${sections.join("\n")}</body></opml>\n`;
}
