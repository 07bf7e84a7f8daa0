// Past conversations, end to end: the packed program and a real client, on a
// home folder with transcripts that are made here, and on a copy of real ones.
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { answer, prompt, said, toolResult } from "../claude-home.ts";
import { connectStdio, runProgram, temporaryFolder } from "../processes/program.ts";
import { HOMES } from "../samples.ts";

type Found = Record<string, unknown> & { readonly id: string; readonly relevance_score: number };

interface Recalled {
  readonly conversations: readonly Found[];
  readonly summary: {
    readonly total_conversations_found: number;
    readonly conversations_returned: number;
    readonly searched_since?: string;
    readonly older_conversations_found?: number;
    readonly hint?: string;
  };
  readonly sources: Readonly<Record<string, Record<string, unknown>>>;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly groups?: readonly { readonly key: string; readonly count: number }[];
  readonly truncated?: boolean;
  readonly total?: number;
  readonly nextCursor?: string;
}

async function call(client: Client, name: string, sent: object = {}) {
  const result = await client.callTool({ name, arguments: { ...sent } });
  expect(result.isError, JSON.stringify(result.content)).toBeUndefined();
  return result.structuredContent as Record<string, unknown>;
}

const recall = async (client: Client, sent: object = {}) =>
  (await call(client, "recall_conversations", { fast_mode: false, ...sent })) as unknown as Recalled;

const SECRET = `ghp_${"aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYz1Q2"}`;

