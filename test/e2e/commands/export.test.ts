// Conversations out of the built program: as files, and as notes of the vault.
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { readExported } from "../../../src/conversations/export/exported-json.ts";
import { madeConversations } from "../../program-stores/made-conversation.ts";
import { PROGRAM_STORES } from "../../program-stores/program-stores.ts";
import { connectStdio, ERAS, runProgram, temporaryFolder } from "../../processes/program.ts";

const ID = "019a2d7a-41c4-78b1-b7cc-a45d62a89cd5";
const SECRET = ["gh", "p_", "a1B2".repeat(9)].join("");
const TOOL = "export_individual_conversations";

/** A home folder in which somebody talked to Codex, and pasted a token. */
function homeWithConversation(): string {
  const home = temporaryFolder();
  const folder = join(home, ".codex/sessions/2026/01/15");
  mkdirSync(folder, { recursive: true });
  const item = (role: string, text: string) => ({
    timestamp: "2026-01-15T10:00:05Z",
    type: "response_item",
    payload: { type: "message", role, content: [{ type: "text", text }] },
  });
  const lines = [
    {
      timestamp: "2026-01-15T10:00:00Z",
      type: "session_meta",
      payload: { id: ID, timestamp: "2026-01-15T10:00:00Z", cwd: "/home/anna/x" },
    },
    item("user", `Push with ${SECRET}, please`),
    item("assistant", "Done:\n\n```sh\ngit push"),
  ];
  writeFileSync(
    join(folder, `rollout-2026-01-15T10-00-00-${ID}.jsonl`),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  );
  mkdirSync(join(home, "vault"));
  return home;
}

interface Answer {
  readonly files: readonly string[];
  readonly output_directory: string;
  readonly error?: { readonly code: string };
}

async function call(client: Client, sent: object): Promise<Answer> {
  return (await client.callTool({ name: TOOL, arguments: { ...sent } })).structuredContent as unknown as Answer;
}

const connect = (home: string, ...more: string[]) =>
  connectStdio(home, ERAS["2025-11-25 and before"], ["--vault", join(home, "vault"), ...more]);

