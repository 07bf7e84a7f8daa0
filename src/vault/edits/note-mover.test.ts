import { cpSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CAMPAIGN, IS_LONG, repeats } from "../../../test/campaign.ts";
import { naiveLinks } from "../../../test/references/naive-links.ts";
import { REAL, realData, SAMPLES } from "../../../test/samples.ts";
import { filesIn, vaultWith } from "../../../test/fixtures/vaults.ts";
import { Turns } from "../../kernel/turns.ts";
import { moveFolder, moveNote, renamedFolder } from "./note-mover.ts";

const author = { tool: "test" };
const move = (path: string, newPath: string, overwrite = false) => ({ path, newPath, overwrite });

it("says which notes name a moved file in HTML, which is not rewritten", async () => {
  const { vault, read } = vaultWith({
    "a.png": "1",
    "N.md": '<img src="a.png"> ![[a.png]]',
    "M.md": '<img src="b.png">',
    "b.md": "",
  });
  const { recommendations } = await moveNote(
    vault,
    { tool: "test" },
    { path: "a.png", newPath: "Files/c.png", overwrite: false },
  );
  expect(read("N.md")).toBe('<img src="a.png"> ![[c.png]]');
  expect(recommendations.at(-1)).toEqual({
    type: "not_rewritten",
    message: "HTML in N.md names a.png (src or href), which is not rewritten: change it by hand if it means a.png",
  });
  expect(recommendations).toHaveLength(2);
});

