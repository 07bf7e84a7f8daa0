// Names that the disk has decomposed, as those from a Mac: whatever takes a path
// or a name finds them by the composed one, which people and models send.
import { describe, expect, it } from "vitest";
import { vaultWith } from "../../test/fixtures/vaults.ts";
import { linksOf } from "./link-report.ts";
import { meantPlace } from "./meant-place.ts";
import { readNote } from "./notes/note-reader.ts";
import { queryVault } from "./query/query.ts";

const stored = (path: string) => path.normalize("NFD");
const [NOTE, FOLDER] = ["Café.md", "Zürich"];

const { vault } = vaultWith({
  [stored(NOTE)]: "[[Zürich/Öl]]",
  [stored(`${FOLDER}/Öl.md`)]: "---\nort: Genève\n---\n- [ ] a",
  "Plain.md": `[[${NOTE}]]`,
});

describe("a file whose name the disk has decomposed", () => {
  it.each([NOTE, "Café", "[[Café]]", stored(NOTE), "Zürich/Öl", "Öl", "zürich", `${FOLDER}/`])(
    "is found by %s",
    async (sent) => {
      const isFolder = /^z[^/]*\/?$/i.test(sent);
      const path = isFolder ? FOLDER : sent.endsWith("l") ? "Zürich/Öl.md" : NOTE;
      expect(await meantPlace(vault, sent)).toEqual({ path: stored(path), kind: isFolder ? "folder" : "file" });
    },
  );

  it("is read, and has its links", async () => {
    expect((await readNote(vault, NOTE)).note.text).toBe("[[Zürich/Öl]]");
    const outgoing = await linksOf(vault, { path: NOTE, type: "outgoing" });
    expect(outgoing.links).toEqual([{ from: stored(NOTE), to: stored("Zürich/Öl.md"), target: "Zürich/Öl" }]);
    expect((await linksOf(vault, { path: FOLDER, type: "backlinks" })).links).toHaveLength(1);
  });

  it.each([
    ['file.inFolder("Zürich")', "Zürich/Öl.md"],
    ['file.folder == "Zürich"', "Zürich/Öl.md"],
    ['file.name == "Café"', NOTE],
    [`file.name == "${stored("Café")}"`, NOTE],
    ['file.basename == "Café"', NOTE],
    ['file.path == "Café.md"', NOTE],
    ['file == "Café.md"', NOTE],
    [`file.inFolder("${stored("Zürich")}")`, "Zürich/Öl.md"],
    [`ort == "${stored("Genève")}"`, "Zürich/Öl.md"],
  ])("passes the condition %s", async (where, path) => {
    expect([...(await queryVault(vault, { where })).rows(0)]).toEqual([[stored(path)]]);
  });
});