/** Two conversations in one project and one in another, an hour old. */
function homeWithConversations(): string {
  const home = temporaryFolder();
  const write = (session: string, folder: string, records: readonly object[]) => {
    const path = join(home, ".claude", "projects", folder.replace(/[^a-z]/g, "-"), `${session}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, records.map((record) => `${JSON.stringify({ ...record, cwd: folder })}\n`).join(""));
  };
  write("11111111-cart", "/code/shop", [
    prompt("1", "The tests of src/cart.ts fail with an exception"),
    said("2", "m1", "The rounding of prices was wrong. It is fixed in src/cart.ts."),
    toolResult("3", "narwhal in the output"),
  ]);
  write("22222222-key", "/code/shop", [
    prompt("4", `Why is my token ${SECRET} refused?`),
    said("5", "m2", `The token ${SECRET} has expired.`),
  ]);
  write("33333333-blog", "/code/blog", [
    prompt("6", "Write about rounding numbers"),
    said("7", "m3", "Here is a draft."),
  ]);
  return home;
}

const inShop = ["--toolsets", "recall", "--project", "/code/shop"];

describe("recalling conversations", () => {
  it("says how many there are below min_score if none is above it", async () => {
    const client = await connectStdio(homeWithConversations(), {}, inShop);
    expect((await recall(client, { min_score: 4.9, since: "all" })).summary).toEqual({
      total_conversations_found: 0,
      conversations_returned: 0,
      below_min_score: 3,
      hint: "Search for words, or send a lower min_score.",
    });
    expect((await recall(client, { search_query: "pangolin" })).summary).not.toHaveProperty("below_min_score");
  });

  it("have the way back into the first five, and with details into all", async () => {
    const home = temporaryFolder();
    const ids = Array.from({ length: 7 }, (_, n) => `11111111-0000-4000-8000-00000000000${n}`);
    const folder = join(home, ".claude", "projects", "-code-shop");
    mkdirSync(folder, { recursive: true });
    for (const id of ids)
      writeFileSync(
        join(folder, `${id}.jsonl`),
        `${JSON.stringify({ ...prompt(id, "Round prices"), cwd: "/code/shop" })}\n`,
      );
    const client = await connectStdio(home, {}, inShop);
    const { conversations: rows } = await recall(client, { search_query: "prices" });
    const lines = rows.map(({ id }, at) => (at < 5 ? `cd /code/shop && claude --resume ${id}` : undefined));
    expect(rows.map(({ resume }) => resume)).toEqual(lines);
    const { conversations: detailed } = await recall(client, { search_query: "prices", details: true });
    expect(detailed.map(({ resume }) => resume)).toEqual(
      detailed.map(({ id }) => `cd /code/shop && claude --resume ${id}`),
    );
    const { conversation } = (await call(client, "read_conversation", { id: ids[0] })) as { conversation: object };
    expect(conversation).toMatchObject({ resume: `cd /code/shop && claude --resume ${ids[0]}` });
  });

  it("says that there are older ones if none is of the last days", async () => {
    const home = temporaryFolder();
    const file = join(home, ".claude", "projects", "-code-shop", "old.jsonl");
    mkdirSync(dirname(file), { recursive: true });
    const inMarch = { ...prompt("1", "How do we round prices?"), timestamp: "2026-03-03T10:00:00.000Z" };
    writeFileSync(file, `${JSON.stringify(inMarch)}\n`);
    const client = await connectStdio(home, {}, inShop);
    expect((await recall(client, { search_query: "round prices" })).summary).toEqual({
      total_conversations_found: 0,
      conversations_returned: 0,
      searched_since: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00Z$/),
      older_conversations_found: 1,
      hint: 'Send since: "all".',
    });
    expect((await recall(client, { search_query: "round prices", since: "all" })).conversations).toHaveLength(1);
    expect((await recall(client, { search_query: "pangolin" })).summary).not.toHaveProperty("hint");
    const unknown = await recall(client, { search_query: "prices of a pangolin", since: "all" });
    expect(unknown).toMatchObject({ not_found: ["pangolin"], summary: { note: "No text has: pangolin." } });
    // Of older conversations.
    expect(await recall(client, { search_query: "prices" })).not.toHaveProperty("not_found");
  });

  it("gives the newest older ones without words if none is of the last days and no time was sent", async () => {
    const home = temporaryFolder();
    for (const month of [1, 2, 3]) {
      const file = join(home, ".claude", "projects", "-code-shop", `month-${month}.jsonl`);
      mkdirSync(dirname(file), { recursive: true });
      const record = { ...prompt(`u${month}`, "Round the prices"), timestamp: `2026-0${month}-03T10:00:00.000Z` };
      writeFileSync(file, `${JSON.stringify(record)}\n`);
    }
    const client = await connectStdio(home, {}, ["--toolsets", "recall", "--project", "/code/other"]);
    const newest = await recall(client, { limit: 2 });
    expect(newest.conversations.map(({ id }) => id)).toEqual(["month-3", "month-2"]);
    expect(newest.parameters).toEqual({ fast_mode: false, days_lookback: 30, limit: 2, min_score: 1 });
    expect(newest.summary).toEqual({
      total_conversations_found: 3,
      conversations_returned: 2,
      note: "No conversation is of the last 30 days: these are the newest older ones.",
    });
    for (const sent of [{ days_lookback: 30 }, { since: "30d" }]) {
      const { conversations, summary } = await recall(client, sent);
      expect([conversations, summary.older_conversations_found, summary.hint]).toEqual([[], 3, 'Send since: "all".']);
    }
    expect((await recall(client, { search_query: "prices" })).conversations).toEqual([]);
    expect((await recall(client, { user_prompt: "prices" })).conversations).toEqual([]);
    expect((await recall(client, { since: "2026-02" })).conversations).toHaveLength(2);
    expect((await recall(client, { since: "2026-02", min_score: 1.9 })).conversations).toEqual([]);
  });

  it("accepts the names of days and months, and says what was searched and how many older ones match", async () => {
    const home = temporaryFolder();
    const noon = (days: number) => new Date(new Date().setHours(12, 0, 0, 0) - days * 24 * 3_600_000).toISOString();
    for (const days of [1, 3, 40]) {
      const file = join(home, ".claude", "projects", "-code-shop", `before-${days}-days.jsonl`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${JSON.stringify({ ...prompt(`u${days}`, "Round the prices"), timestamp: noon(days) })}\n`);
    }
    const client = await connectStdio(home, {}, inShop);
    const found = async (since: string) => {
      const { summary } = await recall(client, { search_query: "prices", since });
      return [summary["total_conversations_found"], summary["older_conversations_found"] ?? 0];
    };
    expect(await found("yesterday")).toEqual([1, 2]);
    expect(await found("3d")).toEqual([2, 1]);
    expect(await found("2 months ago")).toEqual([3, 0]);
    expect(await found("all")).toEqual([3, 0]);
    const { summary } = await recall(client, { search_query: "prices", since: "yesterday" });
    expect(new Date(String(summary["searched_since"])).getHours()).toBe(0);
    const refused = await client.callTool({ name: "recall_conversations", arguments: { since: "whenever" } });
    expect(JSON.stringify(refused)).toMatch(/since must be a date.*last week, 7d, all; not .*whenever/);
  });

  it("lists the newest of all projects without words, with the fields by which one is chosen, and all others on request", async () => {
    const client = await connectStdio(homeWithConversations(), {}, inShop);
    const { conversations, summary, sources } = await recall(client);
    expect(conversations.map(({ id }) => id).toSorted()).toEqual(["11111111-cart", "22222222-key", "33333333-blog"]);
    expect(conversations.every(({ relevance_score }) => relevance_score >= 1)).toBe(true);
    expect(summary).toEqual({
      total_conversations_found: 3,
      conversations_returned: 3,
      searched_since: expect.stringContaining("T"),
    });
    const lean = {
      id: "11111111-cart",
      title: "The tests of src/cart.ts fail with an exception",
      source_tool: "claude-code",
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      message_count: 2,
      relevance_score: expect.any(Number),
      // The title says all that was asked.
      snippet: "",
      conversation_type: "debugging",
      project: "shop",
      model: "claude-opus",
    };
    const cart = <T extends { readonly id: string }>(all: readonly T[]) => all.find(({ id }) => id === lean.id)!;
    const detailed = cart((await recall(client, { details: true })).conversations);
    expect(cart(conversations)).toEqual(lean);
    expect(detailed).toEqual({
      ...lean,
      created_at: expect.stringMatching(/Z$/),
      score_parts: { text: 1, recency: expect.any(Number), project: 1.1, files: expect.any(Number), type: 0.24 },
      workspace_id: "-code-shop",
      branch: "main",
      keywords: expect.arrayContaining(["tests", "exception"]),
      file_references: ["src/cart.ts"],
    });
    const parts = detailed["score_parts"] as Record<string, number>;
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(cart(conversations).relevance_score);
    expect(sources).toEqual({ "claude-code": { found: 3, skipped: 0, unreadable: 0 } });
    expect((await recall(client, { details: true })).sources["cursor"]).toMatchObject({ note: "not installed here" });
  });

  it("names similar projects if none has the name", async () => {
    const client = await connectStdio(homeWithConversations(), {}, inShop);
    const hintFor = async (project: string, more: object = {}) =>
      (await recall(client, { project, since: "all", min_score: 0, ...more })).summary.hint;
    expect(await hintFor("shpo")).toBe("No conversation was in a project called shpo. Similar names: shop.");
    expect(await hintFor("blog posts")).toContain("Similar names: blog.");
    expect(await hintFor("zebra")).toContain("The field project of any result has its name.");
    expect(await hintFor("shop", { search_query: "zebra" })).toBeUndefined();
  });

  it("finds words in any project, and filters by tags, types, programs, time and project", async () => {
    const client = await connectStdio(homeWithConversations(), {}, inShop);
    const ids = async (sent: object) => (await recall(client, sent)).conversations.map(({ id }) => id.slice(0, 8));
    expect(await ids({ search_query: "rounding" })).toEqual(["11111111", "33333333"]);
    expect(await ids({ search_query: "rounding", project: "/code/blog" })).toEqual(["33333333"]);
    expect(await ids({ search_query: "rounding", project: "blog" })).toEqual(["33333333"]);
    expect(await ids({ project: "all" })).toHaveLength(3);
    expect(await ids({ project: "all", conversation_types: ["debugging"] })).toEqual(["11111111"]);
    expect(await ids({ project: "all", tags: ["draft"] })).toEqual(["33333333"]);
    expect(await ids({ project: "all", tools: ["cursor"] })).toEqual([]);
    expect(await ids({ project: "all", since: "2999-01-01" })).toEqual([]);
    expect(await ids({ search_query: "narwhal" })).toEqual([]);
    // Signs, and what only notes have, match nothing.
    for (const sent of [{ search_query: "???" }, { search_query: "-" }, { search_query: "path:x" }, { tags: ["#"] }])
      expect(await ids({ ...sent, project: "all" }), JSON.stringify(sent)).toEqual([]);
    expect((await recall(client, { search_query: "!!" })).summary).toMatchObject({
      hint: "search_query and tags need words: punctuation is not searched for.",
    });
    expect(await ids({ search_query: " ", project: "all" })).toHaveLength(3);
    expect(await ids({ search_query: "narwhal", include_tools: true })).toEqual(["11111111"]);
    expect(await ids({ min_score: 5 })).toEqual([]);
    const prompted = { user_prompt: "what about the rounding of prices?", details: true };
    const [first] = (await recall(client, prompted)).conversations;
    expect(first!["score_parts"]).toMatchObject({ text: 0.5 });
  });

  it("groups, and continues where a page ends", async () => {
    const client = await connectStdio(homeWithConversations(), {}, inShop);
    const sent = { project: "all", group_by: "project", limit: 2 };
    const { conversations, groups, summary, truncated, total, nextCursor } = await recall(client, sent);
    // Groups count all, not only those of the page.
    expect(groups).toEqual([
      { key: "shop", count: 2 },
      { key: "blog", count: 1 },
    ]);
    expect({ truncated, total, summary }).toMatchObject({
      truncated: true,
      total: 3,
      summary: { total_conversations_found: 3, conversations_returned: 2 },
    });
    const next = await recall(client, { ...sent, cursor: nextCursor });
    expect(next).toMatchObject({ truncated: false, groups, summary: { conversations_returned: 1 } });
    expect(next).not.toHaveProperty("nextCursor");
    const all = (await recall(client, { project: "all" })).conversations.map(({ id }) => id);
    expect([...conversations, ...next.conversations].map(({ id }) => id)).toEqual(all);
  });

  it("orders groups of days by day, and shows what is common to all of them once", async () => {
    const home = homeWithConversations();
    for (const [i, day] of ["2026-03-05", "2026-01-09", "2026-03-05", "2025-12-31"].entries()) {
      const file = join(home, ".claude", "projects", "-code-shop", `day-${i}.jsonl`);
      const record = { ...prompt(`d${i}`, `Question ${i}`), timestamp: `${day}T10:00:00.000Z` };
      writeFileSync(file, `${JSON.stringify(record)}\n`);
    }
    const client = await connectStdio(home, {}, inShop);
    const ofDays = { since: "all", min_score: 0, project: "all", limit: 1 };
    const { groups, summary } = await recall(client, { ...ofDays, group_by: "day" });
    expect(groups!.slice(0, 3)).toEqual([
      { key: "2025-12-31", count: 1 },
      { key: "2026-01-09", count: 1 },
      { key: "2026-03-05", count: 2 },
    ]);
    expect(groups!.reduce((sum, { count }) => sum + count, 0)).toBe(summary.total_conversations_found);
    expect((await recall(client, { ...ofDays, group_by: "hour" })).groups![0]).toEqual({
      key: "2025-12-31T10",
      count: 1,
    });
    expect((await recall(client, { ...ofDays, group_by: "type" })).groups![0]!.key).toBe("general");
  });

  it("shows no secret, unless its owner wants to see it", async () => {
    const home = homeWithConversations();
    const seen = async (args: readonly string[]) => {
      const client = await connectStdio(home, {}, [...inShop, ...args]);
      const answers = [
        await recall(client, { search_query: "token" }),
        await call(client, "read_conversation", { id: "22222222-key" }),
        await client.readResource({ uri: "conversation://claude-code/22222222-key" }),
        await call(client, "search", { query: "token refused" }),
      ];
      return answers.map((one) => JSON.stringify(one).includes("aB3dE5fG7hJ9"));
    };
    expect(await seen([])).toEqual([false, false, false, false]);
    expect(await seen(["--no-redact"])).toEqual([true, true, true, true]);
  });

  it("looks into further home folders that the settings name", async () => {
    const backup = homeWithConversations();
    const client = await connectStdio(temporaryFolder(), {}, [...inShop, "--conversations", backup]);
    expect((await recall(client)).sources["claude-code"]).toMatchObject({ found: 3 });
  });

  it("keeps tool texts whole, as far as the settings allow, and says where they were dropped", async () => {
    const home = homeWithConversations();
    const long = Array.from({ length: 400 }, (_, i) => `line ${i}`).join("\n");
    const path = join(home, ".claude", "projects", "-code-shop", "11111111-cart.jsonl");
    appendFileSync(path, `${JSON.stringify(toolResult("9", long))}\n`);
    const read = async (args: readonly string[]) => {
      const client = await connectStdio(home, {}, ["--home", temporaryFolder(), ...inShop, ...args]);
      const { messages, hint } = await call(client, "read_conversation", { id: "11111111-cart", includeTools: true });
      const sent = { output_dir: join(home, "exports"), conversation_filter: "tests", format: "json" };
      const { files, message } = await call(client, "export_individual_conversations", sent);
      const exported = JSON.parse(readFileSync((files as string[])[0]!, "utf8")) as Record<string, unknown>;
      return { texts: [messages, exported["messages"]] as { text: string }[][], hint, message, exported };
    };
    const whole = await read([]);
    expect(whole.texts.map((messages) => messages.at(-1)!.text)).toEqual([long, long]);
    expect([whole.hint, whole.message, whole.exported["tool_texts_dropped"]]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const cut = await read(["--tool-texts", "0"]);
    for (const messages of cut.texts) expect(messages.at(-1)!.text).toMatch(/^line 0\n.* … \(\d+ characters more\)$/s);
    expect(cut.hint).toContain("Of long tool texts only the beginning is left");
    expect(cut.message).toMatch(/^1 of them have only the beginnings of long tool texts/);
    expect(cut.exported["tool_texts_dropped"]).toBe(true);
  });

  it("exports one by its id, and nothing if no conversation has it", async () => {
    const home = homeWithConversations();
    const client = await connectStdio(home, {}, inShop);
    const output_dir = join(home, "exports");
    const sent = { output_dir, format: "md" };
    const one = await call(client, "export_individual_conversations", { ...sent, conversation_id: "11111111-cart" });
    expect(one).toMatchObject({ exported_count: 1, files: [expect.stringContaining("11111111")] });
    const two = { ...sent, ids: ["11111111-cart", "22222222-key", "11111111-cart"] };
    expect(await call(client, "export_individual_conversations", two)).toMatchObject({ exported_count: 2 });
    const refused = await client.callTool({
      name: "export_individual_conversations",
      arguments: { ...sent, id: "no-such-id" },
    });
    expect(refused).toMatchObject({ isError: true, structuredContent: { error: { code: "NOT_FOUND" } } });
    expect(readdirSync(output_dir)).toHaveLength(3);
  });

  it("finds what was said a moment ago", async () => {
    const home = homeWithConversations();
    const client = await connectStdio(home, {}, inShop);
    await recall(client);
    const path = join(home, ".claude", "projects", "-code-shop", "11111111-cart.jsonl");
    appendFileSync(path, `${JSON.stringify(said("8", "m8", "Also mind the platypus."))}\n`);
    const { conversations } = await recall(client, { search_query: "platypus" });
    expect(conversations).toMatchObject([{ id: "11111111-cart", message_count: 3, message_id: "m8" }]);
  });
});