describe("moving a note", () => {
  it.each(["Chile", "[[Kitchen renovation#Log]]", "kitchen renovation"])(
    "takes a name that one note has: %s",
    async (path) => {
      const { vault, files } = vaultWith({
        "Home/Kitchen renovation.md": "---\naliases: [Chile]\n---\n",
        "Chile/a.txt": "",
      });
      if (path === "Chile") await moveFolder(vault, author, { path: "Chile", newPath: "Else" });
      const moved = await moveNote(vault, author, move(path, "Done/Kitchen"));
      expect(moved).toMatchObject({ path: "Home/Kitchen renovation.md", newPath: "Done/Kitchen.md" });
      expect(files()).toHaveProperty(["Done/Kitchen.md"]);
    },
  );

  it("takes a folder of that name before a note with such an alias, and no name that two notes have", async () => {
    const { vault, files } = vaultWith({
      "N.md": "---\naliases: [Chile]\n---\n",
      "Chile/a.txt": "",
      "A/P.md": "",
      "B/P.md": "",
    });
    await moveNote(vault, author, move("Chile", "Peru"));
    expect(files()).toHaveProperty(["Peru/a.txt"]);
    await expect(moveNote(vault, author, move("P", "Q"))).rejects.toThrow("File not found: P");
  });

  it("keeps every link to it, each in its own form", async () => {
    const { vault, files } = vaultWith({
      "Plan.md": "See [[Other]].\n",
      "Other.md": "",
      "Index.md": "[[Plan]] [[Plan|the plan]] ![[Plan#Goals]] [plan](Plan.md) [p](<Plan.md#Goals>) `[[Plan]]`\n",
      "Board.canvas":
        '{"nodes":[{"id":"1","type":"file","file":"Plan.md"},{"id":"2","type":"text","text":"[[Plan]]"}]}',
      "Meta.md": '---\nup: "[[Plan]]"\n---\n',
      "View.base": 'filters:\n  and:\n    - file.hasLink("Plan")\n',
    });
    const before = files();
    const { recommendations } = await moveNote(vault, author, move("Plan", "Archive/2026 plan"));
    expect(files()).toEqual({
      "Archive/2026 plan.md": "See [[Other]].\n",
      "Other.md": "",
      "Index.md":
        "[[2026 plan]] [[2026 plan|the plan]] ![[2026 plan#Goals]] [plan](Archive/2026%20plan.md) [p](<Archive/2026 plan.md#Goals>) `[[Plan]]`\n",
      "Board.canvas":
        '{"nodes":[{"id":"1","type":"file","file":"Archive/2026 plan.md"},{"id":"2","type":"text","text":"[[2026 plan]]"}]}',
      "Meta.md": '---\nup: "[[2026 plan]]"\n---\n',
      "View.base": 'filters:\n  and:\n    - file.hasLink("2026 plan")\n',
    });
    expect(recommendations.filter(({ type }) => type === "link_update")).toHaveLength(4);
    await vault.journal.undo();
    expect(files()).toEqual(before);
  });

  it("only says what would change, if a preview is asked for", async () => {
    const { vault, files } = vaultWith({ "Plan.md": "", "Index.md": "[[Plan]] [[Plan]]", "Taken.md": "" });
    const before = files();
    const { newPath, recommendations } = await moveNote(vault, author, { ...move("Plan", "New"), preview: true });
    expect({ newPath, recommendations }).toEqual({
      newPath: "New.md",
      recommendations: [{ type: "link_update", message: "Would rewrite 2 links in Index.md" }],
    });
    await expect(moveNote(vault, author, { ...move("Plan", "Taken"), preview: true })).rejects.toThrow(
      "Cannot overwrite existing file",
    );
    expect(files()).toEqual(before);
    expect((await vault.journal.history({ limit: 1 })).entries).toEqual([]);
  });

  it("rewrites no link that still means the same", async () => {
    const { vault, read } = vaultWith({ "A/Plan.md": "", "Index.md": "[[Plan]]" });
    const { recommendations } = await moveNote(vault, author, move("A/Plan.md", "B/Plan.md"));
    expect(read("Index.md")).toBe("[[Plan]]");
    expect(recommendations).toEqual([]);
  });

  it("keeps the links of third notes when a second note gets the name", async () => {
    const { vault, read } = vaultWith({ "Deep/Folder/Plan.md": "", "Index.md": "[[Plan]]", "Draft.md": "" });
    await moveNote(vault, author, move("Draft.md", "Plan.md"));
    expect(read("Index.md")).toBe("[[Deep/Folder/Plan]]");
  });

  it("keeps the moved note's own relative links", async () => {
    const { vault, read } = vaultWith({
      "A/Note.md": "![x](img/x.png) [up](../Top.md)",
      "A/img/x.png": "",
      "Top.md": "",
    });
    await moveNote(vault, author, move("A/Note.md", "B/C/Note.md"));
    expect(read("B/C/Note.md")).toBe("![x](../../A/img/x.png) [up](../../Top.md)");
  });

  it("keeps the extension of an attachment if the new path has none", async () => {
    const { vault, files } = vaultWith({ "Board.canvas": '{"nodes":[]}', "v1.2": "text" });
    expect(await moveNote(vault, author, move("Board.canvas", "Archive/Plan"))).toMatchObject({
      newPath: "Archive/Plan.canvas",
    });
    await moveNote(vault, author, move("Archive/Plan.canvas", "Plan.json"));
    expect(Object.keys(files()).toSorted()).toEqual(["Plan.json", "v1.2"]);
  });

  it("moves an attachment, and the embeds of it", async () => {
    const { vault, read } = vaultWith({ "pic.png": "png", "Note.md": "![[pic.png]] ![](pic.png)" });
    await moveNote(vault, author, move("pic.png", "images/photo.png"));
    expect(read("Note.md")).toBe("![[photo.png]] ![](images/photo.png)");
  });

  it("overwrites only with the option, and undo restores both", async () => {
    const { vault, files } = vaultWith({ "A.md": "a", "B.md": "b" });
    await expect(moveNote(vault, author, move("A.md", "B.md"))).rejects.toThrow("Cannot overwrite existing file");
    await moveNote(vault, author, move("A.md", "B.md", true));
    expect(files()).toEqual({ "B.md": "a" });
    await vault.journal.undo();
    expect(files()).toEqual({ "A.md": "a", "B.md": "b" });
  });

  it("never overwrites a folder, and says where a link led that now leads elsewhere", async () => {
    const { vault, files } = vaultWith({
      "m.md": "m",
      "Archive.old/n.md": "n",
      "A.md": "",
      "B.md": "",
      "Index.md": "[[B]]",
    });
    const before = files();
    await expect(moveNote(vault, author, move("m.md", "Archive.old", true))).rejects.toThrow(
      "Cannot overwrite existing file",
    );
    expect(files()).toEqual(before);
    const { recommendations } = await moveNote(vault, author, move("A.md", "B.md", true));
    expect(recommendations).toEqual([
      { type: "link_captured", message: expect.stringContaining("led to the note that was overwritten") },
    ]);
  });

  it.each([
    ["Archive", "Archive/m.md"],
    ["Archive/", "Archive/m.md"],
    ["New folder/", "New folder/m.md"],
    ["/", "m.md"],
    ["Old/m", "Old/m.md"],
    ["Archive.md", "Archive.md"],
    ["Nowhere", "Nowhere.md"],
  ])("to %j goes into a folder that it names, and keeps its name there", async (sent, expected) => {
    const { vault, files } = vaultWith({ "A/m.md": "m", "Archive/n.md": "", "Old/m/x.md": "" });
    const { newPath } = await moveNote(vault, author, move("A/m.md", sent));
    expect(newPath).toBe(expected);
    expect(files()[expected]).toBe("m");
  });

  it("renames only the case of a name", async () => {
    const { vault, files } = vaultWith({ "plan.md": "p", "Index.md": "[[plan]]" });
    await moveNote(vault, author, move("plan.md", "Plan.md"));
    expect(files()).toMatchObject({ "Plan.md": "p" });
    expect(Object.keys(files())).toHaveLength(2);
  });

  it("says which links it could not look at, and which it could not keep", async () => {
    const { vault } = vaultWith({ "Plan.md": "", "Bad.md": Buffer.from([0xff, 0xfe, 0x41]), "Index.md": "[[Plan]]" });
    const { recommendations } = await moveNote(vault, author, move("Plan.md", "C#.md"));
    expect(recommendations.map(({ type }) => type).toSorted()).toEqual(["link_broken", "not_checked"]);
  });

  it("refuses what is not there, and a target that leaves the vault", async () => {
    const { vault } = vaultWith({ "A.md": "" });
    await expect(moveNote(vault, author, move("Nope", "B"))).rejects.toThrow("Note not found at path: Nope");
    await expect(moveNote(vault, author, move("A", "../B"))).rejects.toThrow("Path cannot contain '..'");
  });
});

