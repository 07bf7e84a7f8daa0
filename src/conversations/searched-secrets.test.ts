// A search cannot confirm a guessed secret: the full text has no secrets.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { answer, ClaudeHome, prompt, record, said, toolResult } from "../../test/claude-home.ts";
import { redact, REDACTION } from "../redaction/redaction.ts";
import { openConversations } from "./conversation-library.ts";
import { claudeCode } from "./sources/claude-code/claude-code.ts";

/** @param redact by default nothing is redacted on the way out, so that only the index matters */
function open(home: ClaudeHome, redact = (text: string) => text) {
  const file = join(home.folder, "data", "conversations.db");
  const conversations = openConversations({ file, sources: [claudeCode], homes: [home], redact, log: () => {} });
  onTestFinished(() => conversations.close());
  const found = async (query: string) => {
    await conversations.sources({ complete: true, withTools: true });
    return (await conversations.recall({ query, includeTools: true, limit: 5 })).answer.total;
  };
  return { ...conversations, file, found };
}

const SECRET = "hunterpw99";
const ADDRESS = `postgres://admin:${SECRET}@db.local/shop`;

describe("a secret in a conversation", () => {
  it.each([
    ["that was typed", () => [prompt("1", `Why is the walrus refused by ${ADDRESS}?`)]],
    ["that was answered", () => [prompt("1", "Where is it?"), said("2", "m1", `The walrus is at ${ADDRESS} now.`)]],
    ["of a tool", () => [prompt("1", "Look"), toolResult("2", `walrus ${ADDRESS}`)]],
    ["in a title", () => [prompt("1", "Look"), record("ai-title", "2", { aiTitle: `The walrus of ${ADDRESS}` })]],
  ])("%s is not found, whole or by its beginning; the words beside it are", async (_, records) => {
    const home = new ClaudeHome();
    home.write("session", records());
    const { found } = open(home);
    expect(await found("walrus")).toBe(1);
    for (const guess of [SECRET, "hunterpw", "hunt"]) expect(await found(guess), guess).toBe(0);
  });

  it("that a command printed is neither found nor shown, although its call is another message", async () => {
    const secret = "7saG0Nc20tY2XHRMvR2wZQwvbL0x";
    const asked = [
      prompt("1", "Show it"),
      answer("2", "m1", { type: "tool_use", name: "Bash", input: { command: "op read op://Private/db/walrus" } }),
    ];
    const home = new ClaudeHome();
    home.write("session", [...asked, toolResult("3", `${secret}\n`)]);
    const { found } = open(home);
    expect(await found("walrus")).toBe(1);
    expect(await found(secret)).toBe(0);

    // Read while the command runs, it is in the store before its output comes.
    const other = new ClaudeHome();
    other.write("session", asked);
    const running = open(other, redact);
    await running.found("walrus");
    other.write("session", [...asked, toolResult("3", `${secret}\n`)]);
    await running.found("walrus");
    const conversation = await running.find("session", { complete: true, withTools: true });
    const shown = [...running.messages(conversation)].flat().map(({ text }) => text);
    expect(shown.at(-1)).toMatch(/^\[redacted: /);
    expect(shown.join("\n")).not.toContain(secret);
  });

  it("that an earlier release has indexed is not found any more", async () => {
    const home = new ClaudeHome();
    home.write("session", [prompt("1", `Why is the walrus refused by ${ADDRESS}?`), toolResult("2", "heron")]);
    const first = open(home);
    await first.found("walrus");
    await first.close();
    const database = new DatabaseSync(first.file);
    const insertRaw = `INSERT INTO text (rowid, title, prose) SELECT id, '', 'walrus ${SECRET}' FROM page WHERE NOT is_rest`;
    database.exec(`DELETE FROM text WHERE rowid IN (SELECT id FROM page); ${insertRaw}`);
    database.exec("DROP TABLE unredacted; ALTER TABLE holding ADD COLUMN turns; PRAGMA user_version = 5");
    database.exec("ALTER TABLE content DROP COLUMN clean; DROP TABLE usage");
    database.close();
    const { found } = open(home);
    expect(await found("walrus")).toBe(1);
    expect(await found(SECRET)).toBe(0);
  });

  it("that another release did not recognise is neither found nor shown", async () => {
    const home = new ClaudeHome();
    home.write("one", [prompt("1", "Where is it?"), said("3", "m1", `The walrus is at ${ADDRESS} now.`)]);
    home.write("two", [prompt("2", "Why is the heron refused?")]);
    const first = open(home);
    await first.found("walrus");
    await first.close();
    const database = new DatabaseSync(first.file);
    onTestFinished(() => database.close());
    const clean = () => database.prepare("SELECT clean FROM content JOIN page ON page.id = page ORDER BY unit").all();
    expect(clean()).toEqual([{ clean: null }, { clean: REDACTION }]);
    // As a release that recognises no such address leaves it.
    database.exec("UPDATE content SET clean = 1; UPDATE state SET value = 1 WHERE key = 'redaction'");
    database.exec("DELETE FROM text WHERE rowid IN (SELECT id FROM page)");
    database.exec(`INSERT INTO text (rowid, title, prose) SELECT min(id), '', 'walrus ${SECRET}' FROM page`);
    const shown = open(home, redact);
    const { answer } = await shown.recall({ query: "walrus", limit: 5 }, { asItIs: true });
    expect(answer.conversations[0]!.snippet).toMatch(/walrus is at .*redacted/);
    expect(JSON.stringify(answer)).not.toContain(SECRET);
    await shown.close();
    const { found } = open(home);
    expect(await found(SECRET)).toBe(0);
    expect(await found("walrus")).toBe(1);
    expect(clean()).toEqual([{ clean: null }, { clean: REDACTION }]);
  });

  it("that only another message shows to be one is not taken for none", async () => {
    const home = new ClaudeHome();
    const [asked, answered] = ["Password:", "`Kq25xR7tuWm9Zz8Yy7` heron"];
    home.write("session", [prompt("1", asked), said("2", "m1", answered)]);
    expect(redact(answered)).toContain("Kq25xR7tuWm9Zz8Yy7");
    const { recall, found } = open(home, redact);
    await found("heron");
    const { answer } = await recall({ query: "heron", limit: 5 });
    expect(answer.conversations[0]!.snippet).toContain("heron");
    expect(answer.conversations[0]!.snippet).not.toContain("Kq25xR7tuWm9Zz8Yy7");
  });
});
