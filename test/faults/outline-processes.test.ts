// Several processes change one outline at the same time, and some are killed: no
// row is lost or duplicated, and every file is intact.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { CAMPAIGN, repeats } from "../campaign.ts";
import { bundled, NODE } from "../processes/child.ts";
import { parseVaultPath } from "../../src/files/vault/vault-path.ts";
import { openFileDocument } from "../../src/outline/file/file-document.ts";
import { FIXTURES } from "../fixtures/outline-files.ts";
import { membersOf, readRows, type ReadRow } from "../references/outline-reader.ts";
import { randomFrom } from "./children/operations.ts";
import type { OutlineOrders } from "./children/outline-writer.ts";
import { everythingIn, temporaryVault, type TemporaryVault } from "../fixtures/temporary-vault.ts";

const WRITER = bundled(join(import.meta.dirname, "children", "outline-writer.ts"));

const USED = FIXTURES.filter(({ name }) => ["plan.ooutline", "flat.oo3", "list.opml", "note.md"].includes(name));
/** A document that is a package folder. */
const PACKAGE = { name: "package.oo3", bytes: FIXTURES.find(({ name }) => name === "flat.oo3")!.bytes };
const IMAGE = "package.oo3/image.png";

/** Puts a document into the vault. @returns the file with its rows, and all files that should exist */
function given(vault: TemporaryVault, { name, bytes }: { readonly name: string; readonly bytes: Uint8Array }) {
  const isPackage = name === PACKAGE.name;
  const file = isPackage ? `${name}/contents.xml` : name;
  vault.write(file, bytes);
  if (isPackage) vault.write(IMAGE, Buffer.from([1, 2, 3]));
  return { file: join(vault.folder, file), paths: isPackage ? [`${name}/`, file, IMAGE] : [name] };
}

/** Starts a writer; `reported` collects the number of each completed change and the id of its row. */
function start(vault: TemporaryVault, orders: Omit<OutlineOrders, "folder" | "home">) {
  const given: OutlineOrders = { ...orders, folder: vault.folder, home: vault.home };
  const child = spawn(NODE, [...WRITER, JSON.stringify(given)]);
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const reported = () =>
    [...output.matchAll(/^(\d+) (\S+)$/gm)].map(([, number, id]) => ({ number: Number(number), id: id! }));
  const ended = once(child, "close").then(() => {
    expect(errors).toBe("");
    return reported();
  });
  return { child, ended, reported, isReady: () => output.includes("ready") };
}

const flat = (rows: readonly ReadRow[]): string[] => rows.flatMap(({ topic, children }) => [topic, ...flat(children)]);

const ROUNDS = repeats({ short: 14, long: 200 });

describe.each([...USED, PACKAGE])("$name", CAMPAIGN, ({ name, bytes }) => {
  test("changed by several processes at once loses no row, and all agree on the ids", async () => {
    const vault = temporaryVault();
    const { file, paths } = given(vault, { name, bytes });
    const writers = ["a", "b", "c"];
    const count = 30;
    const reported = await Promise.all(
      writers.map((writer) => start(vault, { file: name, name: writer, from: 0, count }).ended),
    );
    const topics = flat(readRows(readFileSync(file)));
    const expected = [
      ...flat(readRows(bytes)),
      ...writers.flatMap((writer) => Array.from({ length: count }, (_, number) => `${writer} ${number}`)),
    ];
    expect(topics.toSorted()).toEqual(expected.toSorted());
    const outline = await openFileDocument({
      root: vault.files,
      path: parseVaultPath(name),
      journal: vault.journal,
      idFolder: join(vault.home, "ids"),
      log: () => {},
    }).read();
    reported.forEach((rows, writer) => {
      for (const { number, id } of rows) expect(outline.row(id)?.topic, id).toBe(`${writers[writer]} ${number}`);
    });
    expect(Object.keys(everythingIn(vault.folder, { withTrash: true })).toSorted()).toEqual(paths);
  });

  test("whose writers are killed again and again, also while they undo, is intact, and contains what was reported", async () => {
    const vault = temporaryVault();
    const { file, paths } = given(vault, { name, bytes });
    const random = randomFrom(7);
    const journal = () => vault.another({ subject: join(vault.root.folder, name) });
    let done = 0;
    let interrupted = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const orders = { file: name, name: "k", from: done, count: 1_000, undoes: true };
      const { child, ended, reported, isReady } = start(vault, orders);
      // Every other time when one is about to be undone.
      const wanted = round % 2 === 0 ? Math.floor(random() * 4) : 3 - (done % 3);
      while (!isReady() || reported().length < wanted) await once(child.stdout, "data");
      await pause(random() * 8);
      child.kill("SIGKILL");
      done += (await ended).length;
      // The next one takes the lock, and finishes or takes back what was left.
      const next = journal();
      await next.change({ tool: "check" }, () => ({ message: "", steps: [] }));
      const written = readFileSync(file);
      const own = flat(readRows(written)).filter((topic) => topic.startsWith("k "));
      // The one after the last that was reported may be there, or that one be undone for the moment.
      const isUndone = own.length === done - 1 && done % 3 === 0;
      if (own.length === done + 1) done++;
      else if (isUndone) done--;
      else interrupted++;
      expect(own.toSorted()).toEqual(Array.from({ length: done }, (_, number) => `k ${number}`).toSorted());
      if (name.endsWith(".ooutline"))
        expect(membersOf(written).get("editors.xml")).toEqual(membersOf(bytes).get("editors.xml"));
      expect(Object.keys(everythingIn(vault.folder, { withTrash: true })).toSorted()).toEqual(paths);
      await next.close();
    }
    expect(done).toBeGreaterThan(ROUNDS / 2);
    expect(interrupted).toBeGreaterThan(0);
    const last = journal();
    for (let left = done; left > 0; left--) await last.undo();
    expect(readFileSync(file)).toEqual(bytes);
  });
});