describe("an export", () => {
  it("is whole, without its secrets, and can be read back", async () => {
    const home = homeWithConversation();
    const { files, output_directory } = await call(await connect(home), {});
    expect(output_directory).toBe(join(home, ".gandalf", "exports"));
    const text = readFileSync(files[0]!, "utf8");
    const read = readExported(text);
    expect(read).toMatchObject({
      id: ID,
      source_tool: "codex",
      project: "/home/anna/x",
      created_at: "2026-01-15T10:00:00.000Z",
    });
    expect(read.messages.map((message) => message.text)).toEqual([
      "Push with [redacted: GitHub token], please",
      "Done:\n\n```sh\ngit push",
    ]);
    expect(files[0]).not.toContain(SECRET.slice(4));
  });

  it("says how many there are beside those that it wrote; --all writes every one", async () => {
    const home = temporaryFolder();
    PROGRAM_STORES["codex"]!.write(home, madeConversations(520, 1));
    const files = (...words: string[]) =>
      runProgram(["export", "--output", join(home, words.join("")), ...words], { home });
    const some = await files("--limit", "100");
    expect(some.stdout).toContain("\n100 of 520 conversations in ");
    expect(some.stdout).toContain("These are the newest: --all exports every one.");
    expect((await files("--all")).stdout).toContain("\n520 conversations in ");
    expect(readdirSync(join(home, "--all"))).toHaveLength(520);
    expect((await files("--all", "--limit", "5")).stderr).toContain("--all and --limit do not go together.");
  });

  it("has its secrets if the owner asks for them", async () => {
    const home = homeWithConversation();
    const { stdout } = await runProgram(["export", "--no-redact", "--format", "txt"], { home });
    expect(readFileSync(stdout.split("\n")[0]!, "utf8")).toContain(SECRET);
  });

  it("into the vault is a note like any other: found, in the history, and undone", async () => {
    const home = homeWithConversation();
    const client = await connect(home);
    const { files } = await call(client, { format: "md", output_dir: join(home, "vault", "Chats") });
    const [name] = readdirSync(join(home, "vault", "Chats"));
    expect(files).toEqual([join(home, "vault", "Chats", name!)]);
    expect(readFileSync(files[0]!, "utf8")).toContain("```sh\ngit push\n```\n");
    await client.callTool({ name: "undo", arguments: {} });
    expect(existsSync(files[0]!)).toBe(false);
  });

  it("into a hidden folder of the vault is refused", async () => {
    const home = homeWithConversation();
    const client = await connect(home);
    mkdirSync(join(home, "vault", ".obsidian"));
    const { error } = await call(client, { output_dir: join(home, "vault", ".obsidian", "x") });
    expect(error?.code).toBe("ACCESS_DENIED");
    expect(readdirSync(join(home, "vault", ".obsidian"))).toEqual([]);
  });

  it("through a link into a folder of secrets is refused", async () => {
    const home = homeWithConversation();
    mkdirSync(join(home, ".ssh"));
    symlinkSync(join(home, ".ssh"), join(home, "harmless"));
    expect((await call(await connect(home), { output_dir: "~/harmless" })).error?.code).toBe("ACCESS_DENIED");
    expect(readdirSync(join(home, ".ssh"))).toEqual([]);
  });

  it("is not offered by a read-only server", async () => {
    const { tools } = await (await connect(homeWithConversation(), "--read-only")).listTools();
    expect(tools.map(({ name }) => name)).not.toContain(TOOL);
    expect(tools.map(({ name }) => name)).toContain("read_conversation");
  });

  it("by the command goes to conversations/ in the working directory, and says so", async () => {
    const home = homeWithConversation();
    const { stdout, code } = await runProgram(["export"], { home });
    expect(code).toBe(0);
    expect(stdout).toContain(`1 conversation in ${join(home, "conversations")}`);
    expect(readdirSync(join(home, "conversations"))).toHaveLength(1);
    expect(existsSync(join(home, ".gandalf"))).toBe(false);
    expect((await runProgram(["export", "--help"], { home })).stdout).toContain("conversations/ in the current folder");
  });

  it("that finds nothing creates no folder", async () => {
    const home = homeWithConversation();
    expect((await runProgram(["export", "--title", "nothing like it"], { home })).stdout).toBe(
      "No conversation matches.\n",
    );
    expect((await call(await connect(home), { conversation_filter: "nothing like it" })).files).toEqual([]);
    expect(readdirSync(home).filter((name) => /gandalf|conversations/.test(name))).toEqual([]);
  });

  it.each(["~/.some-program", "~/.some-program/deep", "~/a/../.some-program", "~/link/deep", "/opt/program"])(
    "into a folder of another program is refused: %s",
    async (output_dir) => {
      const home = homeWithConversation();
      mkdirSync(join(home, ".some-program"));
      symlinkSync(join(home, ".some-program"), join(home, "link"));
      expect((await call(await connect(home), { output_dir })).error?.code).toBe("ACCESS_DENIED");
      expect(readdirSync(join(home, ".some-program"))).toEqual([]);
    },
  );

  it.each(["file:///etc", "~root/x", "~/a\nb"])(
    "to %j is refused with a sentence, and creates nothing",
    async (sent) => {
      const home = homeWithConversation();
      const before = readdirSync(home);
      const { error } = await call(await connect(home), { output_dir: sent });
      expect(error).toMatchObject({ message: expect.stringMatching(/^output_dir .*\.$/) });
      const made = readdirSync(home).filter((name) => !before.includes(name));
      expect(made.filter((name) => /file|root|^a/.test(name))).toEqual([]);
      const command = await runProgram(["export", "--output", sent], { home });
      expect(command.code).toBe(2);
      expect(command.stderr).toMatch(/^commonplace: output_dir /);
      expect(readdirSync(home).filter((name) => /file|root|^a/.test(name))).toEqual([]);
    },
  );

  it("to a relative folder goes below the working directory", async () => {
    const home = homeWithConversation();
    const { stdout, code } = await runProgram(["export", "--output", "out", "--title", "push", "--json"], { home });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ success: true, exported_count: 1, output_directory: join(home, "out") });
    expect((await runProgram(["export", "--output", "/etc"], { home })).code).toBe(1);
  });
});
