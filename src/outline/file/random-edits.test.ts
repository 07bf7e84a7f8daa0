// Random sequences of edits on every format: after each edit a second reader must
// find in the file what a plain tree of objects contains, and undoing all of them
// must restore every byte.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryVault } from "../../../test/fixtures/temporary-vault.ts";
import { CAMPAIGN, repeats } from "../../../test/campaign.ts";
import { FIXTURES } from "../../../test/fixtures/outline-files.ts";
import { contentsOf, membersOf, readRows, type ReadRow } from "../../../test/references/outline-reader.ts";
import { parseVaultPath } from "../../files/vault/vault-path.ts";
import { Problem } from "../../kernel/problem.ts";
import { openFileDocument } from "./file-document.ts";
import type { Edit, NewRow, Outline, SettableState } from "../model.ts";
import { rowOf, rowsBelow } from "../rows.ts";

interface ModelRow {
  topic: string;
  note: string;
  state: string;
  children: ModelRow[];
}

/** Applies an edit to a tree of objects, in which rows are found by position. */
class Model {
  top: ModelRow[];
  readonly #hasPlainRows: boolean;

  constructor(rows: readonly ReadRow[], hasPlainRows: boolean) {
    this.#hasPlainRows = hasPlainRows;
    const copy = (row: ReadRow): ModelRow => ({
      topic: row.topic,
      note: row.note,
      state: row.state,
      children: row.children.map(copy),
    });
    this.top = rows.map(copy);
  }

  at(path: readonly number[]): ModelRow {
    return path.slice(1).reduce((row, index) => row.children[index]!, this.top[path[0]!]!);
  }

  below(path: readonly number[]): ModelRow[] {
    return path.length === 0 ? this.top : this.at(path).children;
  }

