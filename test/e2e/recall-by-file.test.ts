// Which conversation changed this: a file, a line, a note, an outline row; by
// what was replaced and written, over all time, through the built program.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { answer, prompt, toolResult } from "../claude-home.ts";
import { connectStdio, runProgram, temporaryFolder } from "../processes/program.ts";

interface Found {
  readonly id: string;
  readonly changed_lines?: string;
  readonly commit?: string;
}

interface Recalled {
  readonly conversations: readonly Found[];
  readonly summary: { readonly note?: string };
}

/** A home with a project, in which sessions made calls, a day after the other, long ago. */
class Workplace {
  readonly home = temporaryFolder();
  readonly project = join(this.home, "shop");
  #day = 0;

  constructor() {
    mkdirSync(this.project);
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.project, path)), { recursive: true });
    writeFileSync(join(this.project, path), text);
  }

  session(
    id: string,
    calls: readonly (readonly [tool: string, input: object, output?: string | undefined])[],
    cwd = this.project,
  ) {
    const at = Date.UTC(2025, 2, ++this.#day);
    const records = [
      prompt(`${id}-p`, `About ${id}`),
      ...calls.flatMap(([name, input, output], i) => [
        answer(`${id}-c${i}`, `${id}-m${i}`, { type: "tool_use", id: "toolu_1", name, input }),
        toolResult(`${id}-r${i}`, output ?? "The file has been updated."),
      ]),
    ].map((record, i) => ({ ...record, cwd, sessionId: id, timestamp: new Date(at + i * 1000).toISOString() }));
    const file = join(this.home, ".claude", "projects", cwd.replaceAll(/[^A-Za-z0-9]/g, "-"), `${id}.jsonl`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  }

  edit(id: string, path: string, removed: string, added: string, project = this.project): void {
    const input = { file_path: join(project, path), old_string: removed, new_string: added };
    this.session(id, [["Edit", input]], project);
  }

  connect(...more: string[]): Promise<Client> {
    return connectStdio(this.home, {}, ["--toolsets", "recall", "--project", this.project, ...more]);
  }
}

async function authors(client: Client, file: string, project?: string): Promise<Recalled> {
  const result = await client.callTool({
    name: "recall_conversations",
    arguments: { file, fast_mode: false, ...(project !== undefined && { project }) },
  });
  expect(result.isError, JSON.stringify(result.content)).toBeUndefined();
  return result.structuredContent as unknown as Recalled;
}

const idsIn = ({ conversations }: Recalled) => conversations.map(({ id }) => id);

const TEXT = "export function total(items) {\n  return round(sum(items), 2);\n}\n\nexport const LIMIT = 40;\n";

describe("a file", () => {
  it("was changed by those whose text led to it, the newest first, whenever that was", async () => {
    const place = new Workplace();
    place.write("src/cart.ts", TEXT);
    place.session("made", [
      [
        "Write",
        {
          file_path: join(place.project, "src/cart.ts"),
          content: TEXT.replace("round(sum(items), 2)", "sum(items)").replace("40", "20"),
        },
      ],
    ]);
    place.edit("rounded", "src/cart.ts", "  return sum(items);", "  return round(sum(items), 2);");
    place.edit("raised", "src/cart.ts", "LIMIT = 20", "LIMIT = 40");
    place.session("only read", [["Read", { file_path: join(place.project, "src/cart.ts") }, TEXT]]);
    const client = await place.connect();
    const found = await authors(client, "src/cart.ts");
    expect(found.conversations.map(({ id, changed_lines }) => [id, changed_lines])).toEqual([
      ["raised", "5"],
      ["rounded", "2"],
      ["made", "1"],
    ]);
    expect(idsIn(await authors(client, "src/cart.ts:2"))).toEqual(["rounded"]);
    expect(idsIn(await authors(client, "src/cart.ts#L5"))).toEqual(["raised"]);
    expect(idsIn(await authors(client, join(place.project, "src/cart.ts:2")))).toEqual(["rounded"]);
  });

  it("was not changed by four look-alikes", async () => {
    const place = new Workplace();
    const other = join(place.home, "copy");
    mkdirSync(other);
    place.write("src/cart.ts", TEXT);
    place.write("lib/cart.ts", TEXT.replace("2", "3"));
    const change = ["src/cart.ts", "  return sum(items);", "  return round(sum(items), 2);"] as const;
    place.edit("other project", ...change, other);
    place.edit("other file", "lib/cart.ts", change[1], change[2]);
    place.edit("other words", "src/cart.ts", change[1], "  return Math.round(sum(items), 2);");
    place.edit("real", ...change);
    place.edit("repeated", ...change);
    const client = await place.connect();
    expect(idsIn(await authors(client, "src/cart.ts:2"))).toEqual(["real"]);
    expect(idsIn(await authors(client, "src/cart.ts"))).toEqual(["real"]);
  });

  it("was not changed by a call that failed, though its text is there", async () => {
    const place = new Workplace();
    place.write("src/cart.ts", TEXT);
    const input = { file_path: join(place.project, "src/cart.ts"), new_string: "  return round(sum(items), 2);" };
    const failed = "<tool_use_error>String to replace not found in file.</tool_use_error>";
    const later = { ...input, old_string: "  return total(items);" };
    place.edit("real", "src/cart.ts", "  return sum(items);", input.new_string);
    place.session("came too late", [["Edit", later, failed]]);
    place.session("gave up", [
      ["Bash", { command: "false" }, "Error: no"],
      ["Edit", { ...later, old_string: "  return all(items);" }, failed],
    ]);
    const client = await place.connect();
    expect(idsIn(await authors(client, "src/cart.ts:2"))).toEqual(["real"]);
    expect(idsIn(await authors(client, "src/cart.ts"))).toEqual(["real"]);
  });

  it("is named with the commit that has the line, where git knows it", async () => {
    const place = new Workplace();
    place.write("src/cart.ts", TEXT);
    const git = (...words: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: place.project });
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "Round the total");
    place.write("src/cart.ts", TEXT.replace("40", "50"));
    place.edit("rounded", "src/cart.ts", "  return sum(items);", "  return round(sum(items), 2);");
    place.edit("raised", "src/cart.ts", "LIMIT = 40", "LIMIT = 50");
    const { conversations } = await authors(await place.connect(), "src/cart.ts");
    expect(conversations.map(({ id, commit }) => [id, commit])).toEqual([
      ["raised", undefined],
      ["rounded", expect.stringMatching(/^[0-9a-f]{12} Round the total$/)],
    ]);
  });

  it("that is gone is answered with all that wrote it, and says so", async () => {
    const place = new Workplace();
    place.edit("wrote", "src/gone.ts", "before", "after the change");
    const found = await authors(await place.connect(), "src/gone.ts");
    expect([idsIn(found), found.summary.note]).toEqual([["wrote"], expect.stringContaining("is not there")]);
  });

  it("is looked for in the project that is named, not in the one that is worked in", async () => {
    const place = new Workplace();
    const other = join(place.home, "garden");
    mkdirSync(join(other, "src"), { recursive: true });
    place.write("src/cart.ts", TEXT);
    writeFileSync(join(other, "src/cart.ts"), TEXT);
    const change = ["src/cart.ts", "  return sum(items);", "  return round(sum(items), 2);"] as const;
    place.edit("here", ...change);
    place.edit("there", ...change, other);
    const input = { file_path: join(other, "src/cart.ts"), old_string: "LIMIT = 20", new_string: "LIMIT = 40" };
    place.session("from here", [["Edit", input]]);
    const client = await place.connect();
    expect(idsIn(await authors(client, "src/cart.ts"))).toEqual(["here"]);
    for (const project of ["garden", other])
      expect(idsIn(await authors(client, "src/cart.ts", project))).toEqual(["from here", "there"]);
    expect(idsIn(await authors(client, join(other, "src/cart.ts:2"), "garden"))).toEqual(["there"]);
    const unknown = { file: "src/cart.ts", project: "gardn" };
    const result = await client.callTool({ name: "recall_conversations", arguments: unknown });
    expect(JSON.stringify(result.content)).toContain("Similar names: garden.");
  });

  it("of another project is found by the end of its path, whatever vaults allow in a path", async () => {
    const place = new Workplace();
    const other = join(place.home, "garden");
    mkdirSync(join(other, "lib/cart"), { recursive: true });
    writeFileSync(join(other, ".golangci.yaml"), "run: 1\n");
    writeFileSync(join(other, "lib/cart/committed.go"), "package cart\n\nconst Limit = 40\n");
    place.edit("linted", ".golangci.yaml", "run: 0", "run: 1", other);
    place.edit("limited", "lib/cart/committed.go", "Limit = 20", "Limit = 40", other);
    const from = { file_path: join(other, "lib/cart/committed.go"), old_string: "pkg", new_string: "package cart" };
    place.session("from here", [["Edit", from]]);
    place.session("gone", [["Write", { file_path: join(other, ".hidden/gone.go"), content: "package gone" }]], other);
    const vault = join(place.home, "vault");
    mkdirSync(vault);
    const client = await place.connect("--vault", vault);
    expect(idsIn(await authors(client, ".golangci.yaml"))).toEqual(["linted"]);
    const found = await authors(client, "committed.go");
    expect(idsIn(found)).toEqual(["from here", "limited"]);
    expect(found.summary.note).toBe(`Taken for ${join(other, "lib/cart/committed.go")}.`);
    expect(idsIn(await authors(client, "cart/committed.go:3"))).toEqual(["limited"]);
    expect(idsIn(await authors(client, join(other, "lib/cart/committed.go")))).toEqual(["from here", "limited"]);
    expect(idsIn(await authors(client, "committed.go", "garden"))).toEqual(["from here", "limited"]);
    expect(idsIn(await authors(client, "committed.go", "shop"))).toEqual([]);
    expect(idsIn(await authors(client, ".hidden/gone.go"))).toEqual(["gone"]);
    expect((await authors(client, "mitted.go")).summary.note).toContain("no conversation has written it");
  });

  it("of several projects is answered for all of them, which are named", async () => {
    const place = new Workplace();
    const roots = ["garden", "kitchen"].map((name) => join(place.home, name));
    for (const root of roots) {
      mkdirSync(join(root, "src"), { recursive: true });
      writeFileSync(join(root, "src/plan.ts"), TEXT);
      place.edit(`in ${root.slice(place.home.length + 1)}`, "src/plan.ts", "LIMIT = 20", "LIMIT = 40", root);
    }
    const found = await authors(await place.connect(), "plan.ts");
    expect(idsIn(found)).toEqual(["in kitchen", "in garden"]);
    for (const root of roots) expect(found.summary.note).toContain(join(root, "src/plan.ts"));
  });

  it("of another project is not opened through a link that leads out of it", async () => {
    const place = new Workplace();
    const other = join(place.home, "garden");
    mkdirSync(other);
    writeFileSync(join(place.home, "outside.txt"), "LIMIT = 40\n");
    symlinkSync(join(place.home, "outside.txt"), join(other, "plan.txt"));
    place.edit("changed", "plan.txt", "LIMIT = 20", "LIMIT = 40", other);
    const { conversations, summary } = await authors(await place.connect(), "plan.txt");
    expect([conversations[0]!.changed_lines, summary.note]).toEqual([
      undefined,
      expect.stringContaining("is not there"),
    ]);
  });

  it("that has no path is refused in words", async () => {
    const client = await new Workplace().connect();
    for (const file of [" ", "a\0b"]) {
      const result = await client.callTool({ name: "recall_conversations", arguments: { file } });
      expect([result.isError, JSON.stringify(result.content)]).toEqual([
        true,
        expect.stringContaining("file must be a path"),
      ]);
    }
  });

  it("outside of the project and the vault is refused", async () => {
    const place = new Workplace();
    const client = await place.connect();
    for (const file of ["/etc/passwd", "../../etc/passwd"]) {
      const result = await client.callTool({ name: "recall_conversations", arguments: { file } });
      expect(result.isError).toBe(true);
    }
  });
});

