// A document of the application through both interfaces: thousands of random edits,
// compared with the same edits of a file, and an application that fails at every
// single change. The scripts are the real ones; only the processes are left out.
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CAMPAIGN, repeats } from "../../../test/campaign.ts";
import { temporaryVault } from "../../../test/fixtures/temporary-vault.ts";
import { runScript } from "../../../test/simulator/run-script.ts";
import { documentOf } from "../../../test/simulator/simulator.ts";
import { RUNNING, type SimulatedState } from "../../../test/simulator/state.ts";
import { parseVaultPath } from "../../files/vault/vault-path.ts";
import { openFileDocument } from "../file/file-document.ts";
import { outlineOf, type OutlineOfRows } from "../outline-of-rows.ts";
import type { Edit, NewRow, Outline, OutlineDocument } from "../model.ts";
import { rowsBelow } from "../rows.ts";
import { openAppDocument } from "./document.ts";
import { openAppJournal } from "./journal.ts";
import { problemOf } from "./problem.ts";
import type { Answer } from "./protocol.ts";
import { INSIDE, SCRIPT, type OmniOutliner } from "./process.ts";

/** An application that answers without a process. */
function simulated(given: Partial<SimulatedState>) {
  const state: SimulatedState = { ...RUNNING, ...given };
  const application: OmniOutliner = {
    ask: async (request) => {
      const { output, error } = runScript(SCRIPT, JSON.stringify({ ...request, inside: INSIDE }), state);
      if (error !== undefined) throw problemOf(`${error.message} (${error.number})`);
      return JSON.parse(output!) as Answer;
    },
    close: async () => {},
  };
  const journal = openAppJournal();
  const document = openAppDocument({ application, journal, paths: null, known: {} });
  return { state, document, journal };
}

const change = (document: OutlineDocument, ...edits: Edit[]) =>
  document.change({ tool: "test" }, () => ({ edits, message: "Edited" }));

/** The rows of a file without their ids, with the states that OmniOutliner shows. */
function asInApp(outline: OutlineOfRows): Outline {
  return outlineOf({ ...outline.parsed, format: "app" as const }, outline.ids, outline);
}

function shown(outline: Outline): unknown[] {
  return Array.from(rowsBelow(outline, null), ({ topic, note, state, level, descendants }) => [
    level,
    topic,
    note,
    state,
    descendants,
  ]);
}

const text = fc.oneof(
  fc.constantFrom("", "one", "it's", '"two"', "a\nb", "👩‍👩‍👧", "日本語", "<b>&amp;", "\\u0041", "\u2028"),
  fc.string({ maxLength: 8 }).map((given) => given.replace(/[^\x20-\x7e]/g, "")),
);
const state = fc.constantFrom("checked" as const, "unchecked" as const);
const leaf = fc.record({ topic: text, note: text, state: fc.option(state, { nil: undefined }) });
const newRow: fc.Arbitrary<NewRow> = fc.record({ topic: text, note: text, children: fc.array(leaf, { maxLength: 2 }) });

/** Rows by number, so that the same edit applies to documents with other ids. */
const editByNumber = fc.oneof(
  fc.record({
    kind: fc.constant("add" as const),
    rows: fc.array(newRow, { minLength: 1, maxLength: 2 }),
    at: fc.nat(),
    index: fc.nat(4),
  }),
  fc.record({
    kind: fc.constant("update" as const),
    row: fc.nat(),
    topic: fc.option(text, { nil: undefined }),
    note: fc.option(text, { nil: undefined }),
    state: fc.option(state, { nil: undefined }),
  }),
  fc.record({ kind: fc.constant("move" as const), row: fc.nat(), at: fc.nat(), index: fc.nat(4) }),
  fc.record({ kind: fc.constant("delete" as const), row: fc.nat() }),
);
type EditByNumber = typeof editByNumber extends fc.Arbitrary<infer W> ? W : never;

/** The edit on this outline; undefined if it does not apply. */
function editOn(outline: Outline, given: EditByNumber): Edit | undefined {
  const ids = Array.from(rowsBelow(outline, null), ({ id }) => id);
  const idAt = (number: number) => ids[number % ids.length]!;
  const positionAt = (at: number, index: number, moving?: string) => {
    const number = at % (ids.length + 1);
    const parentId = number === ids.length ? null : ids[number]!;
    const siblings = (parentId === null ? outline.topIds : outline.row(parentId)!.childIds).filter(
      (id) => id !== moving,
    );
    return { parentId, index: Math.min(index, siblings.length) };
  };
  if (given.kind === "add") return { kind: "add", rows: given.rows, position: positionAt(given.at, given.index) };
  if (ids.length === 0) return undefined;
  const { row, kind, ...rest } = given;
  const id = idAt(row);
  if (given.kind === "delete") return { kind: "delete", id };
  // Formats differ in the states they store for parents, which are not compared.
  const isLeaf = outline.row(id)!.descendants === 0;
  if (given.kind === "update") return { kind: "update", id, ...rest, state: isLeaf ? given.state : undefined };
  const position = positionAt(given.at, given.index, id);
  const below = new Set([id, ...Array.from(rowsBelow(outline, id), (each) => each.id)]);
  if (kind !== "move" || (position.parentId !== null && below.has(position.parentId))) return undefined;
  const siblings =
    outline.row(id)!.parentId === null ? outline.topIds : outline.row(outline.row(id)!.parentId!)!.childIds;
  if (position.parentId === outline.row(id)!.parentId && siblings.indexOf(id) === position.index) return undefined;
  return { kind: "move", id, position };
}

