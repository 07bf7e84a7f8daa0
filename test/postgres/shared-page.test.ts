// The page of a machine with a shared store, in a real Chromium: it names the
// member who wrote, and the space in which a conversation is shared.
import { beforeAll, describe, expect, it } from "vitest";
import { BROWSER, isSkipped, servePage, showChanges, type OpenServer } from "../page/open-page.ts";
import { writeConversations } from "../page/sample-conversations.ts";
import { runProgram, temporaryFolder } from "../processes/program.ts";
import { SUPERUSER } from "./cluster.ts";
import { HAS_POSTGRESQL, newDatabase } from "./store-fixture.ts";

const ID = "9f0f1c1e-2b7a-4c52-9d5e-0a1b2c3d4e01";

describe.runIf(HAS_POSTGRESQL && !isSkipped)("the page of a machine with a shared store", BROWSER, () => {
  let server: OpenServer;
  beforeAll(async () => {
    const database = await newDatabase();
    const [alice, bob] = [await database.newLogin("alice"), await database.newLogin("bob")];
    const machineOf = (login: string) => ({
      home: temporaryFolder(),
      env: { COMMONPLACE_STORE: database.address(login), COMMONPLACE_VAULT: "store:team" },
    });
    const [admin, one] = [machineOf(SUPERUSER), machineOf(alice)];
    await runProgram(["store", "init", "--space", "team"], admin);
    await runProgram(["store", "add", "alice", "--login", alice], admin);
    await runProgram(["store", "add", "bob", "--login", bob], admin);
    const said = [
      { role: "user" as const, text: "Where do the `manatees` swim?" },
      { role: "assistant" as const, text: "In warm rivers." },
    ];
    writeConversations(one.home, [{ id: ID, age: 0.1, said }]);
    await runProgram(["push", "conversations", "--project", "layers"], one);
    const note = { filePath: "Manatees.md", content: "Warm rivers.\n" };
    await runProgram(["call", "contentManager_createContent", JSON.stringify(note)], one);
    const { env } = machineOf(bob);
    server = await servePage(env.COMMONPLACE_VAULT, env);
  });

  it("names the member whose conversation it is, and the space, in the list and in the conversation", async () => {
    const { page, faults } = await server.open("/conversation/");
    await page.getByText("Claude Code › layers, shared by alice in team").waitFor();
    await page
      .getByRole("main")
      .getByRole("link", { name: /Where do the manatees swim\?/ })
      .click();
    await page.getByRole("heading", { name: "Where do the manatees swim?", level: 1 }).waitFor();
    await page.locator(".thread-facts").getByText("shared by alice in team").waitFor();
    expect(await page.locator(".message-role").allTextContents()).toEqual(["alice", "Claude Code"]);
    await page.goto(`${server.origin}/search?q=manatees`);
    await page.getByText("Claude Code › layers, shared by alice in team").waitFor();
    expect(faults).toEqual([]);
  });

  it("names the member who changed a note, in the activity and beside the note", async () => {
    const { page, faults } = await server.open("/activity");
    await showChanges(page);
    await page
      .getByRole("region", { name: /^alice/ })
      .locator(".change", { hasText: "Manatees.md" })
      .waitFor();
    await page.goto(`${server.origin}/note/Manatees.md`);
    await page.getByRole("region", { name: "History" }).getByText("by alice").waitFor();
    // The space is named where the vault is.
    await page.goto(`${server.origin}/status`);
    await page.getByText("store:team", { exact: true }).first().waitFor();
    expect(faults).toEqual([]);
  });
});