describe("a note and an outline row", () => {
  it("were written by the conversations that called our tools", async () => {
    const place = new Workplace();
    const vault = join(place.home, "vault");
    mkdirSync(vault);
    writeFileSync(join(vault, "Log.md"), "# Log\n- ordered the seeds\n- paid the invoice\n");
    const call = (tool: string, input: object, output?: string) =>
      [`mcp__commonplace__${tool}`, input, output] as const;
    place.session("seeds", [call("contentManager_appendContent", { filePath: "Log", content: "- ordered the seeds" })]);
    place.session("invoice", [
      call("contentManager_appendContent", { filePath: "Log.md", content: "- paid the invoice" }),
    ]);
    place.session("row", [
      call(
        "insert_content",
        { content: "Sow" },
        '{"success":true,"insertedRows":[{"id":"ipDb_xC-h72","topic":"Sow"}]}',
      ),
    ]);
    const structure = call("get_outline_structure", {}, '{"rows":[{"id":"ipDb_xC-h72","topic":"Sow"}]}');
    place.session("looked", [structure]);
    const added = '{"success":true,"message":"Added row","newRow":{"id":"qK2_other","topic":"Rake"}}';
    place.session("other row", [call("add_row", { topic: "Rake" }, added), structure]);
    const many = Array.from({ length: 30 }, (_, i) => ({
      id: `bed${i}_Q`,
      topic: `Bed ${i}`,
      level: 0,
      state: "none",
    }));
    place.session("beds", [call("insert_content", { content: "Beds" }, JSON.stringify({ insertedRows: many }))]);
    const missing = '{"success":false,"error":{"code":"conflict","message":"The outline was changed."}}';
    place.session("in vain", [call("update_row", { rowId: "ipDb_xC-h72", topic: "Seed" }, missing)]);
    const client = await place.connect("--vault", vault);
    expect(idsIn(await authors(client, "Log.md:2"))).toEqual(["seeds"]);
    expect(idsIn(await authors(client, join(vault, "Log.md:3")))).toEqual(["invoice"]);
    rmSync(join(place.project), { recursive: true });
    expect(idsIn(await authors(client, "row:ipDb_xC-h72"))).toEqual(["row"]);
    expect(idsIn(await authors(client, "row:qK2_other"))).toEqual(["other row"]);
    expect(idsIn(await authors(client, "row:bed29_Q"))).toEqual(["beds"]);
    const unknown = await authors(client, "row:nobody");
    expect([idsIn(unknown), unknown.summary.note]).toEqual([[], expect.stringContaining("No conversation is known")]);
  });
});

