// Days, end to end: addresses in tools and resources, and the prompt of a day,
// with the packed program and a real client.
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { prompt, said } from "../claude-home.ts";
import { CONTEXT } from "../contract/vault.ts";
import { vaultFolder } from "../fixtures/vaults.ts";
import { connectStdio, temporaryFolder } from "../processes/program.ts";

const SETTINGS = {
  ".obsidian/daily-notes.json": '{"folder": "Daily", "template": "T"}',
  "T.md": "# {{title}}\n\n## Log\n",
};

type Answer = {
  readonly data: { readonly filePath: string; readonly content: string };
  readonly [name: string]: unknown;
};

async function connected(
  files: Readonly<Record<string, string>>,
  home = temporaryFolder(),
  args: readonly string[] = [],
) {
  const vault = vaultFolder({ ...SETTINGS, ...files });
  const client = await connectStdio(home, {}, ["--vault", vault, ...args], { env: { TZ: "UTC" } });
  const call = async (name: string, sent: object) =>
    (await client.callTool({ name, arguments: { ...sent, context: CONTEXT } })).structuredContent as Answer;
  const dayPrompt = async (date: string) => {
    const { messages } = await client.getPrompt({ name: "day", arguments: { date } });
    return (messages[0]!.content as { text: string }).text;
  };
  return { vault, client, call, dayPrompt };
}

describe("a day", () => {
  it.each([
    [[], "; contentManager_appendContent creates it from its template."],
    [["--toolsets", "lean"], "; contentManager_appendContent creates it from its template."],
    [["--read-only"], "."],
  ])("without a note is not found, with what creates it of the tools of %j", async (flags, end) => {
    const { call } = await connected({}, temporaryFolder(), flags);
    const { hint } = await call("contentManager_readContent", { filePath: "daily:2026-12-01" });
    expect(hint).toBe(`It stands for Daily/2026-12-01.md, which does not exist yet${end}`);
  });

  it("is created with its template around the text, as by what is appended first", async () => {
    const { call } = await connected({});
    const filePath = "daily:2026-12-24";
    const create = "contentManager_createContent";
    expect(await call(create, { filePath, content: "c" })).not.toHaveProperty("hint");
    expect((await call("contentManager_readContent", { filePath })).data).toMatchObject({
      filePath: "Daily/2026-12-24.md",
      content: "# 2026-12-24\n\n## Log\nc",
    });
    const { call: inOther } = await connected({ "T.md": "<% tp.date.now() %>" });
    expect(await inOther(create, { filePath, content: "---\ntags: [a\n---\nc" })).toMatchObject({
      success: true,
      hint: expect.stringMatching(
        /^The note was created without the template of the day: T\.md has commands of Templater \(<% … %>\), which are never run here\. The frontmatter is not valid YAML/,
      ),
    });
  });

  it("is written, read, searched, attached and undone by its address", async () => {
    const { client, call } = await connected({});
    const filePath = "daily:2026-03-05";
    expect(await call("contentManager_readContent", { filePath })).toMatchObject({
      success: false,
      error: "File not found: daily:2026-03-05",
      code: "not_found",
    });
    await expect(client.readResource({ uri: `note:///${filePath}` })).rejects.toThrow(
      "Resource not found. It stands for Daily/2026-03-05.md, which does not exist yet",
    );
    await call("contentManager_appendContent", { filePath, content: "- heron at the pond\n", heading: "Log" });
    expect(await call("open_document", { path: filePath })).toMatchObject({ document: { name: "2026-03-05.md" } });
    const text = "# 2026-03-05\n\n## Log\n- heron at the pond\n";
    expect((await call("contentManager_readContent", { filePath })).data).toMatchObject({
      filePath: "Daily/2026-03-05.md",
      content: text,
    });
    const { contents } = await client.readResource({ uri: `note:///${filePath}` });
    expect(contents[0]).toMatchObject({ text });
    const searched = await call("vaultLibrarian_searchContent", { query: "heron", paths: [filePath] });
    expect(searched["totalResults"]).toBe(1);
    const { entries } = (await call("history", { path: filePath })) as unknown as { entries: readonly object[] };
    expect(entries).toHaveLength(1);
    await call("undo", {});
    expect(await call("contentManager_readContent", { filePath })).toMatchObject({ success: false });
  });

  it("is that of the time zone in the settings", async () => {
    const zones = ["Pacific/Kiritimati", "Pacific/Pago_Pago"];
    // They are 25 hours apart: it is never the same day in both.
    const days = await Promise.all(
      zones.map(async (zone) => {
        const { call } = await connected({}, undefined, ["--time-zone", zone]);
        return (await call("contentManager_appendContent", { filePath: "daily:today", content: "x" })).data.filePath;
      }),
    );
    expect(days[0]).not.toBe(days[1]);
    for (const day of days) expect(day).toMatch(/^Daily\/\d{4}-\d\d-\d\d\.md$/);
  });

  it("is that of the setting's time zone for searches too, whatever the system's is", async () => {
    const year = new Date().getUTCFullYear() - 2;
    const vault = vaultFolder({ "First.md": "The garden begins.", "After.md": "The garden goes on." });
    // Half past midnight on Kiritimati, 14 hours ahead of UTC: the day before in the system's zone.
    const changedAt = (path: string, day: string) => {
      const time = new Date(`${day}T00:30:00+14:00`);
      utimesSync(join(vault, path), time, time);
    };
    changedAt("First.md", `${year}-03-01`);
    changedAt("After.md", `${year}-04-01`);
    const found = async (zone: readonly string[], sent: object) => {
      const env = { TZ: "Etc/GMT+12" };
      const client = await connectStdio(temporaryFolder(), {}, ["--vault", vault, ...zone], { env });
      const { structuredContent } = await client.callTool({ name: "search", arguments: { ...sent } });
      const { results, during } = structuredContent as { results: { id: string }[]; during?: string };
      return { ids: results.map(({ id }) => id), during };
    };
    const person = ["--time-zone", "Pacific/Kiritimati"];
    const march = { query: "garden", since: `${year}-03-01`, until: `${year}-03-31` };
    expect((await found(person, march)).ids).toEqual(["First.md"]);
    expect((await found([], march)).ids).toEqual(["After.md"]);
    // The last March that is over there.
    const now = new Date(Date.now() + 14 * 60 * 60 * 1000);
    const last = now.getUTCMonth() > 2 ? now.getUTCFullYear() : now.getUTCFullYear() - 1;
    changedAt("First.md", `${last}-03-01`);
    changedAt("After.md", `${last}-04-01`);
    expect(await found(person, { query: "garden last March" })).toEqual({
      ids: ["First.md"],
      during: `${last}-03-01 to ${last}-03-31`,
    });
  });
});

