// The history of a note goes on before it was moved.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callContext } from "../../test/fixtures/call-context.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { readSettings } from "../settings.ts";
import { openCommonplace, type Commonplace } from "./app.ts";

describe("the history of a note", () => {
  const folder = temporaryFolder();
  let commonplace: Commonplace;
  beforeAll(() => {
    const vaults = ["Home", "Work"].map((name) => `${name}=${join(folder, name)}`).join("|");
    for (const name of ["Home", "Work"]) {
      mkdirSync(join(folder, name, "Ideas"), { recursive: true });
      writeFileSync(join(folder, name, "Ideas", "Tea.md"), "Tea\n");
      writeFileSync(join(folder, name, "Link.md"), "See [[Tea]].\n");
    }
    const settings = readSettings({ home: join(folder, "home"), toolsets: "all" }, { COMMONPLACE_VAULT: vaults }, "/");
    commonplace = openCommonplace(settings, { log: () => {} });
  });
  afterAll(() => commonplace.close());

  const call = async (name: "history" | "undo" | "redo" | string, sent: object) => {
    const context = callContext({ sessionId: "s" });
    const answer = await commonplace.call(name as "history", { ...sent, context }, { asker: "program" });
    expect(answer!.isError, JSON.stringify(answer!.structuredContent)).toBeUndefined();
    return answer!.structuredContent as unknown as { readonly entries: readonly { readonly message: string }[] };
  };
  const append = (filePath: string, content: string, vault: string) =>
    call("contentManager_appendContent", { filePath, content, vault });
  const historyOf = async (path: string, vault: string) =>
    (await call("history", { path, vault })).entries.map(({ message }) => message);

  it("has what was done at its earlier places, in its vault alone, and not what another note did there since", async () => {
    await append("Ideas/Tea.md", "one\n", "Work");
    await append("Ideas/Tea.md", "elsewhere\n", "Home");
    await call("vaultManager_moveNote", { path: "Ideas/Tea.md", newPath: "Ideas/Green tea.md", vault: "Work" });
    await append("Ideas/Green tea.md", "two\n", "Work");
    await call("vaultManager_moveFolder", { path: "Ideas", newPath: "Drinks", vault: "Work" });
    await call("contentManager_createContent", { filePath: "Ideas/Tea.md", content: "another\n", vault: "Work" });
    await append("Drinks/Green tea.md", "three\n", "Work");
    const whole = [
      "Appended to Drinks/Green tea.md",
      expect.stringContaining("Moved Ideas to Drinks"),
      "Appended to Ideas/Green tea.md",
      expect.stringContaining("Moved Ideas/Tea.md to Ideas/Green tea.md"),
      "Appended to Ideas/Tea.md",
    ];
    expect(await historyOf("Drinks/Green tea.md", "Work")).toEqual(whole);
    expect(await historyOf("Drinks/Green tea", "Work")).toEqual(whole);
    expect(await historyOf("Ideas/Tea.md", "Home")).toEqual(["Appended to Ideas/Tea.md"]);
    // A move that was undone has moved nothing.
    await call("vaultManager_moveNote", { path: "Drinks/Green tea.md", newPath: "Matcha.md", vault: "Work" });
    await call("undo", { vault: "Work" });
    await call("contentManager_createContent", { filePath: "Matcha.md", content: "x\n", vault: "Work" });
    expect(await historyOf("Matcha.md", "Work")).not.toContain("Appended to Ideas/Tea.md");
  });
});
