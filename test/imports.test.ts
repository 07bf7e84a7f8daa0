// Imports go down only, and siblings never import each other: a part can be
// understood, tested and replaced without those above it.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { describe, expect, it } from "vitest";

/** From the top to the bottom. Rooms in one row are siblings. */
const FLOORS: readonly (readonly string[])[] = [
  ["main"],
  ["commands"],
  ["mcp"],
  ["app"],
  ["tools"],
  ["vault", "outline", "conversations", "project", "memory"],
  ["journal", "search"],
  ["settings"],
  ["sqlite"],
  ["files", "markdown", "redaction"],
  ["kernel", "heap"],
];

/** What they compute depends on what they are given, and on nothing else. */
const PURE = new Set(["markdown", "search", "redaction"]);

const SOURCE = join(import.meta.dirname, "..", "src");
const IMPORT = /(?:^|\n)\s*(?:import|export)\s[^;]*?from\s*"([^"]+)"|import\("([^"]+)"\)|(?:^|\n)import\s*"([^"]+)"/g;

const roomOf = (path: string) => relative(SOURCE, path).split(/[/\\.]/)[0]!;
const floorOf = (room: string) => FLOORS.findIndex((rooms) => rooms.includes(room));

function importsOf(file: string, { ofTypes = true } = {}): string[] {
  return [...readFileSync(file, "utf8").matchAll(IMPORT)]
    .filter(([statement]) => ofTypes || !/^\s*(?:import|export) type\b/.test(statement))
    .map((match) => match[1] ?? match[2] ?? match[3]!);
}

const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .map((name) => join(SOURCE, name));

describe("imports", () => {
  it("are found at all", () => {
    expect(files.flatMap((file) => importsOf(file)).length).toBeGreaterThan(100);
    expect(importsOf(join(SOURCE, "main.ts"))).toContain("./commands/commands.ts");
  });

  it("belong to rooms that have a floor", () => {
    expect(files.map(roomOf).filter((room) => floorOf(room) === -1)).toEqual([]);
  });

  it("go down only, and never to a sibling", () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => target.startsWith("."))
        .map((target) => normalize(join(dirname(file), target)))
        .filter((target) => roomOf(target) !== roomOf(file) && floorOf(roomOf(target)) <= floorOf(roomOf(file)))
        .map((target) => `${relative(SOURCE, file)} imports ${relative(SOURCE, target)}`),
    );
    expect(wrong).toEqual([]);
  });

  it("of another room come through its front door, the file named after it", () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => target.startsWith("."))
        .map((target) => relative(SOURCE, normalize(join(dirname(file), target))).replaceAll("\\", "/"))
        .filter((target) => target.includes("/") && roomOf(join(SOURCE, target)) !== roomOf(file))
        .filter((target) => target !== `${roomOf(join(SOURCE, target))}/${roomOf(join(SOURCE, target))}.ts`)
        .map((target) => `${relative(SOURCE, file)} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("of the pure rooms touch no file system, network or process", () => {
    const effects = /^node:(fs|net|http|https|child_process|worker_threads|sqlite|process|os)/;
    const wrong = files.filter(
      (file) => PURE.has(roomOf(file)) && importsOf(file, { ofTypes: false }).some((target) => effects.test(target)),
    );
    expect(wrong).toEqual([]);
  });
});
