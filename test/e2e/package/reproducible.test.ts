// Every build of a commit gives the same files, in whichever folder the clone is.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { atTheEnd } from "../../processes/program.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
/** Older releases of Node need a flag to run TypeScript. */
const TYPESCRIPT = ["--experimental-strip-types", "--disable-warning=ExperimentalWarning"];
const INPUTS = ["assets", "bin", "scripts", "src", "web", "package.json", "tsconfig.json"];

/** Below the checkout, so that its packages are found. */
function workplace(): string {
  mkdirSync(join(ROOT, ".node"), { recursive: true });
  const folder = mkdtempSync(join(ROOT, ".node", "builds-"));
  atTheEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function filesIn(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return new Map(files.map((name) => [name, readFileSync(join(folder, name), "latin1")]));
}

describe("a build", () => {
  // Two builds take a while on a busy machine.
  it("is the same in two folders", () => {
    const folder = workplace();
    const [first, second] = ["a", "another folder é"].map((name) => {
      const clone = join(folder, name);
      for (const input of INPUTS) cpSync(join(ROOT, input), join(clone, input), { recursive: true });
      execFileSync(process.execPath, [...TYPESCRIPT, join(clone, "scripts", "build.ts")], {
        cwd: clone,
        stdio: "pipe",
      });
      return filesIn(join(clone, "dist"));
    });
    expect([...first!.keys()]).toContain("main.cjs");
    expect([...second!.keys()]).toEqual([...first!.keys()]);
    expect([...first!].filter(([name, text]) => second!.get(name) !== text).map(([name]) => name)).toEqual([]);
  });

  it("names no folder of the machine that it was made on", () => {
    const built = filesIn(join(ROOT, "dist"));
    expect([...built].filter(([, text]) => text.includes(ROOT)).map(([name]) => name)).toEqual([]);
  });
});
