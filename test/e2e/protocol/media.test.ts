// Files of the vault over HTTP, as the page loads them: by the token or a ticket,
// in parts, and never as a page of this server.
import { request } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import { png } from "../../fixtures/media-files.ts";
import { vaultFolder } from "../../fixtures/vaults.ts";
import { serveHttp, temporaryFolder, TOKEN } from "../../processes/program.ts";

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Buffer;
}

const BEARER = { authorization: `Bearer ${TOKEN}` };
const SCRIPT = '<svg xmlns="http://www.w3.org/2000/svg"><script>fetch("/mcp")</script></svg>';
const VIDEO = Buffer.alloc(3_000_000, Buffer.from(Array.from({ length: 251 }, (_, i) => i)));

describe("files of the vault over HTTP", () => {
  let origin: string;
  beforeAll(async () => {
    const vault = vaultFolder({
      "Files/Straße 1.png": Buffer.of(1, 2, 3),
      "evil.svg": SCRIPT,
      "evil.html": `<script>fetch("/mcp")</script>`,
      "film.mp4": VIDEO,
      "paper.pdf": "%PDF-1.4",
      "empty.mp3": "",
      "Files/Note.md": "",
      ".obsidian/app.json": "{}",
    });
    ({ origin } = new URL((await serveHttp(temporaryFolder(), undefined, ["--vault", vault])).url));
  });

  const send = (path: string, headers: Record<string, string> = BEARER, method = "GET") =>
    new Promise<Answer>((resolve, reject) => {
      // Not as one address, in which `..` would be resolved.
      const sent = request(origin, { path, method, headers }, (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("end", () =>
          resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(parts) }),
        );
      });
      sent.on("error", reject).end();
    });

  it("are sent whole, with their exact type, name and size", async () => {
    const { status, headers, body } = await send("/media/Files/Stra%C3%9Fe%201.png");
    expect([status, body]).toEqual([200, Buffer.of(1, 2, 3)]);
    expect(headers).toMatchObject({
      "content-type": "image/png",
      "content-length": "3",
      "content-disposition": `inline; filename="Stra_e 1.png"; filename*=UTF-8''Stra%C3%9Fe%201.png`,
      "x-content-type-options": "nosniff",
      "accept-ranges": "bytes",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
    });
    const same = await send("/media/Files/Stra%C3%9Fe%201.png", {
      ...BEARER,
      "if-none-match": String(headers["etag"]),
    });
    expect([same.status, same.body.length]).toEqual([304, 0]);
  });

  it.each([
    ["bytes=10-19", 206, VIDEO.subarray(10, 20), "bytes 10-19/3000000"],
    ["bytes=2999990-", 206, VIDEO.subarray(-10), "bytes 2999990-2999999/3000000"],
    ["bytes=-5", 206, VIDEO.subarray(-5), "bytes 2999995-2999999/3000000"],
    ["bytes=100-1000000", 206, VIDEO.subarray(100, 1_000_001), "bytes 100-1000000/3000000"],
    ["bytes=0-1,4-5", 200, VIDEO, undefined],
  ])("are sent in parts: %s", async (range, status, expected, contentRange) => {
    const answer = await send("/media/film.mp4", { ...BEARER, range });
    expect([answer.status, answer.headers["content-range"]]).toEqual([status, contentRange]);
    expect(answer.body.equals(expected)).toBe(true);
    expect(answer.headers["content-length"]).toBe(String(expected.length));
  });

  it("are sent whole where a part is of another version, and refuse a part beyond their end", async () => {
    const other = await send("/media/film.mp4", { ...BEARER, range: "bytes=0-1", "if-range": '"other"' });
    expect([other.status, other.body.length]).toEqual([200, VIDEO.length]);
    const beyond = await send("/media/film.mp4", { ...BEARER, range: "bytes=3000000-" });
    expect([beyond.status, beyond.headers["content-range"]]).toEqual([416, "bytes */3000000"]);
    const head = await send("/media/film.mp4", BEARER, "HEAD");
    expect([head.status, head.headers["content-length"], head.body.length]).toEqual([200, "3000000", 0]);
    expect((await send("/media/empty.mp3")).body.length).toBe(0);
  });

  it("never run as a page of this server", async () => {
    for (const path of ["/media/evil.svg", "/media/evil.html", "/media/film.mp4"]) {
      const policy = String((await send(path)).headers["content-security-policy"]).split("; ");
      expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "sandbox"]));
      expect(policy.join()).not.toMatch(/script-src|allow-/);
    }
    expect((await send("/media/evil.svg")).headers["content-type"]).toBe("image/svg+xml");
    expect((await send("/media/evil.html")).headers).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": expect.stringMatching(/^attachment; /),
    });
    const pdf = String((await send("/media/paper.pdf")).headers["content-security-policy"]);
    expect(pdf).toContain("default-src 'none'");
    expect(pdf).not.toContain("script-src");
  });

  it("load without the token by an address with a ticket, and no other file does", async () => {
    const { status, body } = await send("/media/film.mp4", BEARER, "POST");
    const address = JSON.parse(body.toString()) as { url: string };
    expect(status).toBe(200);
    expect(address).toMatchObject({ type: "video/mp4", kind: "video", size: 3_000_000 });
    const { url } = address;
    const part = await send(url, { range: "bytes=0-3", "sec-fetch-site": "same-origin" });
    expect([part.status, part.body]).toEqual([206, VIDEO.subarray(0, 4)]);
    const ticket = url.slice(url.indexOf("?"));
    const refused = [
      send("/media/film.mp4", {}),
      send(`/media/evil.svg${ticket}`, {}),
      send(`/media/film.mp4${ticket}&vault=x`, {}),
      send(`${url}x`, {}),
      send(url, { "sec-fetch-site": "cross-site" }),
      send(url, { "sec-fetch-site": "same-site" }),
      send(url, {}, "POST"),
      send("/media/film.mp4", {}, "POST"),
      send("/media/film.mp4", { authorization: "Bearer x" }),
    ];
    for (const each of await Promise.all(refused)) expect(each.status).toBe(401);
    expect((await send(url, { origin: "https://evil.example" })).status).toBe(403);
    expect((await send(url, { ...BEARER }, "DELETE")).status).toBe(405);
  });

  it.each([
    ["/media/none.png", 404],
    ["/media/", 400],
    ["/media/Files", 404],
    ["/media/../secret.png", 403],
    ["/media/%2e%2e/secret.png", 403],
    ["/media/.obsidian/app.json", 403],
    ["/media/%00.png", 400],
    ["/media/%ff.png", 404],
    ["/media/..%5csecret.png", 403],
  ])("are refused at %s with %i", async (path, status) => {
    const answer = await send(path);
    expect(answer.status).toBe(status);
    expect(answer.body.toString()).not.toContain("/vault");
  });

  it("are added by the page alone, and only images", async () => {
    const put = (path: string, headers: Record<string, string>, body: Buffer) =>
      new Promise<number>((resolve, reject) => {
        const sent = request(origin, { path, method: "PUT", headers }, (response) => {
          response.resume();
          response.on("end", () => resolve(response.statusCode!));
        });
        sent.on("error", reject).end(body);
      });
    const image = png(1, 1);
    const fromPage = { ...BEARER, origin };
    const sized = { "content-length": String(image.length) };
    const address = "/media/new.png?note=Files/Note.md";
    expect(await put(address, { ...BEARER, ...sized }, image)).toBe(403);
    expect(await put(address, { origin, ...sized }, image)).toBe(401);
    expect(await put(address, { ...fromPage, origin: "http://evil.example", ...sized }, image)).toBe(403);
    expect(await put(address, { ...fromPage, "transfer-encoding": "chunked" }, image)).toBe(413);
    expect(await put(address, { ...fromPage, "content-length": "9" }, Buffer.from("not image"))).toBe(400);
    expect(await put(address, { ...fromPage, ...sized }, image)).toBe(200);
    expect((await send("/media/new.png")).body).toEqual(image);
  });
});
