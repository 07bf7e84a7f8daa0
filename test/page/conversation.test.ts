// Conversations in the page: found, read as a thread, resumed, and updated while
// they continue; and hostile text in them.
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../processes/program.ts";
import { HOSTILE_TEXTS } from "./hostile-texts.ts";
import { BROWSER, isSkipped, servePage, writeSampleVault, type OpenServer } from "./open-page.ts";
import { SAMPLE_CONVERSATIONS, writeConversations, type SampleConversation } from "./sample-conversations.ts";

/** A server with these conversations in its home folder, and the transcript file of the first. */
async function serveConversations(conversations: readonly SampleConversation[]) {
  const home = temporaryFolder();
  writeConversations(home, conversations);
  const folder = join(home, ".claude", "projects");
  const [project = ""] = readdirSync(folder);
  const file = join(folder, project, `${conversations[0]!.id}.jsonl`);
  return { server: await servePage(writeSampleVault(), { HOME: home, USERPROFILE: home }), file };
}

describe.skipIf(isSkipped)("a conversation", BROWSER, () => {
  const [beans, index] = SAMPLE_CONVERSATIONS;
  let server: OpenServer;
  let file: string;
  beforeAll(async () => {
    ({ server, file } = await serveConversations(SAMPLE_CONVERSATIONS));
  });

  it("is listed by day, newest first", async () => {
    const { page, faults } = await server.open("/conversation/");
    await page.locator(".result").nth(2).waitFor();
    expect(await page.locator(".result-title").first().textContent()).toContain("runner beans");
    expect(await page.locator(".count").first().textContent()).toBe("3 conversations");
    const programs = page.getByRole("region", { name: "Programs" });
    expect(await programs.getByRole("listitem").allTextContents()).toEqual(["Claude Code3"]);
    expect(faults).toEqual([]);
  });

  it("is a thread with folded tool calls, coloured code and the command that resumes it", async () => {
    const { page, context } = await server.open(`/conversation/${beans!.id}`);
    await page.locator(".message").getByText("Which of my beds").first().waitFor();
    expect(await page.locator(".message-head:not(.visually-hidden) .message-role").allTextContents()).toEqual([
      "You",
      "Claude Code",
      "You",
    ]);
    const tools = page.locator(".steps", { hasText: "contentManager_readContent" });
    expect(await tools.getByText("Four beds, four years").isVisible()).toBe(false);
    await tools.locator("summary").click();
    await tools.getByText("Four beds, four years").waitFor();
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: /^Copy the command/ }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(
      `cd /home/person/layers && claude --resume ${beans!.id}`,
    );
    await page.goto(`${server.origin}/conversation/${index!.id}`);
    await page.locator(".code-keyword", { hasText: "export" }).waitFor();
  });

  it("is found together with notes, and opened at the message that matches", async () => {
    const { page } = await server.open("/search?q=legumes+potatoes");
    await page.locator(".result", { hasText: "Garden/Crop rotation.md" }).waitFor();
    const found = page.locator(".result", { hasText: "Which of my beds" });
    await found.getByRole("link").click();
    await page.waitForURL(/\/conversation\/.*message=.*&q=legumes/);
    await page.locator(".message.is-found").waitFor();
    await expect.poll(() => page.evaluate("CSS.highlights.get('match')?.size")).toBeGreaterThan(0);
  });

  it("is filtered by source and project", async () => {
    const { page } = await server.open("/search?q=index");
    await page.locator(".result").first().waitFor();
    await page.getByRole("button", { name: /^Claude Code/ }).click();
    await page.waitForURL(/source=claude-code/);
    await page.locator(".result", { hasText: "Work/" }).waitFor({ state: "detached" });
    await page.locator(".result", { hasText: "What did we decide" }).waitFor();
    await page.getByRole("button", { name: /^layers/ }).click();
    await page.waitForURL(/project=/);
    await page.locator(".result", { hasText: "What did we decide" }).waitFor();
  });

  it("is counted per day and source in the activity view", async () => {
    const { page } = await server.open("/activity");
    const plot = page.getByRole("img", { name: /^Conversations in the last 56 days\. Claude Code: 3/ });
    await plot.waitFor();
    expect(await plot.locator("rect.colour-0").count()).toBe(3);
    await page.getByText(/^up to \d+ conversations? per day$/).waitFor();
  });

  it("is updated in the page while it continues elsewhere", async () => {
    const { page } = await server.open(`/conversation/${beans!.id}`);
    await page.locator(".message", { hasText: "Add that to the garden year." }).waitFor();
    const last = JSON.parse(readFileSync(file, "utf8").trim().split("\n").at(-1)!) as { uuid: string };
    const message = {
      id: "message_later",
      type: "message",
      role: "assistant",
      content: [{ type: "text", text: "It is added." }],
    };
    appendFileSync(
      file,
      `${JSON.stringify({ ...last, type: "assistant", uuid: "6f0f1c1e-2b7a-4c52-9d5e-0a1b2c3dffff", parentUuid: last.uuid, timestamp: new Date().toISOString(), message })}\n`,
    );
    await page.getByText("It is added.").waitFor();
  });
});

describe.skipIf(isSkipped)("a conversation that was forked", BROWSER, () => {
  it("links to what it continues, and to what continues it", async () => {
    const [first] = SAMPLE_CONVERSATIONS;
    const said = [
      ...first!.said.slice(0, 1),
      { role: "user" as const, text: "And the south bed?" },
      { role: "assistant" as const, text: "Tomatoes, as last year." },
    ];
    const fork = { id: "6f0f1c1e-2b7a-4c52-9d5e-0a1b2c3d4e0f", age: 0.1, said, forkedFrom: first!.id };
    const { server } = await serveConversations([first!, fork]);
    const { page, faults } = await server.open(`/conversation/${fork.id}`);
    const links = page.locator(".relatives");
    await links.getByText("Continues").waitFor();
    await links.getByRole("link", { name: /^Which of my beds/ }).press("Enter");
    await page.locator(".message", { hasText: "Add that to the garden year." }).waitFor();
    await links.getByText("Continued in").waitFor();
    await links.getByRole("link").press("Enter");
    await page.locator(".message", { hasText: "Tomatoes, as last year." }).waitFor();
    expect(faults).toEqual([]);
  });
});

describe.skipIf(isSkipped)("hostile text in a conversation", BROWSER, () => {
  it("stays text", async () => {
    const said = HOSTILE_TEXTS.map((text, i) => ({
      role: i % 2 === 0 ? ("user" as const) : ("assistant" as const),
      text: `${text}\n\nharmless ${i}`,
      ...(i % 4 === 1 && { tool: { name: `Tool ${text}`, input: { text }, output: text } }),
    }));
    const id = "6f0f1c1e-2b7a-4c52-9d5e-0a1b2c3d4eff";
    const { server } = await serveConversations([{ id, age: 0.1, said }]);
    const { page, requests, faults } = await server.open(`/conversation/${id}`);
    await page.locator(".message", { hasText: "harmless 0" }).first().waitFor();
    for (const summary of await page.locator(".steps summary").all()) await summary.click();
    await page.evaluate("scrollTo(0, document.body.scrollHeight)");
    await page.getByText(`harmless ${HOSTILE_TEXTS.length - 1}`).waitFor({ state: "attached" });
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    const harm =
      "main script, main iframe, main object, main embed, main link, main form, main [onerror], main [onclick], main a[href^='javascript' i], main a[href^='data' i]";
    expect(await page.locator(harm).count()).toBe(0);
    expect(faults).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(server.origin))).toEqual([]);
  });
});
