// Adding a row to outlines in the comparison: whether every other byte is kept.
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import type { LineClient } from "../measurement/line-client.ts";
import type { Server } from "./servers.ts";
import { call, inPlace, open } from "./session.ts";

const SAMPLES = join(import.meta.dirname, "..", "..", "test", "samples", "outlines");

const ROW = '<outline text="Milk"/>';
const INSERTED = '<outline text="Bread"/>';

/** Outlines of which programs write such ones: how a row gets in, and every byte that must stay. */
const OPML_FILES: readonly Buffer[] = [
  Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\r\n<!-- kept -->\r\n<opml version="2.0"><head><title>Caf\u00e9</title></head>\r\n<body>\r\n  ${ROW}\r\n  <outline   text='Eggs' _own="1" ></outline>\r\n</body></opml>\r\n`,
  ),
  Buffer.from(
    `<?xml version="1.0" encoding="ISO-8859-1"?>\n<opml version="1.0"><head/><body>\n${ROW}\n<outline text="Caf\u00e9 &amp; th\u00e9"/>\n</body></opml>\n`,
    "latin1",
  ),
];

/** Whether all bytes are still there, in order, around what was added. */
function isInsertion(before: Buffer, after: Buffer): boolean {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  return (
    after.length > before.length && before.subarray(start).equals(after.subarray(start + after.length - before.length))
  );
}

/** In how many OPML files a row can be added with every other byte kept; undefined if there is no tool for it. */
export async function opmlKept(server: Server): Promise<number | undefined> {
  const { insertIntoOpml, outline } = server;
  if (insertIntoOpml === undefined && outline === undefined) return undefined;
  let kept = 0;
  for (const before of OPML_FILES) {
    await inPlace(async (place) => {
      const file = join(place.vault, "list.opml");
      writeFileSync(file, before);
      const client = await open(server, place, outline?.(file));
      if (insertIntoOpml === undefined) await addRow(client, "Milk", "Bread");
      else await call(client, insertIntoOpml(file, ROW, INSERTED));
      await client.close();
      const after = readFileSync(file);
      if (after.includes("Bread") && isInsertion(before, after)) kept++;
    });
  }
  return kept;
}

export const OPML_COUNT = OPML_FILES.length;

/** Adds a row after another one, with our own tools. */
async function addRow(client: LineClient, sibling: string, topic: string): Promise<void> {
  const found = await call(client, ["search_outline", { query: sibling }]);
  const { results } = found.structuredContent as { results: { id: string }[] };
  await call(client, ["add_row", { topic, siblingId: results[0]!.id, relativePosition: "after" }]);
}

/** Whether a row can be added to OmniOutliner's document with every other byte of its contents kept; undefined if there is no tool for it. */
export function omniOutlinerKept(server: Server): Promise<boolean | undefined> {
  return inPlace(async (place) => {
    if (server.outline === undefined) return undefined;
    const file = join(place.vault, "plan.ooutline");
    copyFileSync(join(SAMPLES, "plan.ooutline"), file);
    const before = contentsOf(readFileSync(file));
    const client = await open(server, place, server.outline(file));
    await call(client, ["add_row", { topic: "Bread" }]);
    await client.close();
    const after = contentsOf(readFileSync(file));
    return after.includes("Bread") && isInsertion(before, after);
  });
}

/** The first file of a zip. */
function contentsOf(zip: Buffer): Buffer {
  const end = zip.lastIndexOf("PK\u0005\u0006");
  const entry = zip.readUInt32LE(end + 16);
  const [method, size, at] = [zip.readUInt16LE(entry + 10), zip.readUInt32LE(entry + 20), zip.readUInt32LE(entry + 42)];
  const start = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
  const bytes = zip.subarray(start, start + size);
  return method === 8 ? inflateRawSync(bytes) : bytes;
}
