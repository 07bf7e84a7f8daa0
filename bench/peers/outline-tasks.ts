// Adding a row to outlines in the comparison: whether every other byte is kept.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, inflateRawSync } from "node:zlib";
import type { LineClient } from "../measurement/line-client.ts";
import type { Server } from "./servers.ts";
import { call, inPlace, open } from "./session.ts";

const SAMPLES = join(import.meta.dirname, "..", "..", "test", "samples", "outlines");

const ROW = '<outline text="Milk"/>';
const INSERTED = '<outline text="Bread"/>';

/** Outlines as programs write them. */
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
  const { insertIntoText, outline } = server;
  if (insertIntoText === undefined && outline === undefined) return undefined;
  let kept = 0;
  for (const before of OPML_FILES) {
    await inPlace(async (place) => {
      const file = join(place.vault, "list.opml");
      writeFileSync(file, before);
      const client = await open(server, place, outline?.(file));
      if (insertIntoText === undefined) await addRow(client, "Milk", "Bread");
      else await call(client, insertIntoText(file, ROW, INSERTED, "after"));
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
  const { results } = found.structuredContent as { results: { row: { id: string } }[] };
  await call(client, ["add_row", { topic, siblingId: results[0]!.row.id, relativePosition: "after" }]);
}

/** OmniOutliner's documents as it writes them: a zip, a compressed file, and a folder. */
const OMNI_DOCUMENTS: readonly { readonly name: string; readonly file: string; read: (bytes: Buffer) => Buffer }[] = [
  { name: "plan.ooutline", file: "plan.ooutline", read: firstOfZip },
  { name: "flat.oo3", file: "flat.oo3", read: (bytes) => gunzipSync(bytes) },
  { name: "package.oo3", file: "package.oo3/contents.xml", read: (bytes) => bytes },
];
const LAST = "</root>";
const OMNI_ROW = '<item id="bread"><values><text><p><run><lit>Bread</lit></run></p></text></values></item>';

/** In how many of OmniOutliner's documents a row can be added with every other byte of the contents kept; undefined if there is no tool for it. */
export async function omniOutlinerKept(server: Server): Promise<number | undefined> {
  const { insertIntoText, outline } = server;
  if (insertIntoText === undefined && outline === undefined) return undefined;
  let kept = 0;
  for (const { name, file, read } of OMNI_DOCUMENTS) {
    await inPlace(async (place) => {
      const path = join(place.vault, file);
      cpSync(join(SAMPLES, name), join(place.vault, name), { recursive: true });
      const before = read(readFileSync(path));
      const client = await open(server, place, outline?.(join(place.vault, name)));
      if (insertIntoText === undefined) await call(client, ["add_row", { topic: "Bread" }]);
      else await call(client, insertIntoText(path, LAST, OMNI_ROW, "before"));
      await client.close();
      const after = read(readFileSync(path));
      if (after.includes("Bread") && isInsertion(before, after)) kept++;
    });
  }
  return kept;
}

export const OMNI_COUNT = OMNI_DOCUMENTS.length;

function firstOfZip(zip: Buffer): Buffer {
  const end = zip.lastIndexOf("PK\u0005\u0006");
  const entry = zip.readUInt32LE(end + 16);
  const [method, size, at] = [zip.readUInt16LE(entry + 10), zip.readUInt32LE(entry + 20), zip.readUInt32LE(entry + 42)];
  const start = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
  const bytes = zip.subarray(start, start + size);
  return method === 8 ? inflateRawSync(bytes) : bytes;
}