describe("reading a conversation", () => {
  it("returns its messages, those around one, those of one role, and tools on request", async () => {
    const client = await connectStdio(homeWithConversations(), {}, inShop);
    const read = async (sent: object) => {
      const { messages } = await call(client, "read_conversation", { id: "11111111-cart", ...sent });
      return (messages as { role: string; kind?: string; text: string }[]).map(({ role, kind }) =>
        `${role} ${kind ?? ""}`.trim(),
      );
    };
    expect(await read({})).toEqual(["user", "assistant"]);
    expect(await read({ roles: ["assistant"] })).toEqual(["assistant"]);
    expect(await read({ includeTools: true })).toEqual(["user", "assistant", "user tool"]);
    expect(await read({ around: "m1" })).toEqual(["user", "assistant"]);
  });

  it("opens at every message that a search points to, with tools or without", async () => {
    const home = homeWithConversations();
    const path = join(home, ".claude", "projects", "-code-shop", "44444444-thinking.jsonl");
    const records = [
      prompt("t1", "Why does the heron stop?"),
      answer("t2", "m4", { type: "thinking", thinking: "It may be the wind." }),
      said("t3", "m4", "The heron stops for fish."),
      answer("t4", "m5", { type: "tool_use", id: "toolu_9", name: "Bash", input: { command: "echo bittern" } }),
      toolResult("t5", "a bittern in the output"),
      ...Array.from({ length: 40 }, (_, i) => said(`t6-${i}`, `m6-${i}`, `egret ${i} ${"word ".repeat(280)}`)),
    ];
    writeFileSync(path, records.map((record) => `${JSON.stringify({ ...record, cwd: "/code/shop" })}\n`).join(""));
    const client = await connectStdio(home, {}, inShop);
    for (const word of ["heron", "fish", "wind", "bittern", "egret", "rounding", "narwhal"])
      for (const include_tools of [true, false]) {
        const { conversations } = await recall(client, { search_query: word, include_tools, limit: 20 });
        for (const { id, message_id: around } of conversations) {
          if (around === undefined) continue;
          for (const includeTools of [true, false]) {
            const read = await call(client, "read_conversation", { id, around, includeTools });
            expect(read["hint"] ?? "").not.toContain("has no message");
            expect(read["messages"]).not.toEqual([]);
          }
        }
      }
    const [found] = (await recall(client, { search_query: "fish" })).conversations;
    expect(found).toMatchObject({ id: "44444444-thinking", message_id: "m4" });
    const last = await call(client, "read_conversation", { id: "44444444-thinking", around: "m6-39" });
    const ids = (last["messages"] as { readonly id: string }[]).map(({ id }) => id);
    expect(ids).toEqual(["m6-35", "m6-36", "m6-37", "m6-38", "m6-39"]);
  });

  it("starts at the beginning, and says so, if there is no such message", async () => {
    const client = await connectStdio(homeWithConversations(), {}, inShop);
    const read = await call(client, "read_conversation", { id: "11111111-cart", around: "no-such-message" });
    expect(read["hint"]).toBe("The conversation has no message no-such-message: this is its beginning.");
    expect(read["messages"]).toMatchObject([{ id: "1" }, { id: "m1" }]);
  });

  it("is returned in parts that fit, without a gap", async () => {
    const home = homeWithConversations();
    const path = join(home, ".claude", "projects", "-code-shop", "44444444-long.jsonl");
    const lines = Array.from({ length: 300 }, (_, i) =>
      prompt(`long-${i}`, `Message ${i}: ${"some words ".repeat(40)}`),
    );
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const client = await connectStdio(home, {}, inShop);
    await recall(client);
    const seen: string[] = [];
    let parts = 0;
    for (let cursor: string | undefined; ; parts++) {
      const page = await call(client, "read_conversation", {
        id: "44444444-long",
        ...(cursor !== undefined && { cursor }),
      });
      seen.push(...(page["messages"] as { id: string }[]).map(({ id }) => id));
      cursor = page["nextCursor"] as string | undefined;
      if (cursor === undefined) break;
    }
    expect(parts).toBeGreaterThan(2);
    expect(seen).toEqual(lines.map(({ uuid }) => uuid));
    const around = await call(client, "read_conversation", { id: "44444444-long", around: "long-150" });
    expect((around["messages"] as { id: string }[]).slice(0, 5).map(({ id }) => id)).toContain("long-150");
    // The cursor of another conversation, and of other messages of the same one.
    const cursor = around["nextCursor"];
    for (const sent of [{ id: "11111111-cart" }, { id: "44444444-long", roles: ["user"] }])
      expect(
        await client.callTool({ name: "read_conversation", arguments: { ...sent, cursor } }),
        JSON.stringify(sent),
      ).toMatchObject({ isError: true, structuredContent: { error: { message: "Invalid cursor." } } });
    expect(await call(client, "read_conversation", { id: "44444444-long", cursor })).toHaveProperty("messages");
  });

  it("continues a message that is longer than a page, and has the requested one on the first", async () => {
    const home = homeWithConversations();
    const path = join(home, ".claude", "projects", "-code-shop", "44444444-long.jsonl");
    const long = (name: string) => Array.from({ length: 950 }, (_, i) => `${name} line ${i}`).join("\n");
    const records = [
      prompt("a", long("first")),
      said("b", "m-b", long("second")),
      prompt("c", "A short question"),
      said("d", "m-d", long("third")),
    ];
    writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    const client = await connectStdio(home, {}, inShop);
    await recall(client);
    const texts = new Map<string, string>();
    for (let cursor: string | undefined, pages = 0; pages === 0 || cursor !== undefined; pages++) {
      const sent = { id: "44444444-long", ...(cursor !== undefined && { cursor }) };
      const { content, structuredContent } = await client.callTool({ name: "read_conversation", arguments: sent });
      const page = structuredContent as {
        messages: { id: string; text: string; characters?: string }[];
        nextCursor?: string;
      };
      const { text } = content[0] as { text: string };
      expect(Math.ceil(Math.max(text.length, JSON.stringify(page).length) / 4)).toBeLessThanOrEqual(4_000);
      for (const message of page.messages) {
        texts.set(message.id, (texts.get(message.id) ?? "") + message.text);
        expect(text).toContain(message.text);
      }
      cursor = page.nextCursor;
    }
    expect([...texts.values()]).toEqual([long("first"), long("second"), "A short question", long("third")]);
    const around = await call(client, "read_conversation", { id: "44444444-long", around: "m-d" });
    const [before, found] = around["messages"] as { id: string; characters?: string }[];
    expect(before).not.toHaveProperty("characters");
    expect(found).toMatchObject({ id: "m-d", characters: expect.stringMatching(/^0-\d+ of \d+$/) });
  });

  it("has a text for reading, with the same facts as the structure", async () => {
    const client = await connectStdio(homeWithConversations(), {}, inShop);
    const sent = { id: "11111111-cart", includeTools: true };
    const { content, structuredContent } = await client.callTool({ name: "read_conversation", arguments: sent });
    const { text } = content[0] as { text: string };
    expect(text).toMatch(
      /^Conversation 11111111-cart; source_tool: claude-code; [^\n]*message_count: 2; [^\n]*\ndataBegins (\w+)\n# The tests of [^\n]*\n\n\[user\] id 1, time [^\n]*Z\nThe tests of .*\ndataEnds \1$/s,
    );
    const { conversation, messages } = structuredContent as { conversation: object; messages: object[] };
    for (const fact of [conversation, ...messages].flatMap((one) => Object.values(one) as unknown[]))
      expect(text).toContain(String(fact));
  });
});

