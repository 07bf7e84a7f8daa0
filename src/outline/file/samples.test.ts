// Whole documents, and real ones where they are available: read as the application
// shows them, not changed by reading, and changed only where an edit says.
import { cpSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { everythingIn, temporaryVault } from "../../../test/fixtures/temporary-vault.ts";
import { contentsOf, membersOf, readRows, type ReadRow } from "../../../test/references/outline-reader.ts";
import { OLD_OUTLINES, OUTLINES, REAL, realData } from "../../../test/samples.ts";
import { parseVaultPath } from "../../files/vault/vault-path.ts";
import { openFileDocument } from "./file-document.ts";
import type { Outline } from "../model.ts";

const real = realData("outlines");

function open(name: string, folder = real.folder) {
  const vault = temporaryVault();
  cpSync(join(folder, name), join(vault.folder, name), { recursive: true });
  const options = {
    root: vault.files,
    path: parseVaultPath(name),
    journal: vault.journal,
    idFolder: join(vault.home, "ids"),
    log: () => {},
  };
  const isPackage = statSync(join(vault.folder, name)).isDirectory();
  const file = join(vault.folder, name, isPackage ? "contents.xml" : "");
  return { vault, file: file.replace(/\/$/, ""), document: openFileDocument(options) };
}

/** Every row as a line. */
function linesOf(outline: Outline, line: (row: NonNullable<ReturnType<Outline["row"]>>) => string): string[] {
  const walk = (ids: readonly string[]): string[] =>
    ids.flatMap((id) => [line(outline.row(id)!), ...walk(outline.row(id)!.childIds)]);
  return walk(outline.topIds);
}

const flat = (rows: readonly ReadRow[]): ReadRow[] => rows.flatMap((row) => [row, ...flat(row.children)]);

describe("whole documents", () => {
  it.each(OUTLINES)(
    "$of is read as a second reader reads it, and opening it writes nothing",
    async ({ name, folder }) => {
      const { vault, file, document } = open(name, folder);
      const before = everythingIn(vault.folder);
      const outline = await document.read();
      const expected = flat(readRows(readFileSync(file)));
      expect(linesOf(outline, ({ topic, note }) => JSON.stringify([topic, note ?? ""]))).toEqual(
        expected.map(({ topic, note }) => JSON.stringify([topic, note])),
      );
      expect(outline.rowCount).toBe(expected.length);
      await document.change({ tool: "nothing" }, () => ({ edits: [], message: "Nothing" }));
      expect(everythingIn(vault.folder)).toEqual(before);
    },
  );

  it.each(OUTLINES)("$of changes where an edit says, and nowhere else", async ({ name, folder }) => {
    const { vault, file, document } = open(name, folder);
    const bytes = readFileSync(file);
    const before = contentsOf(bytes).toString();
    const [first] = (await document.read()).topIds;
    const { added, outline } = await document.change({ tool: "add" }, () => ({
      edits: [
        { kind: "add", position: { parentId: first!, index: 0 }, rows: [{ topic: "New & improved", note: "A note" }] },
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

  it.for(OLD_OUTLINES)("of version 2 are refused, and stay: $of", async ({ path, isHere }, { skip }) => {
    if (!isHere) skip();
    const { vault, document } = open(basename(path), dirname(path));
    const before = everythingIn(vault.folder);
    await expect(document.read()).rejects.toThrow("OmniOutliner 2");
    await expect(document.change({ tool: "add" }, () => ({ edits: [], message: "" }))).rejects.toThrow(
      "OmniOutliner 2",
    );
    expect(everythingIn(vault.folder)).toEqual(before);
  });
});

describe.skipIf(!real.isHere)(`real documents ${REAL}`, () => {
  it("are shown as OmniOutliner exports them: order, levels and states", async () => {
    const outline = await open("checked-states.ooutline").document.read();
    const marks = { checked: "[+]", unchecked: "[ ]", mixed: "[-]", none: "" };
    const exported = readFileSync(join(real.folder, "checked-states.app-export.txt"), "utf8")
      .split("\n")
      .filter((line) => line.trim() !== "");
    expect(linesOf(outline, ({ level, state, topic }) => `${"\t".repeat(level)}- ${marks[state]} ${topic}`)).toEqual(
      exported,
    );
  });

  it("keep their ids over time", async () => {
    const versions = readdirSync(join(real.folder, "history")).toSorted();
    const rows = versions.map(
      (name) =>
        new Map(flat(readRows(readFileSync(join(real.folder, "history", name)))).map((row) => [row.id, row.topic])),
    );
    const outlines = await Promise.all(versions.map((name) => open(`history/${name}`).document.read()));
    outlines.forEach((outline, index) => {
      for (const [id, topic] of rows[index]!) expect(outline.row(id!)!.topic).toBe(topic);
    });
  });
});