  set(path: readonly number[], state: SettableState): void {
    const reach = (row: ModelRow) => {
      if (row.children.length > 0) row.children.forEach(reach);
      else row.state = state;
    };
    const target = this.at(path);
    if (this.#hasPlainRows) target.state = state;
    else reach(target);
  }
}

const drafted = ({ topic, note, state, children }: NewRow, otherwise: string): ModelRow => ({
  topic,
  note: note ?? "",
  state: state ?? otherwise,
  children: (children ?? []).map((child) => drafted(child, otherwise)),
});

/** The rows of an outline with their positions, in order. */
function placesOf(outline: Outline): { id: string; path: number[] }[] {
  const places: { id: string; path: number[] }[] = [];
  const walk = (ids: readonly string[], above: readonly number[]) =>
    ids.forEach((id, index) => {
      places.push({ id, path: [...above, index] });
      walk(outline.row(id)!.childIds, [...above, index]);
    });
  walk(outline.topIds, []);
  return places;
}

/** Of leaves only: the stored state of a parent is not compared. */
function shown(rows: readonly (ReadRow | ModelRow)[]): unknown[] {
  return rows.map((row) => [row.topic, row.note, row.children.length === 0 ? row.state : "", shown(row.children)]);
}

const words = fc.constantFrom(
  "",
  "a",
  "plain",
  "See the site",
  "See the websites",
  "x < y & \"z\" 'q'",
  "Größe 🎉",
  "- mark",
  "[x] box",
  "1. one",
  "\\- b",
  "# hash",
  "two  spaces",
  "a\tb",
);
const notes = fc.constantFrom(
  "",
  "short",
  "two\nlines",
  "A note\n\nof four lines",
  "- item\n- item",
  "a & <b>",
  "```\n- code\n```",
);
const newRow: fc.Arbitrary<NewRow> = fc.record({
  topic: words,
  note: notes,
  state: fc.option(fc.constantFrom("checked" as const, "unchecked" as const), { nil: undefined }),
  children: fc.array(fc.record({ topic: words, note: fc.constant("") }), { maxLength: 2 }),
});

const step = fc.oneof(
  fc.record({
    kind: fc.constant("add" as const),
    rows: fc.array(newRow, { minLength: 1, maxLength: 3 }),
    parent: fc.nat(30),
    index: fc.nat(4),
  }),
  fc.record({
    kind: fc.constant("update" as const),
    row: fc.nat(30),
    topic: fc.option(words, { nil: undefined }),
    note: fc.option(notes, { nil: undefined }),
    state: fc.option(fc.constantFrom<SettableState>("checked", "unchecked", "none"), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant("move" as const), row: fc.nat(30), parent: fc.nat(30), index: fc.nat(4) }),
  fc.record({ kind: fc.constant("delete" as const), row: fc.nat(30) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Returns whether a parent has a box, and the rows below it have none: these stay so. */
function standsAlone(outline: Outline, id: string): boolean {
  const row = rowOf(outline, id);
  const keepsOwn = outline.format !== "ooutline" && row.state !== "none" && row.childIds.length > 0;
  return keepsOwn && [...rowsBelow(outline, id)].every(({ state }) => state === "none");
}

/** The edit that a step means on this outline, and the same on the model; undefined if there is nothing to do. */
function planned(step: Step, outline: Outline, model: Model): { edit: Edit; apply: () => void } | undefined {
  const places = placesOf(outline);
  const pick = (number: number) => places[number % Math.max(1, places.length)];
  /** The top level is one of the choices. */
  const parentOf = (number: number) => (number % (places.length + 1) === 0 ? { id: null, path: [] } : pick(number)!);
  if (step.kind === "add") {
    const parent = parentOf(step.parent);
    const siblings = model.below(parent.path);
    const index = Math.min(step.index, siblings.length);
    const edit: Edit = { kind: "add", rows: step.rows, position: { parentId: parent.id, index } };
    return { edit, apply: () => siblings.splice(index, 0, ...step.rows.map((row) => drafted(row, "?"))) };
  }
  const row = pick(step.row);
  if (row === undefined) return undefined;
  const siblings = model.below(row.path.slice(0, -1));
  if (step.kind === "update") {
    const { topic, note, state } = step;
    return {
      edit: { kind: "update", id: row.id, topic, note, state },
      apply: () => {
        Object.assign(model.at(row.path), topic === undefined ? {} : { topic }, note === undefined ? {} : { note });
        if (state !== undefined && (state === "none" || !standsAlone(outline, row.id))) model.set(row.path, state);
      },
    };
  }
  if (step.kind === "delete")
    return { edit: { kind: "delete", id: row.id }, apply: () => siblings.splice(row.path.at(-1)!, 1) };
  const parent = parentOf(step.parent);
  if (row.path.every((part, index) => parent.path[index] === part)) return undefined;
  const target = model.below(parent.path);
  const others = target.filter((each) => each !== model.at(row.path)).length;
  const index = Math.min(step.index, others);
  return {
    edit: { kind: "move", id: row.id, position: { parentId: parent.id, index } },
    apply: () => {
      const [moved] = siblings.splice(row.path.at(-1)!, 1);
      target.splice(index, 0, moved!);
    },
  };
}

describe.each(FIXTURES)("random edits of $name", ({ name, bytes }) => {
  it("leave in the file what a plain tree contains, and are undone byte for byte", CAMPAIGN, async () => {
    const vault = temporaryVault();
    const path = parseVaultPath(name);
    const file = join(vault.folder, name);
    const isMarkdown = name.endsWith(".md");
    let refused = 0;
    let made = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        writeFileSync(file, bytes);
        const document = openFileDocument({
          root: vault.files,
          path,
          journal: vault.journal,
          idFolder: join(vault.home, "ids"),
          log: () => {},
        });
        const model = new Model(readRows(bytes), /\.(?:opml|md)$/.test(name));
        let changes = 0;
        for (const each of steps) {
          const before = await document.read();
          const plan = planned(each, before, model);
          if (plan === undefined) continue;
          const old = readFileSync(file);
          try {
            await document.change({ tool: "test" }, () => ({ edits: [plan.edit], message: "An edit" }));
          } catch (error) {
            // Markdown cannot represent everything everywhere, and in version 3 every row has a checkbox.
            if (!(error instanceof Problem) || error.code !== "invalid" || (!isMarkdown && !name.endsWith(".oo3")))
              throw error;
            expect(readFileSync(file)).toEqual(old);
            refused++;
            continue;
          }
          made++;
          plan.apply();
          const written = readFileSync(file);
          if (!written.equals(old)) changes++;
          const found = readRows(written);
          // New rows take their checkbox after their neighbours: that is not the model's to know.
          settle(model.top, found, isMarkdown);
          expect(shown(found), contentsOf(written).toString()).toEqual(shown(model.top));
          const ids = placesOf(await document.read()).map(({ id }) => id);
          expect(new Set(ids).size).toBe(ids.length);
          keepsOthers(before, await document.read(), plan.edit);
          if (name.endsWith(".ooutline"))
            for (const [member, { packed, header }] of membersOf(old))
              if (member !== "contents.xml") expect(membersOf(written).get(member)).toMatchObject({ packed, header });
        }
        for (let undone = 0; undone < changes; undone++) await vault.journal.undo();
        expect(readFileSync(file)).toEqual(bytes);
        await document.close();
      }),
      { numRuns: repeats({ short: 10, long: 1_000 }) },
    );
    expect(made, "most edits are possible").toBeGreaterThan(refused * 2);
  });
});

/** Adjusts the model where formats differ: the state of a new row, white space that Markdown does not keep. */
function settle(model: ModelRow[], found: readonly ReadRow[], isMarkdown: boolean): void {
  model.forEach((row, index) => {
    const read = found[index];
    if (read === undefined) return;
    // A parent's stored state does not count before it is a leaf.
    if (row.state === "?" || read.children.length > 0 || read.isHeading === true) row.state = read.state;
    if (isMarkdown) row.topic = row.topic.trim();
    settle(row.children, read.children, isMarkdown);
  });
}

/** Rows that an edit does not name keep their ids and texts. */
function keepsOthers(before: Outline, after: Outline, edit: Edit): void {
  for (const { id } of placesOf(before)) {
    const [was, is] = [before.row(id)!, after.row(id)];
    if (edit.kind === "delete" && is === undefined) continue;
    if ("id" in edit && edit.id === id) continue;
    expect(is).toMatchObject({ topic: was.topic, note: was.note });
  }
}
