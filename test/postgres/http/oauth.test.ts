// OAuth 2.1 with a real issuer: a client finds it by itself, signs a person in with
// PKCE, and uses the server with the token. What is not a good token for this
// server opens nothing.
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from "@modelcontextprotocol/client";
import { globalAgent } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import { callContext } from "../../fixtures/call-context.ts";
import { postCall } from "../../processes/http-call.ts";
import { MEMBER_TOOLS } from "../../../src/app/members/member-parts.ts";
import { atTheEnd } from "../../temporary-folder.ts";
import { ERAS, runProgram, temporaryFolder } from "../../processes/program.ts";
import { SUPERUSER } from "../cluster.ts";
import { HAS_POSTGRESQL } from "../store-fixture.ts";
import { newKey, signIn, startIssuer, type Issuer } from "./issuer.ts";
import { freePort } from "./nginx.ts";
import { newTeam, type Serving, type Team } from "./team.ts";

const CALLBACK = "http://127.0.0.1:9/callback";

/** What a host keeps for a server, and a person who signs in when asked to. */
class Person implements OAuthClientProvider {
  #client: unknown;
  #tokens: unknown;
  #verifier = "";
  readonly login: string;
  answer = new URLSearchParams();
  asked: URL | undefined;
  constructor(login: string) {
    this.login = login;
  }
  readonly redirectUrl = CALLBACK;
  readonly clientMetadata = {
    client_name: "A host",
    redirect_uris: [CALLBACK],
    grant_types: ["authorization_code"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  readonly clientInformation = () => this.#client as never;
  readonly saveClientInformation = (client: unknown) => void (this.#client = client);
  readonly tokens = () => this.#tokens as never;
  readonly saveTokens = (tokens: unknown) => void (this.#tokens = tokens);
  readonly saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier);
  readonly codeVerifier = () => this.#verifier;
  readonly redirectToAuthorization = async (url: URL) => {
    this.asked = url;
    this.answer = await signIn(url, this.login);
  };
}

describe.runIf(HAS_POSTGRESQL)("a server with an issuer", () => {
  let team: Team;
  let issuer: Issuer;
  let serving: Serving;

  beforeAll(async () => {
    team = await newTeam();
    const [port, issuerPort] = [await freePort(), await freePort()];
    const publicUrl = `http://127.0.0.1:${port}`;
    issuer = await startIssuer(issuerPort, `${publicUrl}/mcp`);
    const groups = { developers: "team:writer", everybody: ["team:reader", "nowhere:reader"] };
    const oauth = { issuer: issuer.url, memberClaim: "preferred_username", scopes: ["openid"], groups };
    serving = await team.serve({ publicUrl, oauth }, port);
  });

  const status = async (token: string) => {
    const answer = await fetch(serving.url, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: "{}",
    });
    // An empty message is refused after the token was taken.
    return answer.status === 400 ? "taken" : answer.status;
  };

  it("says where tokens come from, in the answer and at the well-known addresses", async () => {
    const refused = await fetch(serving.url, { method: "POST" });
    expect(refused.status).toBe(401);
    const address = new URL("/.well-known/oauth-protected-resource/mcp", serving.url).href;
    expect(refused.headers.get("www-authenticate")).toBe(`Bearer resource_metadata="${address}"`);
    for (const url of [address, new URL("/.well-known/oauth-protected-resource", serving.url).href])
      expect(await (await fetch(url)).json()).toEqual({
        resource: serving.url,
        resource_name: "Commonplace",
        authorization_servers: [issuer.url],
        bearer_methods_supported: ["header"],
        scopes_supported: ["openid"],
      });
  });

  it.each(Object.keys(ERAS) as (keyof typeof ERAS)[])(
    "is used by a client of %s that finds the issuer, registers and signs in by itself",
    async (era) => {
      issuer.setGroups(["developers"]);
      const person = new Person("frida");
      const connect = async () => {
        const transport = new StreamableHTTPClientTransport(new URL(serving.url), { authProvider: person });
        const client = new Client({ name: "test", version: "1" }, ERAS[era]);
        return { client, transport };
      };
      const first = await connect();
      await expect(first.client.connect(first.transport)).rejects.toThrow(UnauthorizedError);
      expect(person.asked!.searchParams.get("code_challenge_method")).toBe("S256");
      expect(person.asked!.searchParams.get("resource")).toBe(serving.url);
      await first.transport.finishAuth(person.answer);
      const second = await connect();
      await second.client.connect(second.transport);
      atTheEnd(() => second.client.close());
      const { tools } = await second.client.listTools();
      expect(tools).toHaveLength(MEMBER_TOOLS.size);
      const [row] = await team.database.superuser`SELECT subject FROM commonplace.identity`;
      expect(row!["subject"]).toBe("frida");
      await second.client.close();
    },
  );

  it("takes a token that its issuer signed for it, and no other", async () => {
    const now = Math.floor(Date.now() / 1000);
    issuer.setGroups(["everybody"]);
    expect(await status(await issuer.sign({}))).toBe("taken");
    expect(await status(await issuer.sign({ aud: ["https://other.example", serving.url] }))).toBe("taken");
    expect(await status(await issuer.sign({ exp: now - 5 }))).toBe("taken");
    const bad: Readonly<Record<string, string>> = {
      "another audience": await issuer.sign({ aud: "https://other.example/mcp" }),
      "no audience": await issuer.sign({ aud: undefined as never }),
      "the origin as audience": await issuer.sign({ aud: new URL(serving.url).origin }),
      "another issuer": await issuer.sign({ iss: "https://issuer.example" }),
      "expired more than the skew of clocks ago": await issuer.sign({ exp: now - 60 }),
      "not valid yet": await issuer.sign({ nbf: now + 120 }),
      "made in the future": await issuer.sign({ iat: now + 3600 }),
      "no end": await issuer.sign({ exp: undefined as never }),
      "no subject": await issuer.sign({ sub: undefined as never }),
      "no name": await issuer.sign({ preferred_username: "\u0000" }),
      "a key that the issuer does not publish": await issuer.sign({}, await newKey()),
      "another algorithm": await issuer.sign({}, await newKey("ES256")),
    };
    for (const [what, token] of Object.entries(bad)) expect(await status(token), what).toBe(401);
    const good = await issuer.sign({});
    const [header = "", payload = "", signature = ""] = good.split(".");
    const unsigned = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url");
    expect(await status(`${unsigned}.${payload}.`)).toBe(401);
    expect(await status(`${unsigned}.${payload}.${signature}`)).toBe(401);
    expect(await status(`${header}.${payload}.${signature.slice(0, -4)}AAAA`)).toBe(401);
    // Not in the address either, where logs would have it.
    expect((await fetch(`${serving.url}?access_token=${good}`, { method: "POST" })).status).toBe(401);
    expect(serving.logged()).not.toContain(signature);
  });

  it("gives the page addresses of files, and tells it of changes, no longer than its access token is good", async () => {
    const now = Math.floor(Date.now() / 1000);
    const person = { sub: "hugo", preferred_username: "Hugo Ä", groups: ["developers"] };
    const origin = new URL(serving.url).origin;
    const headersOf = (token: string) => ({ authorization: `Bearer ${token}`, origin });
    const token = await issuer.sign(person);
    const sent = { filePath: "Herons.md", content: "Grey herons", context: callContext() };
    const call = { name: "contentManager_createContent", arguments: sent };
    const made = await postCall({ url: serving.url, token, agent: globalAgent }, 1, call);
    expect(made.body).toMatchObject({ result: { structuredContent: { success: true } } });
    const addressBy = async (by: string) => {
      const answer = await fetch(`${origin}/media/Herons.md`, { method: "POST", headers: headersOf(by) });
      return `${origin}${((await answer.json()) as { url: string }).url}`;
    };
    expect(await (await fetch(await addressBy(token))).text()).toBe("Grey herons");
    // Still taken, by clocks that may differ; what it gives has ended.
    const last = await issuer.sign({ ...person, exp: now - 5 });
    expect((await fetch(await addressBy(last))).status).toBe(401);
    const changes = await fetch(`${origin}/changes`, { headers: headersOf(last) });
    expect(await changes.text()).toBe(": open\n\n");
    // Out of the groups, and so of the space.
    const address = await addressBy(token);
    expect(await status(await issuer.sign({ ...person, groups: [], iat: now + 1 }))).toBe("taken");
    expect((await fetch(address)).status).toBe(403);
  });

  it("gives what the groups of the newest token give, and nothing for groups that it does not know", async () => {
    const now = Math.floor(Date.now() / 1000);
    const person = { sub: "gina", preferred_username: "Gina" };
    const spaces = async () =>
      (
        await team.database.superuser`
          SELECT space.name, membership.role FROM commonplace.membership JOIN commonplace.space ON space.id = membership.space
          JOIN commonplace.member ON member.id = membership.member WHERE member.name = 'Gina'`
      ).map((row) => `${String(row["name"])}:${String(row["role"])}`);
    expect(await status(await issuer.sign({ ...person, groups: ["strangers"] }))).toBe(403);
    expect(await spaces()).toEqual([]);
    const old = await issuer.sign({ ...person, groups: ["everybody", "developers"], iat: now - 20 });
    expect(await status(old)).toBe("taken");
    expect(await spaces()).toEqual(["team:writer"]);
    expect(await status(await issuer.sign({ ...person, groups: ["everybody"], iat: now - 10 }))).toBe("taken");
    expect(await spaces()).toEqual(["team:reader"]);
    // Out of all groups: known, and in no space.
    expect(await status(await issuer.sign({ ...person, groups: [], iat: now }))).toBe("taken");
    expect(await spaces()).toEqual([]);
    await status(old);
    expect(await spaces()).toEqual([]);
  });

  it("does not take somebody for a member who only has the same name", async () => {
    expect(await status(await issuer.sign({ sub: "thief", preferred_username: "alice", groups: ["developers"] }))).toBe(
      403,
    );
  });

  it("takes somebody for the member that who runs the store has linked them to", async () => {
    const env = { COMMONPLACE_STORE: team.database.address(SUPERUSER) };
    const link = (member: string, ...more: string[]) =>
      runProgram(["store", "link", member, "--subject", "sub-of-carol", ...more], { home: temporaryFolder(), env });
    const token = await issuer.sign({ sub: "sub-of-carol", preferred_username: "carol", groups: ["everybody"] });
    expect(await status(token)).toBe(403);
    expect((await link("carol")).stderr).toContain("--issuer");
    expect((await link("nobody", "--issuer", issuer.url)).stderr).toContain("There is no member nobody");
    for (let twice = 0; twice < 2; twice++)
      expect(await link("carol", "--issuer", issuer.url)).toMatchObject({ code: 0 });
    expect((await link("bob", "--issuer", issuer.url)).stderr).toContain("is the member carol already");
    expect(await status(token)).toBe("taken");
  });

  it("is checked by doctor: whether the metadata and the keys of the issuer can be had", async () => {
    const check = async (url: string) => {
      const server = JSON.stringify({
        publicUrl: "https://notes.example",
        oauth: { issuer: url, groups: { all: "team:reader" } },
      });
      const env = { COMMONPLACE_STORE: team.database.address(team.login), COMMONPLACE_SERVER: server };
      const { stdout } = await runProgram(["doctor", "--json"], { home: temporaryFolder(), env });
      const { findings } = JSON.parse(stdout) as { findings: { part: string; state: string; note: string }[] };
      return findings.find(({ part }) => part === "issuer");
    };
    expect(await check(issuer.url)).toMatchObject({ state: "ok", note: expect.stringContaining("1 key") as string });
    const other = await check(`${issuer.url}/`);
    expect(other).toMatchObject({ state: "problem", note: expect.stringContaining("another issuer") as string });
    const away = await check("http://127.0.0.1:1");
    expect(away).toMatchObject({ state: "problem", note: expect.stringContaining("cannot be reached") as string });
  });

  it("takes tokens of a new key as soon as the issuer has one, and none of the old one later", async () => {
    const before = await issuer.sign({ groups: ["everybody"] });
    expect(await status(before)).toBe("taken");
    await issuer.rotate();
    const after = await issuer.sign({ groups: ["everybody"] });
    // New keys are looked for every few seconds at most.
    await expect.poll(() => status(after), { interval: 500 }).toBe("taken");
    expect(await status(before)).toBe(401);
  });

  it("still takes personal tokens, and says so if it cannot ask the issuer", async () => {
    await issuer.stop();
    expect(await status(await team.token("alice"))).toBe("taken");
    expect(await status(await issuer.sign({ groups: ["everybody"] }))).toBe("taken");
    const fresh = await team.serve({
      publicUrl: new URL(serving.url).origin,
      oauth: { issuer: issuer.url, groups: { everybody: "team:reader" } },
    });
    const answer = await fetch(fresh.url, {
      method: "POST",
      headers: { authorization: `Bearer ${await issuer.sign({ groups: ["everybody"] })}` },
    });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
  });
});
