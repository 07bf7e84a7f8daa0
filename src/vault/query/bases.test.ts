// Whole bases against a plain evaluation of them: a vault of our own, and the 30
// bases of a real vault, each view in several notes.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NOW } from "../../../test/fixtures/bases-world.ts";
import { vaultWith } from "../../../test/fixtures/vaults.ts";
import { PlainBase, readPlainFile } from "../../../test/references/plain-bases.ts";
import { REAL, realData, SAMPLES } from "../../../test/samples.ts";
import { queryVault } from "./query.ts";

interface Sample {
  readonly of: string;
  readonly folder: string;
  readonly isHere: boolean;
  /** How many bases there are. */
  readonly bases: number;
}

const VAULTS: readonly Sample[] = [
  { of: "a vault of our own", folder: join(SAMPLES, "bases"), isHere: true, bases: 4 },
  { of: `the template vault ${REAL}`, ...realData("vaults", "kepano"), bases: 30 },
];

describe.each(VAULTS)("the bases of $of", ({ folder, isHere, bases: count }) => {
  const files = isHere ? filesIn(folder) : {};
  const bases = Object.keys(files).filter((path) => path.endsWith(".base"));

  it.skipIf(!isHere)("are all there", () => {
    expect(bases).toHaveLength(count);
  });

  it.skipIf(!isHere)("show what a plain evaluation gives, in every view and several notes", async () => {
    const { vault } = vaultWith(files, { now: () => NOW });
    const plainFiles = Object.entries(files).map(([path, text]) => readPlainFile(path, String(text)));
    const notes = Object.keys(files).filter((path) => path.endsWith(".md"));
    let rows = 0;
    for (const path of bases) {
      const plain = new PlainBase(String(files[path]), plainFiles, NOW);
      for (const view of plain.views) {
        for (const shownIn of [path, ...notes.filter((_, i) => i % Math.ceil(notes.length / 8) === 0)]) {
          const where = `${path}#${view.name} in ${shownIn}`;
          const answer = await queryVault(vault, { base: path, view: view.name, shownIn });
          const shown = [...answer.rows(0)].map(([file, ...values]) => ({ path: file, values }));
          const expected = plain.rows(view, shownIn);
          expect(answer.warnings(), where).toEqual([]);
          expect(answer.total, where).toBe(Math.min(expected.length, view.limit ?? Number.POSITIVE_INFINITY));
          const byPath = new Map(expected.map((row) => [row.path, comparable(row)]));
          for (const row of shown) expect(comparable(row), where).toEqual(byPath.get(String(row.path)));
          rows += shown.length;
        }
      }
    }
    expect(rows).toBeGreaterThan(count * 10);
    await vault.close();
  });
});

/** Times of files depend on when the test copied them; a template's `{{date}}` is an object in YAML. */
function comparable({ path, values }: { path: unknown; values: readonly unknown[] }): unknown {
  const text = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(text);
    if (value === "[object Object]" || (typeof value === "object" && value !== null)) return "an object";
    if (typeof value !== "string") return value;
    return /^\d{4}-\d\d-\d\dT.*Z$/.test(value) ? null : value.replace(/[#|][^\]]*\]\]$/, "]]");
  };
  return { path, values: values.map(text) };
}

function filesIn(folder: string): Record<string, string | Uint8Array> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (path) => !/(?:^|\/)\./.test(path) && statSync(join(folder, path)).isFile(),
  );
  return Object.fromEntries(
    paths.map((path) => [path, /\.(?:md|base)$/.test(path) ? readFileSync(join(folder, path), "utf8") : ""]),
  );
}
