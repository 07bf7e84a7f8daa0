// Personal tokens and the identities of an issuer, in the store: who they belong
// to, and what is left of them when they end.
import { beforeAll, describe, expect, it } from "vitest";
import {
  admitMember,
  createToken,
  listSpaces,
  listTokens,
  memberOfIdentity as enteredAs,
  memberOfToken as enteredWith,
  revokeToken,
  tokenHolder,
  type Identity,
  type Store,
} from "../../../src/shared/shared.ts";
import { redact } from "../../../src/redaction/redaction.ts";
import { runProgram, temporaryFolder } from "../../processes/program.ts";
import { SUPERUSER } from "../cluster.ts";
import { HAS_POSTGRESQL, newSpaceOf } from "../store-fixture.ts";
import { newTeam, type Team } from "./team.ts";

const memberOfToken = async (store: Store, token: string) => (await enteredWith(store, token))?.member;
const memberOfIdentity = async (store: Store, identity: Identity) => (await enteredAs(store, identity))?.member;

describe.runIf(HAS_POSTGRESQL)("a personal token", () => {
  let team: Team;
  let server: Store;
  beforeAll(async () => {
    team = await newTeam();
    server = team.database.open(team.login);
  });

  it("opens the store for its member, until it is revoked", async () => {
    const token = await team.token("alice", "laptop");
    expect(await memberOfToken(server, token)).toBe("alice");
    expect(await listTokens(server.forMember("alice"))).toMatchObject([{ name: "laptop", hasExpired: false }]);
    expect((await listTokens(server.forMember("alice")))[0]!.used).toMatch(/^\d{4}-\d\d-\d\d$/);
    await expect(revokeToken(server.forMember("bob"), "laptop")).rejects.toThrow("You have no token laptop.");
    await revokeToken(server.forMember("alice"), "laptop");
    expect(await memberOfToken(server, token)).toBeUndefined();
  });

  it("is nobody's if it is wrong, or has expired", async () => {
    const token = await team.token("alice", "old");
    expect(await memberOfToken(server, `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`)).toBeUndefined();
    expect(await memberOfToken(server, "")).toBeUndefined();
    await team.database.superuser`UPDATE commonplace.personal_token SET expires = now() WHERE name = 'old'`;
    expect(await memberOfToken(server, token)).toBeUndefined();
    expect(await listTokens(server.forMember("alice"))).toMatchObject([{ name: "old", hasExpired: true }]);
  });

  it("is seen by its member alone, and made for members alone", async () => {
    await team.token("carol", "phone");
    expect(await listTokens(server.forMember("bob"))).toEqual([]);
    expect((await listTokens(server.forMember("carol"))).map(({ name }) => name)).toEqual(["phone"]);
    await expect(createToken(server.forMember("carol"), "phone", 1)).rejects.toThrow("You have a token phone already.");
    await expect(createToken(server.forMember("nobody"), "x", 1)).rejects.toThrow("is no member of this store");
    await expect(createToken(server.forMember("bob"), "a\nb", 1)).rejects.toThrow("cannot be the name of a token");
    await expect(createToken(server, "x", 1)).rejects.toThrow("is no member of this store");
  });

  it("is recognised and hidden where text is redacted", async () => {
    const token = await team.token("bob", "shown");
    expect(redact(`Authorization: Bearer ${token}, ${token}`)).not.toContain(token.slice(5, 25));
  });

  it("is made, listed and revoked by a command, which shows it once", async () => {
    const home = temporaryFolder();
    const run = (login: string, ...args: string[]) =>
      runProgram(["store", "token", ...args], { home, env: { COMMONPLACE_STORE: team.database.address(login) } });
    const made = await run(SUPERUSER, "create", "desk", "--expires", "7d");
    const token = made.stdout.split("\n")[0]!;
    expect(token).toMatch(/^cmnp_[\w-]{43}$/);
    expect(await memberOfToken(server, token)).toBe(SUPERUSER);
    expect((await run(SUPERUSER, "list")).stdout).toMatch(/desk: made [\d-]+, expires [\d-]+, last used/);
    expect((await run(SUPERUSER, "list")).stdout).not.toContain(token);
    expect((await run(SUPERUSER, "list")).stdout).toContain(`1 token of ${SUPERUSER}`);
    expect((await run(SUPERUSER, "revoke", "desk")).stdout).toContain(`desk of ${SUPERUSER} is revoked`);
    expect(await memberOfToken(server, token)).toBeUndefined();
    const other = JSON.parse((await run(team.login, "create", "desk", "--member", "alice", "--json")).stdout);
    expect(await memberOfToken(server, other.token)).toBe("alice");
    expect(other.member).toBe("alice");
    const twice = await run(team.login, "create", "desk", "--member", "alice");
    expect(twice.stderr).toContain("alice has a token desk already.");
    expect(twice.stderr).toContain("store token revoke desk --member alice");
    expect((await run(team.login, "revoke", "none", "--member", "alice")).stderr).toContain("alice has no token none.");
    expect((await run(SUPERUSER, "create", "x", "--expires", "never")).stderr).toContain("from 1d to 366d");
    expect((await run(SUPERUSER, "create")).stderr).toContain("store token create NAME");
  });

  it("is not made, listed or revoked for a member that the login may not work for, nor for nobody", async () => {
    const login = await team.database.newLogin("dave");
    await admitMember(team.database.open(SUPERUSER), { name: "dave", login });
    const dave = team.database.open(login);
    await createToken(dave, "mine", 1);
    const run = (as: string, ...args: string[]) =>
      runProgram(["store", "token", ...args], {
        home: temporaryFolder(),
        env: { COMMONPLACE_STORE: team.database.address(as) },
      });
    await Promise.all(
      [["create", "laptop"], ["list"], ["revoke", "mine"]].map(async (args) => {
        const refused = await run(login, ...args, "--member", "alice");
        expect(refused.stderr).toContain(`The login ${login} may not work for alice.`);
        expect(refused.stdout).toBe("");
      }),
    );
    expect((await listTokens(dave)).map(({ name }) => name)).toEqual(["mine"]);
    await expect(tokenHolder(server, "nobody")).rejects.toThrow("There is no member nobody in this store.");
    await expect(tokenHolder(server, undefined)).rejects.toThrow("is no member of this store");
    await expect(tokenHolder(dave, "alice")).rejects.toThrow("may not work for alice");
    expect(await tokenHolder(dave, "dave")).toMatchObject({ name: "dave" });
    expect((await run(team.login, "list", "--member", "")).stderr).toContain("--member names nobody.");
  });
});

