// The page for the members of a shared store, in a real Chromium: two servers behind a
// real nginx, and what hostile clients try at each of its addresses.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { removeMember, revokeToken, spaceNamed } from "../../../src/shared/shared.ts";
import { callContext } from "../../fixtures/call-context.ts";
import { BROWSER, isSkipped, newContext, watched, writeSampleVault, type OpenedPage } from "../../page/open-page.ts";
import { expectNoViolationIn, loadAxe } from "../../page/axe.ts";
import { PASTED, pasteImage } from "../../page/paste-image.ts";
import { writeConversations } from "../../page/sample-conversations.ts";
import { SAMPLE_OUTLINE } from "../../page/sample-outline.ts";
import { connectHttp, ERAS, runProgram, temporaryFolder } from "../../processes/program.ts";
import { SUPERUSER } from "../cluster.ts";
import { HAS_POSTGRESQL } from "../store-fixture.ts";
import { freePort, NGINX, startNginx, type Proxy } from "./nginx.ts";
import { BESIDE, newTeam, SECRET, type Serving, type Team } from "./team.ts";

const IMAGE = "Garden/beds.svg";
const IMAGE_WIDTH = "document.querySelector('img.image')?.naturalWidth";
const CONVERSATION = "9f0f1c1e-2b7a-4c52-9d5e-0a1b2c3d4e01";

