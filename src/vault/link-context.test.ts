import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { vaultWith } from "../../test/fixtures/vaults.ts";
import { REAL_DATA } from "../../test/samples.ts";
import { linksOf, type LinkType } from "./link-report.ts";

const LONG = "A sentence that goes on and on without an end. ".repeat(20);

/** One name for each set of signs beside letters, digits and blanks; none without real data. */
function namesOfRealVaults(): string[] {
  const vaults = join(REAL_DATA, "vaults");
  const paths = existsSync(vaults) ? readdirSync(vaults, { recursive: true, encoding: "utf8" }) : [];
  const names = paths.filter((path) => path.endsWith(".md")).map((path) => basename(path, ".md"));
  const signs = (name: string) => [...new Set(name.replace(/[\p{L}\p{N}\s]/gu, ""))].toSorted().join("");
  return [...new Map(names.map((name) => [signs(name), name])).values()].filter((name) => name.length > 2);
}

const { vault } = vaultWith({
  "Kyoto.md": "---\naliases: [Kioto, Ky]\n---\n# Kyoto\nKyoto is old. See [[Osaka]].",
  "Osaka.md": "- Merchants\n- They rode to **[[Kyoto|the capital]]** by boat\n- Castles",
  "Nara.md": "First paragraph.\n\nFrom [Kyoto](Kyoto.md) it is\nan hour by train.\n\nKyoto again.",
  "Trip.md": '---\ndate: 2026-03-01\ncity: "[[Kyoto]]"\nisbn: 201\n---\ntext',
  "Trips.md": "---\ndate: 2026-03-01\ncities:\n  - '[[Osaka]]'\n  - '[[Kyoto]]'\nisbn: 201\n---\ntext",
  "Long.md": `${LONG}[[Kyoto]] ${LONG}`,
  "Board.canvas": '{"nodes":[{"id":"1","type":"file","file":"Kyoto.md","x":0,"y":0,"width":1,"height":1}],"edges":[]}',
  "Diary.md": "We went to kyoto in May.\nThen home.",
  "Alias.md": "An old map says Kioto.",
  "Code.md": "`Kyoto` and\n```\nKyoto\n```\nhttps://example.org/Kyoto",
  "Other link.md": "See [Kyoto](https://example.org).",
  "Longer word.md": "Kyotoite is a mineral.",
  "Far.md": "See [[Nara]].",
});

async function found(type: LinkType, more: object = {}) {
  const { links } = await linksOf(vault, { path: "Kyoto.md", type, ...more });
  return Object.fromEntries(links.map(({ from = "", to, snippet }) => [from, snippet ?? to]));
}

describe("backlinks with snippets", () => {
  it("have the words of the sentence, list item or paragraph around the link", async () => {
    const snippets = await found("backlinks", { snippets: true });
    expect(snippets).toMatchObject({
      "Osaka.md": "They rode to the capital by boat",
      "Nara.md": "From Kyoto it is an hour by train.",
      "Trip.md": "city: Kyoto",
      "Trips.md": "cities: - Osaka - Kyoto",
    });
    expect(snippets["Long.md"]).toMatch(/^….*an end\. Kyoto A sentence.*…$/);
    expect(snippets["Long.md"]!.length).toBeLessThanOrEqual(161);
  });

  it("have none of a canvas, and only if they are asked for", async () => {
    expect((await found("backlinks", { snippets: true }))["Board.canvas"]).toBe("Kyoto.md");
    expect((await found("backlinks"))["Osaka.md"]).toBe("Kyoto.md");
  });
});

describe("mentions", () => {
  it("are the name or an alias in notes that do not link to it; not in code, links or longer words", async () => {
    expect(await found("mentions")).toEqual({
      "Diary.md": "We went to kyoto in May. Then home.",
      "Alias.md": "An old map says Kioto.",
    });
  });

  it("are found of names with any sign that a name may have, and of every name of the real vaults (real data)", async () => {
    const odd = [
      "2026-11-20",
      "a-b c",
      "C++ (2)",
      "50% off!",
      "what.if",
      "x_y",
      "{a} [b]",
      "$1 ^2",
      "Ärger’s –",
      "東京都",
    ];
    const names = [...odd, ...namesOfRealVaults()];
    const notes = names.map((name, i) => [`${i}/${name}.md`, `About ${i}.`] as const);
    const said = [...names.keys()].map((i) => [`said ${i}.md`, `We spoke of ${names[i]!} again.`] as const);
    const { vault: others } = vaultWith(Object.fromEntries([...notes, ...said]));
    const failed: string[] = [];
    for (const [i, name] of names.entries()) {
      const { links } = await linksOf(others, { path: `${i}/${name}.md`, type: "mentions" });
      if (!links.some(({ from }) => from === `said ${i}.md`)) failed.push(name);
    }
    expect(failed).toEqual([]);
  });

  it("need a note", async () => {
    await expect(linksOf(vault, { path: "", type: "mentions" })).rejects.toThrow("needs a note");
  });
});

describe("the links around a note", () => {
  it("lead from and to it, and from and to those notes", async () => {
    const { links } = await linksOf(vault, { path: "Kyoto.md", type: "around" });
    const pairs = links.map(({ from, to }) => `${from} → ${to}`);
    expect(pairs).toEqual(expect.arrayContaining(["Kyoto.md → Osaka.md", "Osaka.md → Kyoto.md", "Far.md → Nara.md"]));
    expect(new Set(pairs).size).toBe(pairs.length);
  });
});

it("lists the links of a note that has 150,000", async () => {
  const { vault: own } = vaultWith({ "Many.md": "[[Nowhere]]\n".repeat(150_000) });
  const count = async () => (await linksOf(own, { path: "", type: "unresolved" })).links.length;
  // It takes a moment to be indexed.
  await expect.poll(async () => (await own.index.paths()).stale, { timeout: 120_000 }).toBeFalsy();
  expect(await count()).toBe(150_000);
});
