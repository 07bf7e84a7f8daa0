// The current outline belongs to a stdio process or to an HTTP session: the server
// with real clients, in this process.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { openCommonplace, type Commonplace } from "../app/app.ts";
import { readSettings } from "../settings.ts";
import { serveHttp } from "./http/http.ts";
import { serveStdio } from "./stdio.ts";

const TOKEN = "a-token-for-this-test";
const SESSION = { mode: "legacy" } as const;
const STATELESS = { mode: { pin: "2026-07-28" } } as const;

interface Answer {
  readonly error?: { readonly code: string; readonly message: string };
  readonly hint?: string;
  readonly document?: { readonly name: string; readonly path: string };
  readonly success?: boolean;
  readonly message?: string;
  readonly documentName?: string;
  readonly [more: string]: unknown;
}
type Call = (name: string, sent?: object) => Promise<Answer>;

const folder = temporaryFolder();
const vault = join(folder, "vault");
const topicsOf = (path: string) => readFileSync(join(vault, path), "utf8");

function commonplaceWith(outline: string): Commonplace {
  const settings = readSettings({ home: join(folder, "home"), vault, outline, toolsets: "all" }, {}, "/");
  return openCommonplace(settings, { log: () => {} });
}

/** A client of a server over stdio that shares files with the other, as another process would. */
function overStdio(served: Commonplace): { readonly call: Call; readonly end: () => Promise<void> } {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const ended = serveStdio(served, input, output);
  const waiting = new Map<number, (answer: Answer) => void>();
  let text = "";
  output.on("data", (part: Buffer) => {
    const lines = (text += part.toString()).split("\n");
    text = lines.pop()!;
    for (const line of lines) {
      const { id, result } = JSON.parse(line) as { id: number; result: { structuredContent: Answer } };
      waiting.get(id)?.(result.structuredContent);
    }
  });
  const send = (message: object) => input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "test", version: "1" };
  send({ id: 0, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
  send({ method: "notifications/initialized" });
  let last = 0;
  return {
    call: (name, sent = {}) => {
      const id = ++last;
      const answer = new Promise<Answer>((resolve) => waiting.set(id, resolve));
      send({ id, method: "tools/call", params: { name, arguments: sent } });
      return answer;
    },
    end: () => {
      input.end();
      return ended;
    },
  };
}

describe("the current outline", () => {
  let url: string;
  const ends: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    mkdirSync(join(vault, "Lists"), { recursive: true });
    mkdirSync(join(vault, "Old"));
    for (const name of ["Home.md", "Lists/Work.md", "Lists/Trip.md", "Old/Trip.md"])
      writeFileSync(join(vault, name), `- in ${name}\n`);
    const opml = '<opml version="2.0"><body><outline text="in Work.opml"/></body></opml>';
    writeFileSync(join(vault, "Lists", "Shopping.opml"), opml);
    const commonplace = commonplaceWith(join(vault, "Home.md"));
    const served = await serveHttp(commonplace, { token: TOKEN, port: 0, host: "127.0.0.1", page: "/nowhere" });
    ({ url } = served);
    ends.push(() => served.close());
  });
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  });

  const connect = async (versionNegotiation: typeof SESSION | typeof STATELESS): Promise<Call> => {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation });
    const requestInit = { headers: { Authorization: `Bearer ${TOKEN}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    ends.push(() => client.close());
    return async (name, sent = {}) =>
      (await client.callTool({ name, arguments: { ...sent } })).structuredContent as Answer;
  };
  const person: Call = async (name, sent = {}) => {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "commonplace-page", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const response = await fetch(url, {
      method: "POST",
      headers: {
        Accept: "application/json, text/event-stream",
        Authorization: `Bearer ${TOKEN}`,
        "Content-Type": "application/json",
        "Mcp-Method": "tools/call",
        "Mcp-Name": name,
        "Mcp-Protocol-Version": "2026-07-28",
        Origin: new URL(url).origin,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: sent, _meta } }),
    });
    return ((await response.json()) as { result: { structuredContent: Answer } }).result.structuredContent;
  };

  it("is that of each session and process, whatever others and the page open", async () => {
    const [first, second, third] = [await connect(SESSION), await connect(SESSION), await connect(STATELESS)];
    const stdio = overStdio(commonplaceWith(join(vault, "Home.md")));
    expect((await first("open_document", { path: "Lists/Work.md" })).message).toBe("Opened 'Work.md'");
    expect((await stdio.call("open_document", { path: "Lists/Trip.md" })).message).toBe("Opened 'Trip.md'");
    await person("open_document", { path: "Old/Trip.md" });
    await person("get_outline_structure", { documentName: "Old/Trip.md" });
    const names = await Promise.all(
      [first, second, third, person, stdio.call].map(
        async (call) => (await call("get_current_document")).document!.name,
      ),
    );
    expect(names).toEqual(["Work.md", "Home.md", "Home.md", "Home.md", "Trip.md"]);
    await Promise.all([
      first("add_row", { topic: "of the first" }),
      second("add_row", { topic: "of the second" }),
      stdio.call("add_row", { topic: "of the process" }),
    ]);
    await third("add_row", { topic: "of the third" });
    await stdio.end();
    expect(topicsOf("Lists/Work.md")).toBe("- in Lists/Work.md\n- of the first\n");
    expect(topicsOf("Home.md")).toBe("- in Home.md\n- of the second\n- of the third\n");
    expect(topicsOf("Lists/Trip.md")).toBe("- in Lists/Trip.md\n- of the process\n");
    expect(topicsOf("Old/Trip.md")).toBe("- in Old/Trip.md\n");
    expect((await first("add_row", { topic: "x" })).documentName).toBe("Work.md");
    expect((await second("add_row", { topic: "x" })).documentName).toBeUndefined();
  });

  it("stays the configured one without a session, and open_document says how to name another", async () => {
    const call = await connect(STATELESS);
    const opened = await call("open_document", { path: "Lists/Work.md" });
    expect(opened.message).toBe(
      `Opened 'Work.md', for this call only: this client has no session, so its current outline stays the configured one. Send documentName: "${opened.document!.path}" with each call that is about this outline.`,
    );
    const named = { documentName: opened.document!.path };
    expect(await call("add_row", { topic: "named", ...named })).toMatchObject({
      success: true,
      documentName: "Work.md",
    });
    expect(topicsOf("Lists/Work.md")).toContain("- named\n");
    const made = await call("create_document", { path: "Lists/New.md" });
    expect(made.message).toContain("for this call only");
    expect((await call("get_current_document")).document!.name).toBe("Home.md");
  });

  it("gives way to documentName in every tool of outlines, which answers with the name", async () => {
    for (const call of [await connect(SESSION), await connect(STATELESS), person]) {
      const of = { documentName: "shopping" };
      const structure = await call("get_outline_structure", of);
      const [{ id: rowId }] = structure["rows"] as [{ id: string }];
      const added = await call("add_row", { topic: "bread", ...of });
      const { id: other } = added["newRow"] as { id: string };
      const answers = [
        structure,
        added,
        await call("get_current_document", of),
        await call("check_connection", of),
        await call("get_row", { rowId, ...of }),
        await call("get_row_children", of),
        await call("search_outline", { query: "bread", ...of }),
        await call("get_section_content", of),
        await call("update_row", { rowId: other, topic: "rye bread", ...of }),
        await call("move_row", { rowId: other, newParentId: rowId, ...of }),
        await call("insert_content", { content: "milk", ...of }),
        await call("delete_row", { rowId: other, ...of }),
        await call("delete_row", { rowId: other, confirmed: true, ...of }),
      ];
      for (const answer of answers) expect(answer).toMatchObject({ documentName: "Shopping.opml" });
      expect((await call("get_current_document")).document!.name).toBe("Home.md");
    }
    expect(topicsOf("Lists/Shopping.opml").match(/milk/g)).toHaveLength(3);
  });

  it("refuses a documentName that is unknown, or of several, before it writes", async () => {
    const before = ["Home.md", "Lists/Trip.md", "Old/Trip.md"].map(topicsOf);
    for (const call of [await connect(SESSION), await connect(STATELESS), person]) {
      for (const [name, sent] of [
        ["add_row", { topic: "lost" }],
        ["insert_content", { content: "lost" }],
      ] as const) {
        const unknown = await call(name, { ...sent, documentName: "Holiday" });
        expect(unknown).toMatchObject({
          success: false,
          error: { code: "no_document", message: "There is no outline named 'Holiday'. Nothing was changed." },
        });
        const several = await call(name, { ...sent, documentName: "Trip" });
        expect(several.error).toEqual({
          code: "invalid_params",
          message: "2 outlines are named 'Trip'. Nothing was changed.",
        });
        if (call !== person)
          expect(several.hint).toBe("Send the path of one as documentName: Lists/Trip.md, Old/Trip.md.");
        expect((await call(name, { ...sent, documentName: "../outside.md" })).success).toBe(false);
      }
    }
    expect(["Home.md", "Lists/Trip.md", "Old/Trip.md"].map(topicsOf)).toEqual(before);
    const call = await connect(SESSION);
    expect((await call("add_row", { topic: "found", documentName: "Old/Trip.md" })).documentName).toBe("Trip.md");
    expect(topicsOf("Old/Trip.md")).toContain("- found\n");
    // The open outline of that name comes first.
    await call("open_document", { documentName: "Lists/Trip.md" });
    await call("add_row", { topic: "of the open one", documentName: "Trip" });
    expect(topicsOf("Lists/Trip.md")).toContain("- of the open one\n");
  });

  it("that is gone is not replaced by another", async () => {
    const call = await connect(SESSION);
    await call("create_document", { path: "Lists/Gone.md" });
    await call("add_row", { topic: "x" });
    await call("vaultManager_deleteNote", {
      path: "Lists/Gone.md",
      context: Object.fromEntries(
        [
          "sessionId",
          "workspaceId",
          "sessionDescription",
          "sessionMemory",
          "toolContext",
          "primaryGoal",
          "subgoal",
        ].map((name) => [name, "x"]),
      ),
    });
    const before = topicsOf("Home.md");
    expect((await call("add_row", { topic: "lost" })).error).toEqual({
      code: "no_document",
      message: "The outline Gone.md is missing.",
    });
    expect(topicsOf("Home.md")).toBe(before);
  });
});