describe("moving a folder", () => {
  it("keeps links into it, out of it and within it", async () => {
    const { vault, files } = vaultWith({
      "Projects/Alpha/Plan.md": "[[Projects/Alpha/Log]] [log](Log.md) [[Top]]",
      "Projects/Alpha/Log.md": "",
      "Top.md": "[[Projects/Alpha/Plan]] [x](Projects/Alpha/Log.md)",
    });
    const before = files();
    await moveFolder(vault, author, { path: "Projects/Alpha", newPath: "Archive/Alpha" });
    expect(files()).toEqual({
      "Archive/Alpha/Plan.md": "[[Archive/Alpha/Log]] [log](Log.md) [[Top]]",
      "Archive/Alpha/Log.md": "",
      "Top.md": "[[Archive/Alpha/Plan]] [x](Archive/Alpha/Log.md)",
    });
    await vault.journal.undo();
    expect(files()).toEqual(before);
  });

  it("is what moving a note does if no note has that path", async () => {
    const { vault, files } = vaultWith({
      "Trips/Kyoto.md": "",
      "Trips.md": "",
      "Both/x.md": "",
      "Top.md": "[[Both/x]]",
    });
    await moveNote(vault, author, move("Both", "Archive/Old"));
    await moveNote(vault, author, move("Trips", "Journeys"));
    expect(files()).toEqual({
      "Archive/Old/x.md": "",
      "Journeys.md": "",
      "Top.md": "[[Archive/Old/x]]",
      "Trips/Kyoto.md": "",
    });
    await expect(moveNote(vault, author, move("Trips/", "Archive/Old", true))).rejects.toThrow("already exists");
  });

  it("renames with a name, not with a path", () => {
    expect(renamedFolder("A/B", "C")).toBe("A/C");
    expect(() => renamedFolder("A/B", "C/D")).toThrow("Invalid path: C/D");
  });

  it("refuses to move into itself, onto something, the vault itself, or what is not there", async () => {
    const { vault } = vaultWith({ "A/x.md": "", "B/y.md": "" });
    await expect(moveFolder(vault, author, { path: "A", newPath: "A/C" })).rejects.toThrow("into itself");
    await expect(moveFolder(vault, author, { path: "A", newPath: "B" })).rejects.toThrow("File already exists: B");
    await expect(moveFolder(vault, author, { path: "/", newPath: "C" })).rejects.toThrow("Invalid path: /");
    await expect(moveFolder(vault, author, { path: "Nope", newPath: "C" })).rejects.toThrow("Folder not found: Nope");
  });
});

