// Archives that are sent to the HTTP server: who may send them, how many and how
// large, and that nothing is left of one in the data folder, however it ends.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { request as httpRequest, type ClientRequest } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { zipArchive } from "../../../test/fixtures/zip-archives.ts";
import { claudeAiConversation } from "../../../test/program-stores/archives.ts";
import { madeConversations } from "../../../test/program-stores/made-conversation.ts";
import { atTheEnd, temporaryFolder } from "../../../test/temporary-folder.ts";
import { openCommonplace } from "../../app/app.ts";
import type { Imported } from "../../conversations/conversations.ts";
import { readSettings } from "../../settings.ts";
import { toolboxOf } from "../../tools/toolbox.ts";
import type { ImportLine } from "./archive-upload.ts";
import { serveHttp } from "./http.ts";

const TOKEN = "a-token-for-this-test";
const CONTENT = JSON.stringify(madeConversations(2, 2).map((made) => claudeAiConversation(made)));
const ARCHIVE = zipArchive([{ name: "conversations.json", content: CONTENT }]);
const MANY = JSON.stringify(madeConversations(400, 8).map((made) => claudeAiConversation(made)));
const NOTHING = { added: 0, replaced: 0, unchanged: 0, empty: 0, forgotten: 0, unreadable: 0 };

interface Answer {
  readonly status: number;
  readonly lines: readonly ImportLine[];
}

async function serve(options: { readOnly?: boolean; mostArchiveBytes?: number } = {}) {
  const { readOnly = false, ...limits } = options;
  const settings = { ...readSettings({ home: temporaryFolder() }, {}, "/"), readOnly };
  const { data } = settings.folders;
  const logged: string[] = [];
  const commonplace = openCommonplace(settings, { toolbox: toolboxOf([]), log: (text) => logged.push(text) });
  const serving = await serveHttp(commonplace, {
    token: TOKEN,
    port: 0,
    host: "127.0.0.1",
    page: "/nowhere",
    ...limits,
  });
  atTheEnd(serving.close);
  /** A request that is not sent to its end yet, and its answer. */
  const begin = (headers: Record<string, string> = {}): { sent: ClientRequest; answer: Promise<Answer> } => {
    const all = { authorization: `Bearer ${TOKEN}`, "content-type": "application/octet-stream", ...headers };
    const sent = httpRequest(new URL("/import", serving.url), { method: "POST", headers: all });
    const answer = new Promise<Answer>((resolve, reject) => {
      sent.on("error", reject);
      sent.on("response", (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => (text += part));
        response.on("error", reject);
        response.on("end", () => {
          const lines = text.trim().split("\n");
          resolve({ status: response.statusCode!, lines: lines.map((line) => JSON.parse(line) as ImportLine) });
        });
      });
    });
    answer.catch(() => {});
    return { sent, answer };
  };
  const send = (body: string | Buffer, headers?: Record<string, string>): Promise<Answer> => {
    const { sent, answer } = begin(headers);
    sent.end(body);
    return answer;
  };
  const uploads = () => {
    try {
      return readdirSync(data).filter((name) => name.startsWith(".commonplace-upload-"));
    } catch {
      return [];
    }
  };
  return { begin, send, uploads, data, serving, logged };
}

describe("an archive that is sent to the server", () => {
  it("is imported, and changes nothing the second time", async () => {
    const { send, uploads, logged } = await serve();
    const first = await send(ARCHIVE);
    expect(first.status).toBe(200);
    expect(first.lines.at(-1)).toEqual({
      result: { ...NOTHING, from: ["claude.ai"], added: 2 },
      summary: "claude.ai: 2 conversations added",
    });
    expect((await send(CONTENT)).lines.at(-1)).toEqual({
      result: { ...NOTHING, from: ["claude.ai"], unchanged: 2 },
      summary: "claude.ai: 0 conversations added, 2 there already",
    });
    expect(uploads()).toEqual([]);
    expect(logged).toEqual([]);
  });

  it("is answered with its progress, in a line for each per cent", async () => {
    const { send } = await serve();
    const { lines } = await send(MANY);
    const shares = lines.flatMap((line) => ("done" in line ? [line.done / line.total] : []));
    expect(shares.length).toBeGreaterThan(3);
    expect(shares.length).toBeLessThan(100);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(lines.at(-1)).toMatchObject({ result: { added: 400 } });
  });

  it.each([
    ["no token", { authorization: "" }, 401, "Unauthorized"],
    ["another token", { authorization: "Bearer another" }, 401, "Unauthorized"],
    ["the Origin of another site", { origin: "https://evil.example" }, 403, "Invalid Origin"],
    ["another Host", { host: "evil.example" }, 403, "Invalid Host"],
    ["the content type of a form", { "content-type": "text/plain" }, 415, "send application/octet-stream"],
  ])("is refused with %s, and nothing is stored", async (_what, headers, status, message) => {
    const { send, data } = await serve();
    const answer = await send(ARCHIVE, headers);
    expect(answer).toMatchObject({ status, lines: [{ error: { message: expect.stringContaining(message) } }] });
    expect(() => readdirSync(data)).toThrow("ENOENT");
  });

  it("is refused if the server is read-only", async () => {
    const { send, data } = await serve({ readOnly: true });
    const message = "Nothing is imported while the server is read-only.";
    expect(await send(ARCHIVE)).toMatchObject({ status: 403, lines: [{ error: { message } }] });
    expect(() => readdirSync(data)).toThrow("ENOENT");
  });

  it.each([
    ["text", "Dear diary", "The file is no JSON"],
    ["an empty file", "", "The file is empty."],
    [
      "a zip file without conversations",
      zipArchive([{ name: "a.txt", content: "a" }]),
      "The file has no conversations",
    ],
    [
      "JSON of something else",
      '[{"what": "ever"}]',
      "This is not an archive of claude.ai, ChatGPT, DeepSeek or Gemini.",
    ],
  ])("is refused with a sentence if it is %s", async (_what, body, message) => {
    const { send, uploads } = await serve();
    const answer = await send(body);
    expect(answer).toMatchObject({ status: 400, lines: [{ error: { message: expect.stringContaining(message) } }] });
    expect(uploads()).toEqual([]);
  });
});