describe.runIf(HAS_POSTGRESQL && NGINX !== undefined && !isSkipped)("the page for members", BROWSER, () => {
  let team: Team;
  let servers: readonly Serving[] = [];
  let proxy: Proxy;
  let [alice, bob, carol] = ["", "", ""];

  beforeAll(async () => {
    team = await newTeam();
    const port = await freePort();
    const settings = { publicUrl: `http://127.0.0.1:${port}`, trustedProxies: ["127.0.0.1"] };
    servers = await Promise.all([team.serve(settings), team.serve(settings)]);
    proxy = await startNginx(
      port,
      servers.map((each) => each.port),
    );
    [alice, bob, carol] = [await team.token("alice"), await team.token("bob"), await team.token("carol")];
    const vault = writeSampleVault();
    writeFileSync(join(vault, "Plan.opml"), SAMPLE_OUTLINE);
    writeFileSync(join(vault, "Library.md"), "Sign out every book that you take.\n");
    const admin = { home: temporaryFolder(), env: { COMMONPLACE_STORE: team.database.address(SUPERUSER) } };
    await runProgram(["store", "import", vault, "--space", "team"], admin);
    const asked = { role: "user" as const, text: "How do we grow aubergines?" };
    const answered = { role: "assistant" as const, text: "In the greenhouse, from April on" };
    writeConversations(admin.home, [{ id: CONVERSATION, age: 0.1, said: [asked, answered] }]);
    await runProgram(["push", "conversations", "--project", "layers", "--space", "team"], admin);
  });

  /** Opens the page, and types the token in, as a person does. */
  const open = async (token: string, path = "/", viewport = { width: 1280, height: 900 }): Promise<OpenedPage> => {
    const context = await newContext({ viewport });
    const opened = watched(await context.newPage(), context);
    await opened.page.goto(`${proxy.origin}${path}`);
    await opened.page.getByLabel("Token").fill(token);
    await opened.page.getByRole("button", { name: "Open" }).click();
    await opened.page.getByRole("navigation", { name: "Main" }).waitFor();
    return opened;
  };
  /** A call as an assistant makes it. */
  const callAs = async (token: string, name: string, sent: object) => {
    const client = await connectHttp(`${proxy.origin}/mcp`, ERAS["2026-07-28"], token);
    const answer = await client.callTool({ name, arguments: { context: callContext(), ...sent } });
    await client.close();
    return answer;
  };
  const ask = (path: string, init: RequestInit = {}, server: { readonly port: number } = proxy) =>
    fetch(`http://127.0.0.1:${server.port}${path}`, init);
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const addressOf = async (token: string, path: string, server: { readonly port: number } = proxy): Promise<string> => {
    const answer = await ask(`/media/${path}`, { method: "POST", headers: bearer(token) }, server);
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { url: string }).url;
  };

  it("asks for a token, and shows what is in the spaces of its member, and nothing of the machine", async () => {
    const { page, context, requests, faults } = await open(alice);
    const names = await page.getByRole("navigation", { name: "Main" }).getByRole("listitem").allTextContents();
    expect(names).toEqual(["Today", "Search", "Notes", "Outline", "Conversations", "Tasks", "Graph", "Activity"]);
    await page.goto(`${proxy.origin}/note/${IMAGE}`);
    await expect.poll(() => page.evaluate(IMAGE_WIDTH)).toBe(320);
    await page.goto(`${proxy.origin}/conversation/`);
    await page
      .getByRole("main")
      .getByRole("link", { name: /How do we grow aubergines/ })
      .click();
    await page.getByText("In the greenhouse, from April on").waitFor();
    expect(await page.getByText("claude --resume").count()).toBe(0);
    await page.goto(`${proxy.origin}/outline/store:team/Plan.opml`);
    await page.getByRole("tree").waitFor();
    await page.goto(`${proxy.origin}/activity`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.goto(`${proxy.origin}/search?q=${SECRET}`);
    await page.getByText("Nothing found").waitFor();
    for (const path of ["/status", "/begin"]) {
      await page.goto(`${proxy.origin}${path}`);
      await page.getByText("There is nothing at this address").waitFor();
    }
    expect(faults).toEqual([]);
    const paths = requests.map((address) => new URL(address).pathname);
    expect(paths.filter((path) => /^\/(?:person|import|invitation)/.test(path))).toEqual([]);
    expect(requests.every((address) => address.startsWith(proxy.origin))).toBe(true);
    // It is in no address, and only in the storage of the tab.
    expect(requests.join("\n")).not.toContain(alice);
    expect(
      await page.evaluate("[sessionStorage.getItem('token'), Object.values(localStorage), document.cookie]"),
    ).toEqual([alice, [], ""]);
    await context.close();
  });

  it("lets a writer edit notes and paste images, and shows it to others at once", async () => {
    const reader = await open(bob, "/folder/");
    const { page, context, faults } = await open(alice, "/");
    await page.getByRole("button", { name: "New note" }).click();
    await page.getByLabel("Path").fill("Herons");
    await page.getByRole("button", { name: "Create" }).click();
    await page.locator(".editor-text .cm-content").waitFor();
    await pasteImage(page, "heron.png");
    await page.getByText("![[heron.png]]").waitFor();
    await page.keyboard.press("Control+s");
    await reader.page.getByRole("main").getByRole("link", { name: "Herons" }).waitFor();
    await reader.page.getByRole("main").getByRole("link", { name: "Herons" }).click();
    await expect.poll(() => reader.page.evaluate(IMAGE_WIDTH)).toBe(3);
    const history = JSON.stringify(await callAs(bob, "history", {}));
    expect(history).toContain("Added heron.png");
    expect(history).toContain('"member":"alice"');
    expect([...faults, ...reader.faults]).toEqual([]);
    await context.close();
    await reader.context.close();
  });

  it("offers a reader nothing that writes, and refuses it all the same", async () => {
    const { page, context, faults } = await open(bob, "/note/Plan.md");
    await page.getByRole("button", { name: "Shortcuts" }).waitFor();
    await page.goto(`${proxy.origin}/folder/`);
    await page.getByRole("link", { name: "Garden" }).first().waitFor();
    for (const name of ["New note", "Add to today"]) expect(await page.getByRole("button", { name }).count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
    const headers = { ...bearer(bob), origin: proxy.origin };
    const added = await ask("/media/x.png?note=Herons.md", { method: "PUT", headers, body: new Uint8Array(PASTED) });
    expect(added.status).toBe(403);
    expect(await added.text()).toContain("You are a reader of the space team");
    // One who may write elsewhere: only there.
    await team.let("carol", "team", "reader");
    const other = await open(carol, "/folder/?vault=team");
    await other.page.getByRole("link", { name: "Garden" }).first().waitFor();
    expect(await other.page.getByRole("button", { name: "New note" }).count()).toBe(0);
    await other.page.getByRole("combobox", { name: "Vault" }).selectOption("carol");
    await other.page.getByRole("button", { name: "New note" }).waitFor();
    await other.context.close();
    await leave("carol");
  });

  it("takes no token from an address, in which somebody else could have put their own", async () => {
    const context = await newContext({});
    const page = await context.newPage();
    for (const fragment of [`#token=${carol}`, `#invitation=${carol}`]) {
      await page.goto(`${proxy.origin}/${fragment}`);
      await page.getByLabel("Token").waitFor();
      await expect.poll(() => page.url()).toBe(`${proxy.origin}/`);
      await page.goto("about:blank");
    }
    await page.goto(proxy.origin);
    await page.getByLabel("Token").fill(`cmnp_${"x".repeat(43)}`);
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByText("This token is wrong, was revoked, or has expired.").waitFor();
    await context.close();
  });

  it("signs out in every tab, and when the token is revoked", async () => {
    const token = await team.token("alice", "page");
    const { page, context } = await open(token, "/");
    const second = await context.newPage();
    await second.goto(proxy.origin);
    await second.getByRole("navigation", { name: "Main" }).waitFor();
    const signOut = async () => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type("sign out");
      // Whatever notes have these words.
      await page.keyboard.press("Enter");
    };
    for (const leave of [signOut, () => page.getByRole("button", { name: "Sign out" }).click()]) {
      await leave();
      for (const tab of [page, second]) {
        await tab.getByLabel("Token").waitFor();
        expect(await tab.evaluate("sessionStorage.length")).toBe(0);
      }
      await page.getByLabel("Token").fill(token);
      await page.getByRole("button", { name: "Open" }).click();
      await page.getByRole("navigation", { name: "Main" }).waitFor();
    }
    await second.close();
    await page.locator(".live[data-state=live]").waitFor({ state: "attached" });
    await revokeToken(team.database.open(team.login).forMember("alice"), "page");
    // By the stream of changes, without a click.
    await page.getByText("Your token was revoked, or has expired.").waitFor();
    await context.close();
  });

  it("is accessible and fits a phone, from the sign-in form on", async () => {
    const context = await newContext({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await page.goto(proxy.origin);
    await page.getByLabel("Token").waitFor();
    await loadAxe(page);
    await expectNoViolationIn(page, "sign-in");
    await page.getByLabel("Token").fill(alice);
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    await page.getByRole("link", { name: "Conversations", exact: true }).click();
    await page
      .getByRole("main")
      .getByRole("link", { name: /aubergines/ })
      .waitFor();
    await expectNoViolationIn(page, "conversations");
    await context.close();
  });

  it("gives an address of a file to its member alone, which every server takes until the member is removed", async () => {
    await team.let("carol", "team", "reader");
    const token = await team.token("carol", "tickets");
    const [one, two] = servers as [Serving, Serving];
    const url = await addressOf(token, `${IMAGE}?vault=team`, one);
    expect(url).not.toContain(token);
    for (const server of [one, two]) {
      const file = await ask(url, {}, server);
      expect([file.status, file.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
      expect(file.headers.get("content-security-policy")).toContain("sandbox");
      const part = await ask(url, { headers: { range: "bytes=0-3" } }, server);
      expect([part.status, await part.text()]).toEqual([206, "<svg"]);
      const same = { "if-none-match": file.headers.get("etag")! };
      expect((await ask(url, { headers: same }, server)).status).toBe(304);
    }
    const [address, ticket = ""] = url.split("&ticket=") as [string, string];
    const [end, holder, signature] = ticket.split(".");
    const later = (Number.parseInt(end!, 36) + 60_000).toString(36);
    const forged = [
      ["/media/Plan.opml?vault=team", ticket],
      ["/media/Garden/beds.svg", ticket],
      [address, `${later}.${holder}.${signature}`],
      [address, `${end}.n${Buffer.from("alice").toString("base64url")}.${signature}`],
      [address, `${end}.${holder}.${"A".repeat(43)}`],
      [address, ""],
    ] as const;
    for (const [path, sent] of forged) {
      const file = await ask(`${path}${path.includes("?") ? "&" : "?"}ticket=${sent}`, {}, two);
      expect([file.status, await file.text()].join(" "), `${path} ${sent}`).toMatch(/^401 /);
    }
    expect((await ask(url, { headers: { "sec-fetch-site": "cross-site" } }, two)).status).toBe(401);
    expect((await ask(url, { method: "POST" }, two)).status).toBe(401);
    expect((await ask(url, { method: "PUT", headers: { origin: proxy.origin }, body: "x" }, two)).status).toBe(401);
    expect((await ask("/mcp?ticket=" + ticket, { method: "POST", body: "{}" }, two)).status).toBe(401);
    await leave("carol");
    for (const server of [one, two]) {
      const gone = await ask(url, {}, server);
      expect([gone.status, await gone.text()].join(" ")).toMatch(/^404 .*There is no vault/);
    }
    await revokeToken(team.database.open(team.login).forMember("carol"), "tickets");
    for (const server of [one, two]) expect((await ask(url, {}, server)).status).toBe(401);
  });

  it("answers nobody else, at any of its addresses, and nothing but its own files without a token", async () => {
    const addresses = [
      "/changes",
      `/media/${IMAGE}`,
      `/media/${IMAGE}?vault=team`,
      "/media/Private.md",
      "/media/%2fetc%2fpasswd",
    ];
    const status = async (path: string, method: string, headers: Record<string, string>) => {
      const answer = await ask(path, { method, headers, signal: AbortSignal.timeout(120_000) });
      const text = answer.headers.get("content-type") === "text/event-stream" ? "" : await answer.text();
      expect(text, path).not.toMatch(new RegExp(`${BESIDE}|root:|<rect`));
      await answer.body?.cancel().catch(() => {});
      return answer.status;
    };
    for (const path of addresses)
      for (const method of path === "/changes" ? ["GET"] : ["GET", "POST", "PUT"]) {
        const origin = { origin: proxy.origin };
        expect(await status(path, method, origin), `${method} ${path}`).toBe(401);
        expect(await status(path, method, { ...origin, ...bearer(`cmnp_${"y".repeat(43)}`) })).toBe(401);
        expect(await status(path, method, { origin: "https://evil.example", ...bearer(alice) })).toBe(403);
        // A member of another space.
        if (path !== "/changes")
          expect(await status(path, method, { ...origin, ...bearer(carol) })).toBeGreaterThanOrEqual(400);
      }
    for (const path of ["/person/status", "/person/vaults", "/import", "/invitation", "/index.html", "/media"])
      for (const method of ["GET", "POST"])
        expect(await status(path, method, { origin: proxy.origin, ...bearer(alice) }), `${method} ${path}`).toBe(404);
    expect(await status("/", "POST", bearer(alice))).toBe(405);
    expect(await status("/changes", "POST", bearer(alice))).toBe(405);
    // nginx refuses these itself.
    for (const path of [
      "/media/..%2f..%2f..%2fetc%2fpasswd",
      "/media/../../../etc/passwd",
      "/assets/..%2f..%2fmain.js",
    ])
      expect((await ask(path, { headers: bearer(alice) }, servers[0])).status, path).toBeGreaterThanOrEqual(400);
    const document = await ask("/", { headers: { accept: "text/html" } });
    expect(document.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; script-src 'self';.*frame-ancestors 'none'/,
    );
    expect(await document.text()).toContain('name="commonplace-serves" content="members"');
    expect(await status("/", "GET", { accept: "text/html", host: "evil.example" })).toBe(200);
  });

  it("ends its stream of changes when its server stops, which does not wait for it", async () => {
    const own = await team.serve();
    const changes = await ask("/changes", { headers: bearer(alice) }, own);
    expect(changes.headers.get("content-type")).toBe("text/event-stream");
    const stopped = own.stop();
    expect(await changes.text()).toMatch(/^: open\n\n/);
    expect(await stopped).toMatchObject({ code: 0, signal: null });
  });

  const leave = async (member: string) => {
    const admin = team.database.open(SUPERUSER);
    await removeMember(admin, await spaceNamed(admin, "team"), member);
  };
});