describe.runIf(HAS_POSTGRESQL)("doctor, with the login of a server", () => {
  it("says what is served, and where tokens come from", async () => {
    const { database, login } = await newTeam();
    const oauth = { issuer: "http://127.0.0.1:1", groups: { all: "team:reader" } };
    const env = {
      COMMONPLACE_STORE: database.address(login),
      COMMONPLACE_SERVER: JSON.stringify({ publicUrl: "https://notes.example", oauth }),
    };
    const { stdout } = await runProgram(["doctor", "--json"], { home: temporaryFolder(), env });
    expect(stdout).toContain("the login serves members at https://notes.example");
    expect(stdout).toContain("access tokens of http://127.0.0.1:1");
    const parts = JSON.parse(stdout).findings.map(({ part }: { readonly part: string }) => part);
    expect(parts).toEqual(["node", "store", "issuer", "data", "cache", "token", "config"]);
    expect(stdout).not.toContain(new URL(env.COMMONPLACE_STORE).password);
  });
});

describe.runIf(HAS_POSTGRESQL)("somebody whom an issuer knows", () => {
  let team: Team;
  let server: Store;
  const identity = { issuer: "https://issuer.example", subject: "u1", name: "erin" };
  const [reader, writer] = [
    { space: "team", role: "reader" as const },
    { space: "team", role: "writer" as const },
  ];
  const spaces = async (name: string) =>
    (await listSpaces(server.forMember(name))).map((each) => [each.name, each.role]);
  beforeAll(async () => {
    team = await newTeam();
    server = team.database.open(team.login);
  });

  it("becomes a member with the first token whose groups give a space, once for all servers", async () => {
    expect(await memberOfIdentity(server, { ...identity, grants: [], issued: 100 })).toBeUndefined();
    const found = await Promise.all(
      [1, 2, 3, 4].map(() => memberOfIdentity(server, { ...identity, grants: [reader], issued: 100 })),
    );
    expect(found).toEqual(["erin", "erin", "erin", "erin"]);
    expect(await spaces("erin")).toEqual([["team", "reader"]]);
  });

  it("gets what newer tokens give and loses what they do not, whatever older ones say", async () => {
    await memberOfIdentity(server, { ...identity, grants: [writer], issued: 200 });
    expect(await spaces("erin")).toEqual([["team", "writer"]]);
    await memberOfIdentity(server, { ...identity, grants: [], issued: 300 });
    expect(await spaces("erin")).toEqual([]);
    expect(await memberOfIdentity(server, { ...identity, grants: [writer], issued: 200 })).toBe("erin");
    expect(await spaces("erin")).toEqual([]);
    // The same token, after the mapping of the server was changed.
    await memberOfIdentity(server, { ...identity, grants: [reader], issued: 300 });
    expect(await spaces("erin")).toEqual([["team", "reader"]]);
  });

  it("keeps what an owner gave", async () => {
    await newSpaceOf("erin", team.database.open(SUPERUSER), "own");
    await memberOfIdentity(server, { ...identity, grants: [], issued: 400 });
    expect(await spaces("erin")).toEqual([["own", "owner"]]);
  });

  it("does not become somebody who is a member already", async () => {
    const taken = { ...identity, subject: "u2", name: "alice", grants: [writer], issued: 1 };
    for (const name of ["alice", "ALICE"])
      await expect(memberOfIdentity(server, { ...taken, name })).rejects.toThrow(
        "Another member has this name already.",
      );
    const [row] = await team.database.superuser`SELECT count(*)::int AS count FROM commonplace.identity`;
    expect(row!["count"]).toBe(1);
  });
});