describe("a conversation that was found", () => {
  const holdsOf = async (client: Client, query: string) => {
    const { structuredContent } = await client.callTool({
      name: "recall_conversations",
      // What tools did is indexed after what was said: this waits for it.
      arguments: { search_query: query, since: "all", fast_mode: false, include_tools: true },
    });
    return (structuredContent as { conversations: { id: string; holds?: string }[] }).conversations.find(
      ({ id }) => id === query,
    )!.holds;
  };
  const edited = (path: string, removed: string, added: string) =>
    ["Edit", { file_path: path, old_string: removed, new_string: added }] as const;

  it("says whether what it changed still stands, and which one changed it", async () => {
    const place = new Workplace();
    place.write("src/cart.ts", "export function total(items) {\n  return roundedToCents(sumOf(items, currency));\n}\n");
    const path = join(place.project, "src/cart.ts");
    const summed = "  return sumOfEveryPrice(items, withoutTaxes);";
    const rounded = "  return roundedToCents(sumOf(items, currency));";
    const context = "export function total(items) {\n";
    place.session("summing", [edited(path, `${context}  return 0;`, context + summed)]);
    place.session("rounding", [edited(path, context + summed, context + rounded)]);
    place.session("guessing", [edited(path, context + rounded, `${context}  return guessOf(items);`)]);
    place.session("failing", [[...edited(path, context, `${context}// never`), "Error: String to replace not found"]]);
    const client = await place.connect();
    expect(await holdsOf(client, "rounding")).toBe("yes");
    expect(await holdsOf(client, "summing")).toBe("no, changed in rounding");
    expect(await holdsOf(client, "guessing")).toBe("no, taken back");
    expect(await holdsOf(client, "failing")).toBeUndefined();
    place.write("src/cart.ts", `${context}  return 0;\n}\n`);
    expect(await holdsOf(client, "rounding")).toBe("no, changed in guessing");
    const found = await client.callTool({ name: "search", arguments: { query: "summing", kinds: ["conversation"] } });
    expect(JSON.stringify(found.content)).toContain("still holds: no, taken back");
    const args = ["holds", "src/cart.ts", "--project", place.project];
    const { stdout, code } = await runProgram(args, { home: place.home });
    expect([code, stdout.split("\n").map((line) => line.replace(/ {2}.* {2}/, " "))]).toEqual([
      0,
      [
        "no, changed since About guessing",
        "no, changed in guessing About rounding",
        "no, taken back About summing",
        "",
      ],
    ]);
  });

  it("says nothing of files that a link leads to, that are outside of its project, hidden or no regular ones", async () => {
    const place = new Workplace();
    const text = "export function total(items) {\n  return roundedToCents(sumOf(items, currency));\n}\n";
    place.write("src/cart.ts", text);
    place.write("secret/cart.ts", text);
    writeFileSync(join(place.home, "outside.ts"), text);
    symlinkSync(join(place.project, "src/cart.ts"), join(place.project, "link.ts"));
    symlinkSync(join(place.project, "src"), join(place.project, "linked"));
    execFileSync("mkfifo", [join(place.project, "pipe.ts")]);
    const write = (id: string, path: string) => place.session(id, [["Write", { file_path: path, content: text }]]);
    write("plainly", join(place.project, "src/cart.ts"));
    write("linking", join(place.project, "link.ts"));
    write("deeply", join(place.project, "linked/cart.ts"));
    write("outwards", join(place.home, "outside.ts"));
    write("climbing", "../outside.ts");
    write("secretly", join(place.project, "secret/cart.ts"));
    write("piping", join(place.project, "pipe.ts"));
    const client = await place.connect("--vault", place.project, "--hide", "secret");
    expect(await holdsOf(client, "plainly")).toBe("yes");
    for (const id of ["linking", "deeply", "outwards", "climbing", "secretly", "piping"])
      expect([id, await holdsOf(client, id)]).toEqual([id, undefined]);
  });
});