describe("conversations outside the tools", () => {
  it("are resources with completion, and a prompt asks what was decided", async () => {
    const client = await connectStdio(homeWithConversations(), {}, inShop);
    await recall(client);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain("conversation://{source}/{id}");
    const complete = async (name: string, value: string) => {
      const ref = { type: "ref/resource" as const, uri: "conversation://{source}/{id}" };
      return (await client.complete({ ref, argument: { name, value } })).completion.values;
    };
    expect(await complete("source", "cl")).toEqual(["claude-code"]);
    expect(await complete("id", "333")).toEqual(["33333333-blog"]);
    const { contents } = await client.readResource({ uri: "conversation://claude-code/33333333-blog" });
    expect((contents[0] as { text: string }).text).toMatch(
      /^# Write about rounding numbers\n\n## user, .*\n\nWrite about/,
    );
    await expect(client.readResource({ uri: "conversation://claude-code/none" })).rejects.toThrow();
    const { messages } = await client.getPrompt({ name: "decided", arguments: { subject: "rounding" } });
    expect(JSON.stringify(messages)).toContain("What did we decide about rounding?");
  });

  it("have no tags, properties or paths of the vault: a query that asks for one finds none", async () => {
    const client = await connectStdio(homeWithConversations(), {}, ["--project", "/code/shop"]);
    const kinds = async (query: string) =>
      ((await call(client, "search", { query }))["results"] as { kind: string }[]).map(({ kind }) => kind);
    expect(await kinds("rounding")).toContain("conversation");
    for (const filter of ["tag:#code", "path:code", "prop:status=open"]) {
      expect(await kinds(filter), filter).not.toContain("conversation");
      expect(await kinds(`${filter} rounding`), filter).not.toContain("conversation");
    }
    expect(await kinds("-tag:#code rounding")).toContain("conversation");
  });

  it("are listed for a time alone, the newest first among the notes", async () => {
    const client = await connectStdio(homeWithConversations(), {}, ["--project", "/code/shop"]);
    const { results, during } = await call(client, "search", { query: "in the last 900 days", limit: 100 });
    const found = results as { kind: string; when: string }[];
    expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(["note", "conversation"]));
    expect(found.map(({ when }) => when)).toEqual(
      found
        .map(({ when }) => when)
        .toSorted()
        .toReversed(),
    );
    expect(during).toMatch(/^\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d$/);
  });

  it("join the search over everything, the index command and doctor", async () => {
    const home = homeWithConversations();
    const run = (...args: string[]) => runProgram(args, { home });
    const glance = await run("doctor", "--json");
    expect(JSON.parse(glance.stdout).findings).toContainEqual(
      expect.objectContaining({
        part: "claude-code chats",
        state: "ok",
        note: expect.stringContaining("3 files, not indexed yet"),
      }),
    );
    expect(existsSync(join(home, ".local", "share", "commonplace", "conversations.db"))).toBe(false);
    const index = await run("index");
    expect(index.stdout).toMatch(/conversations: 3 files, 3 changed, 0 gone, in [\d.]+ s\n {2}Claude Code: 3\n$/);
    const store = join(home, ".local", "share", "commonplace", "conversations.db");
    expect(statSync(store).mode & 0o777).toBe(0o600);
    expect((await run("search", "rounding", "prices")).stdout).toContain("claude-code: shop");
    expect(JSON.parse((await run("doctor", "--json")).stdout).findings).toContainEqual(
      expect.objectContaining({ part: "claude-code chats", note: "3 conversations, 6 messages" }),
    );
    rmSync(join(home, ".claude", "projects", "-code-blog"), { recursive: true });
    expect((await run("index")).stdout).toContain("Claude Code: 3, 1 archived");
    // No one confirmed it, so nothing is forgotten.
    expect(await run("index", "--forget")).toMatchObject({
      code: 1,
      stdout: "There is no terminal to ask in: --yes forgets them.\nNothing was forgotten.\n",
    });
    expect((await run("index", "--forget", "--yes")).stdout).toBe("1 conversation forgotten\n");
    expect((await run("index")).stdout).toContain("Claude Code: 2\n");
  });
});

