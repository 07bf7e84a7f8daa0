// One module opens files (src/files/disk/open-file.ts): what a path leads to may be a
// pipe or a link by the time it is opened. No other module may use the system's
// own calls for that.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { expect, it } from "vitest";

const SOURCE = join(import.meta.dirname, "..", "src");
const ALLOWED = ["files/disk/open-file.ts"];

const OPENING = /\b(?:open|openSync|openAsBlob|readFile|readFileSync|createReadStream|(?:copyFile|cp)(?:Sync)?)\b/;
/** Any way to node:fs, and the names that are taken from it; "*" and a default import are all of them. */
const IMPORT =
  /import\s+([^;]*?)\s+from\s*"(?:node:)?fs(?:\/promises)?"|(require|import|getBuiltinModule)\("(?:node:)?fs/g;

const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .map((name) => ({ name: name.split(sep).join("/"), text: readFileSync(join(SOURCE, name), "utf8") }));

function opensBy(text: string): string[] {
  return [...text.matchAll(IMPORT)].flatMap(([whole, names]) => {
    if (names === undefined || !names.includes("{")) return names?.startsWith("type ") ? [] : [whole];
    return names.split(/[{},]/).filter((name) => OPENING.test(name) && !name.trim().startsWith("type "));
  });
}

it("only one module opens files by the system's own calls", () => {
  const found = files.filter(({ text }) => opensBy(text).length > 0).map(({ name }) => name);
  expect(found).toEqual(ALLOWED);
});

it("finds every way to do so", () => {
  for (const text of [
    'import { readFileSync } from "node:fs";',
    'import {\n  closeSync,\n  openSync,\n} from "node:fs";',
    'import { readFileSync as read } from "fs";',
    'import { open } from "node:fs/promises";',
    'import fs from "node:fs";',
    'import * as fs from "node:fs";',
    'const fs = await import("node:fs");',
    'process.getBuiltinModule("node:fs").readFileSync(path);',
  ])
    expect(opensBy(text), text).toHaveLength(1);
  for (const text of ['import { statSync, type Stats } from "node:fs";', 'import type { Stats } from "node:fs";'])
    expect(opensBy(text), text).toEqual([]);
  expect(files.map(({ name }) => name)).toContain(relative(SOURCE, join(SOURCE, "main.ts")));
});