describe("an archive that is too large", () => {
  const tooLarge = { status: 413, lines: [{ error: { message: expect.stringContaining("The file is larger than") } }] };

  it("is refused before it is sent, if the client says its size", async () => {
    const { begin, data } = await serve();
    const { sent, answer } = begin({ "content-length": "4000000001" });
    sent.flushHeaders();
    expect(await answer).toMatchObject(tooLarge);
    sent.destroy();
    expect(() => readdirSync(data)).toThrow("ENOENT");
  });

  it("is refused as soon as it is, if the client does not, and is read to its end", async () => {
    const { begin, uploads, send } = await serve({ mostArchiveBytes: ARCHIVE.length });
    const { sent, answer } = begin({ "transfer-encoding": "chunked" });
    sent.write(Buffer.alloc(64 * 1024));
    expect(await answer).toMatchObject(tooLarge);
    const isSent = new Promise((resolve, reject) => sent.on("close", resolve).on("error", reject));
    sent.end(Buffer.alloc(1024 * 1024));
    await isSent;
    expect(uploads()).toEqual([]);
    expect((await send(ARCHIVE)).status).toBe(200);
  });
});

describe("the temporary file of an archive", () => {
  it("is private, and removed if the connection breaks off", async () => {
    const { begin, uploads, data, send, logged } = await serve();
    const { sent, answer } = begin({ "content-length": String(ARCHIVE.length) });
    sent.write(ARCHIVE.subarray(0, 100));
    const sizes = () => uploads().map((name) => statSync(join(data, name)).size);
    await expect.poll(sizes).toEqual([100]);
    if (process.platform !== "win32") expect(statSync(join(data, uploads()[0]!)).mode & 0o777).toBe(0o600);
    sent.destroy();
    await expect(answer).rejects.toThrow();
    await expect.poll(uploads).toEqual([]);
    expect((await send(ARCHIVE)).lines.at(-1)).toMatchObject({ result: { added: 2 } });
    expect(logged).toEqual([]);
  });

  it("is removed if the connection breaks off during the import, which stops", async () => {
    const { begin, uploads, send, logged } = await serve();
    const { sent } = begin();
    const begun = new Promise((resolve) => sent.on("response", (response) => response.once("data", resolve)));
    sent.end(MANY);
    await begun;
    expect(uploads()).toHaveLength(1);
    sent.destroy();
    await expect.poll(uploads).toEqual([]);
    const { result } = (await send(MANY)).lines.at(-1) as { result: Imported };
    expect(result.added).toBeGreaterThan(0);
    expect(result.added + result.unchanged).toBe(400);
    expect(logged).toEqual([]);
  });

  it("is removed if the server stops", async () => {
    const { begin, uploads, serving } = await serve();
    const { sent, answer } = begin({ "content-length": String(ARCHIVE.length) });
    sent.write(ARCHIVE.subarray(0, 100));
    await expect.poll(uploads).toHaveLength(1);
    await serving.close();
    expect(uploads()).toEqual([]);
    await expect(answer).rejects.toThrow();
  });

  it("is the only one: a second archive is refused until the first is imported", async () => {
    const { begin, send, uploads } = await serve();
    const { sent, answer } = begin({ "content-length": String(ARCHIVE.length) });
    sent.write(ARCHIVE.subarray(0, 100));
    await expect.poll(uploads).toHaveLength(1);
    const message = "Another archive is being imported. Try again when it is done.";
    expect(await send(ARCHIVE)).toMatchObject({ status: 409, lines: [{ error: { message } }] });
    sent.end(ARCHIVE.subarray(100));
    expect((await answer).lines.at(-1)).toMatchObject({ result: { added: 2 } });
    expect((await send(ARCHIVE)).lines.at(-1)).toMatchObject({ result: { unchanged: 2 } });
  });

  it("of a server that was killed is removed by the next import, and that of a running one is not", async () => {
    const { send, uploads, data } = await serve();
    mkdirSync(data, { recursive: true });
    const ofRunning = `.commonplace-upload-${process.ppid}-a`;
    // Above the highest id of a process.
    for (const name of [".commonplace-upload-2000000000-a", ofRunning]) writeFileSync(join(data, name), "left");
    expect((await send(ARCHIVE)).status).toBe(200);
    expect(uploads()).toEqual([ofRunning]);
    expect(readFileSync(join(data, ofRunning), "utf8")).toBe("left");
  });
});
