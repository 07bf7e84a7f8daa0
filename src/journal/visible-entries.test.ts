// Entries of files that the settings hide: absent from all that a journal says,
// also if their record is damaged.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryVault } from "../../test/fixtures/temporary-vault.ts";
import { accessRules, type EntryPath, NO_RULES, parseVaultPath } from "../files/files.ts";
import { Problem } from "../kernel/kernel.ts";
import { openDatabase } from "../sqlite/open.ts";
import type { Journal } from "./journal.ts";
import type { Action } from "./plan/action.ts";
import { isShown, shownMoves, withoutHiddenNames } from "./visible-entries.ts";

const RULES = accessRules({ hide: ["Private/"] });

const [open, other] = ["a.md", "b.md"] as EntryPath[] as [EntryPath, EntryPath];
const [hidden, otherHidden] = ["Private/a.md", "Private/b.md"] as EntryPath[] as [EntryPath, EntryPath];
const temporary = "x" as EntryPath;
const put = (path: EntryPath): Action => ({ kind: "put", path, temporary, after: "" });
const patch = (path: EntryPath): Action => ({ kind: "patch", path, temporary, before: "", after: "", splices: [] });
const move = (path: EntryPath, to: EntryPath): Action => ({ kind: "move", path, to, fingerprint: "" });
const make = (path: EntryPath): Action => ({ kind: "make", path, implied: true });
const unmake = (path: EntryPath): Action => ({ kind: "unmake", path, implied: true });

describe("an entry", () => {
  test.each<[what: string, isShown: boolean, actions: Action[]]>([
    ["without actions", true, []],
    ["that creates a visible file", true, [put(open)]],
    ["that changes visible files", true, [patch(open), patch(other)]],
    ["that creates a hidden file", false, [put(hidden)]],
    ["that changes a hidden file", false, [patch(hidden)]],
    ["that changes a visible and a hidden file", false, [patch(open), patch(hidden)]],
    ["that moves a hidden file", false, [move(hidden, otherHidden)]],
    ["that moves a file out of sight", false, [move(open, hidden)]],
    ["that moves a file into sight", false, [move(hidden, open)]],
    ["that makes a hidden folder", false, [put(open), make(hidden)]],
    ["that removes a hidden folder", false, [unmake(hidden), move(open, other)]],
    ["that moves a visible file and rewrites links in a hidden one", true, [move(open, other), patch(hidden)]],
    ["that moves a visible file and creates a hidden one", false, [move(open, other), patch(hidden), put(otherHidden)]],
  ])("%s is shown: %s", (_, shown, actions) => {
    expect(isShown({ actions, isReadable: true }, RULES)).toBe(shown);
    expect(isShown({ actions, isReadable: true }, NO_RULES)).toBe(true);
  });

  test("whose record is damaged is shown only if nothing is hidden: its message may name anything", () => {
    expect(isShown({ actions: [], isReadable: false }, RULES)).toBe(false);
    expect(isShown({ actions: [], isReadable: false }, NO_RULES)).toBe(true);
  });
});

test("the moves of an entry are shown without hidden paths, on either side", () => {
  const moves = [move(open, other), move(open, hidden), move(hidden, open), move(hidden, otherHidden)];
  expect(shownMoves({ actions: [put(open), ...moves] }, RULES)).toEqual([{ from: open, to: other }]);
  expect(shownMoves({ actions: moves }, NO_RULES)).toHaveLength(4);
});

describe("an error of a change", () => {
  const actions = [move(open, other), patch(hidden)];
  const inMessage = new Problem("conflict", `This no longer fits: ${hidden} was changed.`, "Try again.");
  const inHint = new Problem("conflict", "This no longer fits.", `Look at ${hidden}.`);

  test.each([inMessage, inHint])("that names a hidden file keeps its code and names it no longer", (error) => {
    const shown = withoutHiddenNames(error, actions, RULES) as Problem;
    expect(shown.code).toBe("conflict");
    expect(`${shown.message} ${shown.hint}`).not.toContain("Private");
    expect(withoutHiddenNames(error, actions, NO_RULES)).toBe(error);
  });

  test.each([
    new Problem("conflict", `This no longer fits: ${open} was changed.`),
    new Error(`no problem, but names ${hidden}`),
  ])("that names none, or is logged only, stays as it is", (error) => {
    expect(withoutHiddenNames(error, actions, RULES)).toBe(error);
  });
});

describe("a change of a hidden file", () => {
  const create = (journal: Journal, path: EntryPath) =>
    journal.change({ tool: "test" }, () => ({
      message: `Created ${path}`,
      steps: [{ kind: "create", path: parseVaultPath(path), bytes: Buffer.from("text") }],
    }));

  /** A vault whose newest change, with this id, is of a hidden file; journals that hide it and that do not. */
  async function vaultWith({ damage }: { damage: string }) {
    const vault = temporaryVault();
    await create(vault.journal, open);
    const { id } = (await create(vault.journal, hidden))!;
    await vault.journal.close();
    const file = readdirSync(vault.journals).find((name) => /^[0-9a-f]{32}\.db$/.test(name))!;
    const database = openDatabase(join(vault.journals, file));
    const ofNewest = "WHERE number = (SELECT max(number) FROM entry)";
    if (damage !== "no") database.exec(`UPDATE entry SET actions = 'damaged' ${ofNewest}`);
    if (damage === "killed") database.exec(`UPDATE entry SET state = 0 ${ofNewest}`);
    database.close();
    return { vault, id, journal: vault.another({ access: RULES }), seeing: vault.another() };
  }

  test.each(["no", "yes", "killed"])("is in nothing that a journal says (record damaged: %s)", async (damage) => {
    const { vault, id, journal, seeing } = await vaultWith({ damage });
    const notFound = { code: "not_found", message: `There is no journal entry ${id}.` };
    await expect(journal.changes(id)).rejects.toMatchObject(notFound);
    await expect(journal.forecastUndo([id])).rejects.toMatchObject(notFound);
    await expect(journal.undo({ id })).rejects.toMatchObject(notFound);
    expect(await journal.has(id)).toBe(false);
    expect(await journal.count()).toBe(1);
    expect((await journal.history()).entries.map(({ message }) => message)).toEqual([`Created ${open}`]);
    expect((await journal.history({ path: hidden })).entries).toEqual([]);
    expect(JSON.stringify([journal.takeRolledBack() ?? "", await journal.next("undo")])).not.toContain("Private");
    expect(await journal.undo()).toMatchObject({ message: `Undid: Created ${open}` });
    expect((await seeing.history()).entries.map(({ message }) => message)).toContain(`Created ${hidden}`);
    expect(vault.text(hidden)).toBe("text");
  });
});