const ASKED = {
  sample: ["overflowing rain barrel", "1c0a5f5e-0000-4000-8000-000000000001"],
  real: ["code duplication tooling", "53ea19c1-6d29-4ebf-952b-ddbb27af25bb"],
} as const;

describe.each(HOMES)("the conversations of $of", ({ folder, isHere, isReal, found }) => {
  const which = isReal ? "real" : "sample";

  it.skipIf(!isHere)("are recalled from every program, and not changed", async () => {
    const home = join(temporaryFolder(), "home");
    cpSync(folder, home, { recursive: true, preserveTimestamps: true });
    const filesIn = () =>
      readdirSync(home, { recursive: true, encoding: "utf8" })
        .filter((path) => /^\.(?:claude|codex|gemini|config)/.test(path))
        .toSorted()
        .map((path) => {
          const stats = statSync(join(home, path));
          return [
            path,
            stats.mtimeMs,
            stats.isFile() ? readFileSync(join(home, path)).toString("base64url").slice(-40) : "",
          ];
        });
    const before = filesIn();
    const client = await connectStdio(home, {}, ["--toolsets", "recall", "--home", join(home, "ours")]);
    const { summary, sources, conversations } = await recall(client, {
      since: "all",
      project: "all",
      min_score: 0,
      limit: 100,
      details: true,
    });
    const counts = Object.entries(sources).map(([name, source]) => [name, source["found"]]);
    expect(Object.fromEntries(counts)).toMatchObject(found);
    expect(summary.total_conversations_found).toBe(Object.values(found).reduce((a, b) => a + b));
    expect(conversations.every(({ title, created_at }) => title !== "" && String(created_at).startsWith("202"))).toBe(
      true,
    );
    const [query, id] = ASKED[which];
    const [first] = (await recall(client, { since: "all", search_query: query })).conversations;
    expect(first).toMatchObject({ id, conversation_type: "problem_solving" });
    expect(filesIn()).toEqual(before);
  });
});