describe("the prompt of a day", () => {
  it("has its note, what is open, what was written, and what was talked about", async () => {
    const home = temporaryFolder();
    const folder = join(home, ".claude", "projects", "-code-shop");
    mkdirSync(folder, { recursive: true });
    const talk = (session: string, timestamp: string, words: string) => {
      const records = [
        prompt(`${session}1`, words, { timestamp }),
        said(`${session}2`, session, "Done.", { timestamp }),
      ];
      writeFileSync(join(folder, `${session}.jsonl`), records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    };
    talk("heron", "2026-03-05T23:59:00.000Z", "Tell me about herons");
    talk("later", "2026-03-06T00:00:00.000Z", "Tell me about storks");
    const { vault, dayPrompt } = await connected(
      {
        "Daily/2026-03-05.md": "# A day\n\n- [ ] feed the heron\n- [x] sleep\n",
        "Pond.md": "- [ ] clean it\n",
        "Old.md": "- [ ] forgotten\n- [ ] pay 📅 2026-03-05\n- [ ] later 📅 2026-03-06\n",
      },
      home,
    );
    const at = (path: string, time: string) => utimesSync(join(vault, path), new Date(time), new Date(time));
    at("Daily/2026-03-05.md", "2026-03-07T10:00:00Z");
    at("Pond.md", "2026-03-05T10:00:00Z");
    at("Old.md", "2026-03-04T23:59:59Z");
    const text = await dayPrompt("2026-03-05");
    expect(text).toContain("# 2026-03-05\n\n## Its note, Daily/2026-03-05.md\n\n# A day");
    expect(text).toContain(
      "## Open\n\n- [ ] Old.md:2 pay (due 2026-03-05)\n- [ ] Daily/2026-03-05.md:3 feed the heron\n- [ ] Pond.md:1 clean it\n\n",
    );
    expect(text).toContain("## Notes changed last on this day\n\n- Pond.md\n\n");
    expect(text).toContain("## Talked about with assistants\n\n- claude-code heron Tell me about herons\n");
    expect(text).not.toMatch(/forgotten|storks|2026-03-06\)/);
    expect(text).toMatch(/dataBegins (\w{8})\n[^]*\ndataEnds \1\n/);
  });

  it("has what assistants changed, and is short however much there is", async () => {
    const notes = Array.from({ length: 60 }, (_, i) => [`N${i}.md`, `- [ ] ${"long ".repeat(200)}\n`.repeat(50)]);
    const { vault, call, dayPrompt } = await connected(Object.fromEntries(notes));
    for (const [path] of notes) utimesSync(join(vault, path!), 1_000_000, 1_000_000);
    await call("contentManager_createContent", { filePath: "New.md", content: "x" });
    const { entries } = (await call("history", {})) as unknown as { entries: readonly { time: string }[] };
    expect(await dayPrompt(entries[0]!.time.slice(0, 10))).toContain("Created New.md");
    const long = await dayPrompt("1970-01-12");
    expect(long).toContain("It has no note yet.");
    expect(long).toContain("more");
    expect(long.length).toBeLessThan(20_000);
  });

  it("of what is no day is refused", async () => {
    const { client, dayPrompt } = await connected({});
    await expect(dayPrompt("someday")).rejects.toMatchObject({ code: -32602 });
    const ref = { type: "ref/prompt" as const, name: "day" };
    const { completion } = await client.complete({ ref, argument: { name: "date", value: "y" } });
    expect(completion.values).toEqual(["yesterday", "today"]);
  });
});