const thousandNotes = realData("vaults", "thousand-notes");

// To read a thousand notes with a second resolver takes ten seconds: that is a campaign.
describe.each([
  {
    of: "the sample vault",
    folder: join(SAMPLES, "vault"),
    isRun: true,
    moves: repeats({ short: 60, long: 1_000 }),
    links: 100,
  },
  {
    of: `a thousand notes ${REAL}`,
    folder: thousandNotes.folder,
    isRun: thousandNotes.isHere && IS_LONG,
    moves: 300,
    links: 500,
  },
])("random moves in $of", ({ folder: original, isRun, moves, links }) => {
  it.skipIf(!isRun).each([
    ["reading every note", false],
    ["asking the index", true],
  ])("leave every link meaning what it meant, as a second resolver sees it, %s", CAMPAIGN, async (_, withIndex) => {
    const { vault, folder } = vaultWith({});
    cpSync(original, folder, { recursive: true });
    if (withIndex) await vault.index.refresh();
    expect((await vault.index.filesLinking([], "none", new Turns())) !== undefined).toBe(withIndex);
    const start = filesIn(folder);
    // The meaning of each link, under the names that the notes had at the start.
    let names = new Map(Object.keys(start).map((path) => [path, path]));
    const meaning = (files: Record<string, string>) => {
      const found = naiveLinks(files);
      return Object.fromEntries(
        [...found].map(([path, targets]) => [names.get(path), targets.map((target) => target && names.get(target))]),
      );
    };
    const expected = meaning(start);
    expect(Object.values(expected).flat().filter(Boolean).length).toBeGreaterThan(links);

    const random = fc.sample(fc.tuple(fc.nat(), fc.nat(), fc.nat({ max: 5 })), { numRuns: moves, seed: 2026 });
    for (const [i, [pick, where, kind]] of random.entries()) {
      const paths = [...names.keys()].toSorted();
      const from = paths[pick % paths.length]!;
      const folders = [...new Set(paths.map((path) => path.slice(0, Math.max(0, path.lastIndexOf("/")))))];
      const fromFolder = from.slice(0, Math.max(0, from.lastIndexOf("/")));
      const rename = (moved: (path: string) => string) => {
        names = new Map([...names].map(([path, origin]) => [moved(path), origin]));
      };
      if (kind === 0 && fromFolder !== "") {
        const to = `Moved ${i}`;
        await moveFolder(vault, author, { path: fromFolder, newPath: to });
        rename((path) => (path.startsWith(`${fromFolder}/`) ? to + path.slice(fromFolder.length) : path));
      } else {
        const target = folders[where % folders.length]!;
        const name = from.slice(from.lastIndexOf("/") + 1);
        // A third of them take another note's name, so that names collide.
        const other = paths[where % paths.length]!.replace(/^.*\//, "");
        const newName =
          kind === 1 && other.endsWith(".md") && name.endsWith(".md") ? other : kind === 2 ? `New ${i} ${name}` : name;
        const to = target === "" ? newName : `${target}/${newName}`;
        if (paths.some((path) => path.toLowerCase() === to.toLowerCase())) continue;
        await moveNote(vault, author, move(from, to));
        rename((path) => (path === from ? to : path));
      }
    }
    expect(new Set(names.keys())).toEqual(new Set(Object.keys(filesIn(folder))));
    expect(meaning(filesIn(folder))).toEqual(expected);

    for (const _ of (await vault.journal.history({ limit: 1000 })).entries) await vault.journal.undo();
    expect(filesIn(folder)).toEqual(start);
  });
});
