// Real documents, where they are at hand: read as the application shows them,
// left alone where nothing is asked, and changed only where something is.
import { cpSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { everythingIn, temporaryVault } from "../../test/faults/temporary-vault.ts";
import { contentsOf, membersOf, readRows, type ReadRow } from "../../test/outline-reader.ts";
import { parseVaultPath } from "../files/vault/vault-path.ts";
import { openFileDocument } from "./file-document.ts";
import type { Outline } from "./model.ts";

const SAMPLES = join(import.meta.dirname, "..", "..", "..", "shared", "data", "outlines");
const isHere = existsSync(SAMPLES);
const names = isHere
  ? readdirSync(SAMPLES, { recursive: true, encoding: "utf8" })
      .map((name) => name.replaceAll("\\", "/"))
      .filter((name) => /\.(?:ooutline|oo3|opml)$/.test(name) && !name.startsWith("version2"))
  : [];

function open(name: string) {
  const vault = temporaryVault();
  cpSync(join(SAMPLES, name), join(vault.folder, name), { recursive: true });
  const options = {
    root: vault.root,
    path: parseVaultPath(name),
    journal: vault.journal,
    sidecars: join(vault.home, "ids"),
    log: () => {},
  };
  const isPackage = statSync(join(vault.folder, name)).isDirectory();
  const file = join(vault.folder, name, isPackage ? "contents.xml" : "");
  return { vault, file: file.replace(/\/$/, ""), document: openFileDocument(options) };
}

/** Every row, as lines. */
function linesOf(outline: Outline, line: (row: NonNullable<ReturnType<Outline["row"]>>) => string): string[] {
  const walk = (ids: readonly string[]): string[] =>
    ids.flatMap((id) => [line(outline.row(id)!), ...walk(outline.row(id)!.childIds)]);
  return walk(outline.topIds);
}

const flat = (rows: readonly ReadRow[]): ReadRow[] => rows.flatMap((row) => [row, ...flat(row.children)]);

describe.skipIf(!isHere)("real documents", () => {
  it("are shown as OmniOutliner exports them: order, levels and states", async () => {
    const outline = await open("checked-states.ooutline").document.read();
    const marks = { checked: "[+]", unchecked: "[ ]", mixed: "[-]", none: "" };
    const exported = readFileSync(join(SAMPLES, "checked-states.app-export.txt"), "utf8")
      .split("\n")
      .filter((line) => line.trim() !== "");
    expect(linesOf(outline, ({ level, state, topic }) => `${"\t".repeat(level)}- ${marks[state]} ${topic}`)).toEqual(
      exported,
    );
  });

  it.each(names)("%s is read as a second reader reads it, and opening it writes nothing", async (name) => {
    const { vault, file, document } = open(name);
    const before = everythingIn(vault.folder);
    const outline = await document.read();
    const expected = flat(readRows(readFileSync(file)));
    expect(linesOf(outline, ({ topic, note }) => JSON.stringify([topic, note ?? ""]))).toEqual(
      expected.map(({ topic, note }) => JSON.stringify([topic, note])),
    );
    expect(outline.rowCount).toBe(expected.length);
    await document.change({ tool: "nothing" }, () => ({ edits: [], message: "Nothing" }));
    expect(everythingIn(vault.folder)).toEqual(before);
  });

  it.each(names)("%s changes where an edit says, and nowhere else", async (name) => {
    const { vault, file, document } = open(name);
    const bytes = readFileSync(file);
    const before = contentsOf(bytes).toString();
    const [first] = (await document.read()).topIds;
    const { added, outline } = await document.change({ tool: "add" }, () => ({
      edits: [
        { kind: "add", place: { parentId: first!, index: 0 }, rows: [{ topic: "New & improved", note: "A note" }] },
      ],
      message: "Added",
    }));
    expect(outline.row(added[0]!)).toMatchObject({ topic: "New & improved", note: "A note", parentId: first });
    const after = contentsOf(readFileSync(file)).toString();
    const lost = before.split(/(?<=>)/).filter((part) => !after.includes(part));
    // An element that was closed at once has to be opened for its first row.
    expect(lost.length).toBeLessThanOrEqual(1);
    if (name.endsWith(".ooutline"))
      for (const [member, { packed }] of membersOf(bytes))
        if (member !== "contents.xml") expect(membersOf(readFileSync(file)).get(member)!.packed).toEqual(packed);
    await document.change({ tool: "delete" }, () => ({
      edits: [{ kind: "delete", id: added[0]! }],
      message: "Deleted",
    }));
    expect(contentsOf(readFileSync(file)).toString()).toBe(before);
    await vault.journal.undo();
    await vault.journal.undo();
    expect(readFileSync(file)).toEqual(bytes);
  });

  it("of version 2 are refused, and stay", async () => {
    const { vault, document } = open("version2-plist.ooutline");
    const before = everythingIn(vault.folder);
    await expect(document.read()).rejects.toThrow("OmniOutliner 2");
    await expect(document.change({ tool: "add" }, () => ({ edits: [], message: "" }))).rejects.toThrow(
      "OmniOutliner 2",
    );
    expect(everythingIn(vault.folder)).toEqual(before);
  });

  it("keep their ids over time", async () => {
    const versions = readdirSync(join(SAMPLES, "history")).toSorted();
    const rows = versions.map(
      (name) => new Map(flat(readRows(readFileSync(join(SAMPLES, "history", name)))).map((row) => [row.id, row.topic])),
    );
    const outlines = await Promise.all(versions.map((name) => open(`history/${name}`).document.read()));
    outlines.forEach((outline, index) => {
      for (const [id, topic] of rows[index]!) expect(outline.row(id!)!.topic).toBe(topic);
    });
  });
});
