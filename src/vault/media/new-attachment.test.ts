import { describe, expect, it } from "vitest";
import { png } from "../../../test/fixtures/media-files.ts";
import { vaultWith } from "../../../test/fixtures/vaults.ts";
import { addAttachment } from "./new-attachment.ts";

const author = { tool: "page" };
const image = { name: "image.png", bytes: png(2, 3) };

describe("an image that is added to a note", () => {
  it.each([
    [undefined, ""],
    ["/", ""],
    ["Files/Images", "Files/Images/"],
    ["./", "Trips/"],
    [".", "Trips/"],
    ["./media", "Trips/media/"],
  ])("is put where the setting %j says", async (attachmentFolderPath, folder) => {
    const { vault, files } = vaultWith({
      "Trips/Kyoto.md": "",
      ".obsidian/app.json": JSON.stringify({ attachmentFolderPath }),
    });
    const path = await addAttachment(vault, author, { ...image, note: "Trips/Kyoto.md", name: "temple.png" });
    expect(path).toBe(`${folder}temple.png`);
    expect(Object.keys(files())).toContain(path);
    await vault.journal.undo();
    expect(Object.keys(files())).not.toContain(path);
  });

  it("is named by the time if its name says nothing, and never like another file", async () => {
    const { vault } = vaultWith({ "Note.md": "", "temple.png": "" });
    const add = (name: string) => addAttachment(vault, author, { ...image, note: "Note.md", name });
    expect(await add("temple.png")).toBe("temple 1.png");
    expect(await add("temple.jpg")).toBe("temple 2.png");
    expect(await add("image.png")).toMatch(/^Pasted image \d{14}\.png$/);
    expect(await add("../../[x]#y.png")).toBe("x y.png");
  });

  it.each(["../out", "/../..", ".obsidian", "C:\\x"])(
    "is refused if the setting leads to %s",
    async (attachmentFolderPath) => {
      const { vault, files } = vaultWith({
        "Note.md": "",
        ".obsidian/app.json": JSON.stringify({ attachmentFolderPath }),
      });
      const before = files();
      await expect(addAttachment(vault, author, { ...image, note: "Note.md" })).rejects.toThrow();
      expect(files()).toEqual(before);
    },
  );

  it("is refused if it is not an image, or the note is not there", async () => {
    const { vault } = vaultWith({ "Note.md": "" });
    const bytes = Buffer.from("<svg onload=alert(1)>");
    await expect(addAttachment(vault, author, { ...image, note: "Note.md", bytes })).rejects.toThrow("not a PNG");
  });
});