describe.each([
  ["Omni Automation", { answersAutomation: true }],
  ["the dictionary", { answersAutomation: false }],
  ["a dictionary that cannot move rows", { answersAutomation: false, movesRows: false }],
])("a document by %s", (_name, given) => {
  it(
    "has the same rows as a file after the same edits, and can be undone and redone completely",
    CAMPAIGN,
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(editByNumber, { minLength: 1, maxLength: 8 }), async (edits) => {
          const app = simulated({ ...given, documents: [documentOf("Plan", null, [])] });
          const vault = temporaryVault();
          vault.write("Plan.opml", '<opml version="2.0"><body></body></opml>');
          const file = openFileDocument({
            root: vault.files,
            path: parseVaultPath("Plan.opml"),
            journal: vault.journal,
            idFolder: join(vault.home, "ids"),
            log: () => {},
          });
          const moments = [shown(await app.document.read())];
          for (const each of edits) {
            const [here, there] = [editOn(await app.document.read(), each), editOn(await file.read(), each)];
            if (here === undefined || there === undefined) continue;
            const { outline } = await change(app.document, here);
            expect(shown(outline)).toEqual(shown(asInApp((await change(file, there)).outline as OutlineOfRows)));
            expect((await app.document.read()).version).toBe(outline.version);
            if ((await app.journal.history()).entries.length === moments.length) moments.push(shown(outline));
          }
          for (const moment of moments.slice(0, -1).toReversed()) {
            await app.journal.undo();
            expect(shown(await app.document.read())).toEqual(moment);
          }
          for (const moment of moments.slice(1)) {
            await app.journal.redo();
            expect(shown(await app.document.read())).toEqual(moment);
          }
        }),
        { numRuns: repeats({ short: 12, long: 1_000 }) },
      );
    },
  );

  const LINES = ["Plan", "  [ ] One | of two", "  [x] Two", "    [ ] Below", "Other"];
  const rows = [{ topic: "A", note: "a", state: "checked" as const, children: [{ topic: "A1" }, { topic: "A2" }] }];
  const EDITS: Readonly<Record<string, (outline: Outline) => Edit>> = {
    "adds rows": ({ topIds }) => ({ kind: "add", rows, position: { parentId: topIds[0]!, index: 1 } }),
    "sets a parent and its texts": ({ topIds }) => ({
      kind: "update",
      id: topIds[0]!,
      topic: "Changed",
      note: "new",
      state: "checked",
    }),
    "moves a row": ({ topIds }) => ({ kind: "move", id: topIds[0]!, position: { parentId: topIds[1]!, index: 0 } }),
    "deletes rows": ({ topIds }) => ({ kind: "delete", id: topIds[0]! }),
  };

  it.each(Object.entries(EDITS))(
    "does not change if the application fails anywhere while it %s",
    async (_what, edit) => {
      let failures = 0;
      for (let failsAt = 1; ; failsAt++) {
        const {
          state: held,
          document,
          journal,
        } = simulated({ ...given, documents: [documentOf("Plan", null, LINES)] });
        const before = await document.read();
        held.failsAt = failsAt;
        const outcome = await change(document, edit(before)).then(
          () => "done",
          () => "failed",
        );
        if (outcome === "done" && held.failsAt > 0) break;
        failures++;
        held.failsAt = 0;
        const after = await document.read();
        // A dictionary's move that fails is made by copying instead.
        if (outcome === "failed") {
          expect(shown(after)).toEqual(shown(before));
          expect((await journal.history()).entries).toEqual([]);
        }
      }
      expect(failures).toBeGreaterThan(0);
    },
  );
});

describe("a change that takes several scripts", () => {
  it("is rolled back completely if one of them fails", async () => {
    const { state: held, document } = simulated({ documents: [documentOf("Plan", null, ["Only"])] });
    const before = await document.read();
    const rows = Array.from({ length: 500 }, (_, at) => ({
      topic: `Row ${at}`,
      note: "n".repeat(800),
      children: [{ topic: "x" }],
    }));
    for (const failsAt of [2, 900, 2400]) {
      held.failsAt = failsAt;
      await expect(change(document, { kind: "add", rows, position: { parentId: null, index: 0 } })).rejects.toThrow(
        "went wrong",
      );
      expect((await document.read()).version).toBe(before.version);
    }
    const { added, outline } = await change(document, { kind: "add", rows, position: { parentId: null, index: 0 } });
    expect([added.length, outline.rowCount]).toEqual([1000, 1001]);
    expect(held.documents[0]!.undo.length).toBeGreaterThan(2);
  });
});
