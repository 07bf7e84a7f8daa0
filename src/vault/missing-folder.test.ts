import { describe, expect, it } from "vitest";
import { vaultWith } from "../../test/fixtures/vaults.ts";
import { listFolder } from "./folders.ts";

const OPTIONS = { depth: 1, includeFiles: true, includeFolders: true };

describe("a folder that is missing", () => {
  const { vault } = vaultWith({ "Encyclopedia/A/Atbara.md": "", "Notes/x.md": "" });
  const hintFor = async (path: string): Promise<string> => {
    try {
      await listFolder(vault, path, OPTIONS);
    } catch (error) {
      expect(error).toMatchObject({ code: "not_found", message: `Folder not found: ${path}` });
      return (error as { hint: string }).hint;
    }
    throw new Error("It was found.");
  };

  it.each([
    ["Encyclopedi", `Did you mean 'Encyclopedia'? vaultManager_listDirectory {"path":"Encyclopedia"}`],
    ["Encyclopedia/X", `To see which folders there are: vaultManager_listDirectory {"path":"Encyclopedia"}`],
    ["Encyclopedia/X/Y", `To see which folders there are: vaultManager_listDirectory {"path":"Encyclopedia"}`],
    ["Quite another", `To see which folders there are: vaultManager_listDirectory {"path":"/"}`],
  ])("is answered with the name that may be meant, or a call that lists what is there: %s", async (path, hint) => {
    expect(await hintFor(path)).toBe(hint);
  });
});
