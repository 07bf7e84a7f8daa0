// Many members of one space on one server: none of them starves because another one
// moves notes, and no call needs a second connection to the database.
import { Agent } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import { admitPerson } from "../../../src/shared/shared.ts";
import { callContext } from "../../fixtures/call-context.ts";
import { postCall } from "../../processes/http-call.ts";
import { SUPERUSER } from "../cluster.ts";
import { HAS_POSTGRESQL } from "../store-fixture.ts";
import { newTeam, type Serving, type Team } from "./team.ts";

const MEMBERS = 12;
const CONNECTIONS = 10;
/**
 * How often the members are counted with and without one who moves notes: more often
 * where chance may have decided, since a busy machine answers few calls in each span.
 */
const ROUNDS = { few: 3, many: 10 };
/** Milliseconds of each. */
const SPAN = 2_500;

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

interface Answer {
  readonly result?: { readonly isError?: boolean; readonly structuredContent: Readonly<Record<string, unknown>> };
}

describe.runIf(HAS_POSTGRESQL)("a crowd in one space", () => {
  const agent = new Agent({ keepAlive: true });
  let team: Team;
  let tokens: string[];

  beforeAll(async () => {
    team = await newTeam();
    const admin = team.database.open(SUPERUSER);
    tokens = [];
    for (let i = 0; i < MEMBERS; i++) {
      await admitPerson(admin, `member${i}`);
      await team.let(`member${i}`, "team", "writer");
      tokens.push(await team.token(`member${i}`));
    }
  });

  const caller = (server: Serving) => async (token: string, name: string, sent: object) => {
    const arguments_ = { context: callContext({ sessionId: "s1" }), ...sent };
    const { status, body } = await postCall<Answer>({ url: server.url, token, agent }, 1, {
      name,
      arguments: arguments_,
    });
    return { status, isError: body.result?.isError === true, text: JSON.stringify(body) };
  };

  it("serves each member at half of the speed or more while one of them moves notes", async () => {
    const server = await team.serve({ requestsPerMinute: 1_000_000, connections: CONNECTIONS });
    const call = caller(server);
    const must = async (...sent: Parameters<typeof call>) => {
      const answer = await call(...sent);
      expect(answer, answer.text).toMatchObject({ status: 200, isError: false });
    };
    for (let i = 0; i < MEMBERS; i++)
      await must(tokens[i]!, "contentManager_createContent", { filePath: `Log ${i}.md`, content: "See [[Hub]].\n" });
    await must(tokens[0]!, "contentManager_createContent", { filePath: "Hub.md", content: "# Hub\n" });
    const append = (i: number) =>
      must(tokens[i]!, "contentManager_appendContent", { filePath: `Log ${i}.md`, content: "one more line\n" });
    let place = "Hub.md";
    let moves = 0;
    const move = async () => {
      const newPath = `Moved/${++moves}/Hub.md`;
      await must(tokens[0]!, "vaultManager_moveNote", { path: place, newPath });
      place = newPath;
    };
    /** How many calls of each member were answered. */
    const count = async (first: () => Promise<void>) => {
      const done = Array.from({ length: MEMBERS }, () => 0);
      const end = performance.now() + SPAN;
      await Promise.all(
        done.map(async (_, i) => {
          while (performance.now() < end) {
            await (i === 0 ? first() : append(i));
            done[i]!++;
          }
        }),
      );
      return done;
    };
    await count(() => append(0));
    const [without, beside] = [Array.from({ length: MEMBERS }, () => 0), Array.from({ length: MEMBERS }, () => 0)];
    const isFair = () => Math.min(...beside.slice(1)) >= sum(without) / MEMBERS / 2;
    for (let round = 0; round < ROUNDS.few || (round < ROUNDS.many && !isFair()); round++) {
      for (const [i, calls] of (await count(() => append(0))).entries()) without[i]! += calls;
      for (const [i, calls] of (await count(move)).entries()) beside[i]! += calls;
    }
    const said = `without ${without.join(" ")}, beside ${beside.join(" ")}`;
    expect(isFair(), said).toBe(true);
    expect(beside[0], said).toBeGreaterThan(0);
    // All of them are there, with the links that the moves rewrote.
    const read = await call(tokens[1]!, "contentManager_readContent", { filePath: "Log 1.md" });
    expect(read.text.match(/one more line/g)!.length).toBeGreaterThanOrEqual(without[1]! + beside[1]!);
    expect((await call(tokens[1]!, "contentManager_readContent", { filePath: place })).isError).toBe(false);
    await server.stop();
  });

  it("needs one connection for any call, however many are made at once", async () => {
    const server = await team.serve({ requestsPerMinute: 1_000_000, connections: 1 });
    const call = caller(server);
    const work = async (token: string, i: number) => {
      const [folder, path] = [`Place ${i}`, `Place ${i}/Note.md`];
      const steps: readonly (readonly [string, object])[] = [
        ["contentManager_createContent", { filePath: path, content: `# Note\n\n#tag${i} and more\n` }],
        ["contentManager_createContent", { filePath: `${folder}/Other.md`, content: `See [[${folder}/Note#Note]].\n` }],
        ["contentManager_updateProperties", { filePath: path, set: { a: 1 } }],
        ["vaultManager_moveNote", { path, newPath: `${folder}/Renamed.md` }],
        ["undo", {}],
        ["redo", {}],
        ["vaultLibrarian_tags", { rename: `tag${i}`, newName: `label${i}`, confirmed: true }],
        ["vaultManager_moveFolder", { path: folder, newPath: `Moved ${i}` }],
        ["vaultManager_duplicateNote", { path: `Moved ${i}/Renamed.md`, newPath: `Moved ${i}/Copy.md` }],
        ["create_document", { path: `Lists/${i}.opml` }],
        ["add_row", { topic: "row", documentName: `Lists/${i}.opml` }],
        ["search", { query: "more" }],
        ["history", {}],
        ["vaultManager_deleteNote", { path: `Moved ${i}/Copy.md` }],
        ["vaultManager_deleteFolder", { path: `Moved ${i}`, recursive: true, confirmed: true }],
      ];
      for (const [name, sent] of steps) {
        const answer = await call(token, name, sent);
        expect(answer.status, `${name}: ${answer.text}`).toBe(200);
        expect(answer.isError, `${name}: ${answer.text}`).toBe(false);
      }
    };
    await Promise.all(tokens.slice(0, 6).map(work));
    expect(server.logged()).not.toContain("connection");
    await server.stop();
  });
});
