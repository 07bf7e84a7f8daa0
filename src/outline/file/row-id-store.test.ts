// Ids that are kept beside a file are taken only if they are whole.
import { describe, expect, it } from "vitest";
import { parseOutline } from "../formats/format-detection.ts";
import { openRowIdStore } from "./row-id-store.ts";

const BEFORE = parseOutline(Buffer.from("- one\n- two\n  - three\n"));
const AFTER = parseOutline(Buffer.from("- zero\n- one\n- two\n  - three\n"));

/** A store whose files are in memory. */
function store() {
  const files = new Map<string, Buffer>();
  const ids = openRowIdStore(
    {
      list: async () => [...files].toReversed().map(([name, { length }]) => ({ name, size: length })),
      read: async (_, name) => files.get(name),
      write: async (_, name, bytes) => void files.set(name, Buffer.from(bytes)),
      touch: async () => {},
      remove: async (_, names) => names.forEach((name) => files.delete(name)),
    },
    "subject",
    () => {},
  );
  return { files, ids };
}

describe("the ids of rows that are kept", () => {
  it("stay when another program has added a row", async () => {
    const { ids } = store();
    const kept = await ids.idsOf("1", BEFORE);
    expect((await ids.idsOf("2", AFTER)).slice(1)).toEqual(kept);
  });

  it.each<[what: string, damage: (bytes: Buffer) => Buffer]>([
    ["the mark at its beginning", (bytes) => Buffer.concat([Buffer.from("rowids9\n"), bytes.subarray(8)])],
    ["the number of rows", (bytes) => (bytes.writeUInt32LE(2, 8), bytes)],
    ["an id", (bytes) => (bytes.write("zzz", 20, "latin1"), bytes)],
    ["its end", (bytes) => bytes.subarray(0, -1)],
    ["all but its beginning", (bytes) => bytes.subarray(0, 8)],
  ])("are those of the positions if %s is damaged", async (_, damage) => {
    const { files, ids } = store();
    const own = Array.from({ length: BEFORE.count }, (__, row) => `own-id-${row}abc`);
    await ids.keep("1", BEFORE, own);
    expect(await ids.idsOf("1", BEFORE)).toEqual(own);
    files.set("1.ids", damage(files.get("1.ids")!));
    expect(await ids.idsOf("1", BEFORE)).toEqual(await store().ids.idsOf("1", BEFORE));
  });
});
