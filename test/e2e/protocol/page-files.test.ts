// The page's own files over HTTP: without a token, since they say nothing, and
// under rules that let nothing else be loaded or run.
import { request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { serveHttp, temporaryFolder, TOKEN } from "../../processes/program.ts";

const HTML = "text/html,application/xhtml+xml";

describe("the page's files", () => {
  let origin: string;
  beforeAll(async () => {
    ({ origin } = new URL((await serveHttp(temporaryFolder())).url));
  });

  /** As it is sent: fetch would unpack it. */
  const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    new Promise<{ status: number; headers: Record<string, string | string[] | undefined>; body: Buffer }>(
      (resolve, reject) => {
        const sent = request(new URL(path, origin), { method, headers }, (response) => {
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.on("end", () =>
            resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(parts) }),
          );
        });
        sent.on("error", reject).end();
      },
    );

  it.each(["/", "/search?q=x", "/note/Folder/A%20note.md", "/outline", "/conversation/x", "/activity", "/folder/"])(
    "are sent to a browser that asks for %s",
    async (path) => {
      const { status, headers, body } = await get(path, { accept: HTML });
      expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
      expect(body.toString()).toContain('<script type="module" src="/assets/page.js">');
      expect(body.toString()).not.toMatch(/<script>|\sstyle=|\son\w+=/);
    },
  );

  it("let the browser load, run and frame nothing else", async () => {
    for (const path of ["/", "/assets/page.js"]) {
      const { headers } = await get(path, { accept: HTML });
      const policy = String(headers["content-security-policy"]).split("; ");
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self'",
          "connect-src 'self'",
          "base-uri 'none'",
          "form-action 'none'",
          "frame-ancestors 'none'",
          "require-trusted-types-for 'script'",
        ]),
      );
      expect(String(headers["content-security-policy"])).not.toMatch(/unsafe|https?:|\*|data:/);
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
      });
      expect(headers).not.toHaveProperty("access-control-allow-origin");
    }
  });

  it("are compressed as the browser accepts it, and not sent again while they are unchanged", async () => {
    const plain = await get("/assets/page.js");
    const brotli = await get("/assets/page.js", { "accept-encoding": "gzip, deflate, br" });
    const gzip = await get("/assets/page.js", { "accept-encoding": "gzip" });
    expect(brotliDecompressSync(brotli.body)).toEqual(plain.body);
    expect(gunzipSync(gzip.body)).toEqual(plain.body);
    expect(brotli.body.length).toBeLessThan(plain.body.length / 2);
    const again = await get("/assets/page.js", { "if-none-match": String(plain.headers["etag"]) });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    const head = await get("/assets/page.js", {}, "HEAD");
    expect([head.status, head.body.length]).toEqual([200, 0]);
  });

  it.each([
    "/assets/../main.cjs",
    "/assets/%2e%2e/main.cjs",
    "/assets/",
    "/assets/none.js",
    "/assets/__proto__",
    "/notes",
  ])("are all that is there: not %s", async (path) => {
    // new URL would resolve the dots away.
    const { port } = new URL(origin);
    const status = await new Promise<number>((resolve, reject) => {
      const sent = request({ host: "127.0.0.1", port, path, headers: { accept: HTML } }, (response) =>
        resolve(response.resume().statusCode!),
      );
      sent.on("error", reject).end();
    });
    expect(status).toBe(404);
  });

  it("are not sent to another host name, and do not change the answers at MCP's address", async () => {
    expect((await get("/", { accept: HTML, host: "evil.example" })).status).toBe(403);
    expect(JSON.parse((await get("/")).body.toString())).toEqual({ name: "commonplace", mcp: "/mcp" });
  });

  it("reveal no changes without the token", async () => {
    expect((await get("/changes")).status).toBe(401);
    expect((await get("/changes", { authorization: "Bearer wrong" })).status).toBe(401);
    const stopping = new AbortController();
    const stream = await fetch(`${origin}/changes`, {
      headers: { authorization: `Bearer ${TOKEN}` },
      signal: stopping.signal,
    });
    expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    stopping.abort();
  });
});
