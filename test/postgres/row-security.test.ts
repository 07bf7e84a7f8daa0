// Nobody sees what is not theirs: the database itself enforces it, for every table
// that the schema has.
import { beforeAll, describe, expect, it } from "vitest";
import {
  admitMember,
  admitPerson,
  countOwnRows,
  countRequests,
  createStore,
  createToken,
  ensureSpace,
  keepClientSession,
  keepOpenedOutline,
  leaveSpace,
  listSpaces,
  memberOfIdentity,
  removeMember,
  setRole,
  newestChanges,
  spaceNamed,
  ticketKeys,
  type Store,
  unshare,
} from "../../src/shared/shared.ts";
import type { TaggedQuery } from "../../src/shared/tagged-query.ts";
import { ACCESS_ROLE, OWNER_ROLE, SERVER_ROLE } from "../../src/shared/schema/roles.ts";
import { HAS_POSTGRESQL, newDatabase, newSpaceOf, type TestDatabase } from "./store-fixture.ts";
import { SUPERUSER } from "./cluster.ts";

/** Runs a statement whose parts cannot be values. */
const selectedBy = (sql: TaggedQuery, statement: string) =>
  sql(Object.assign([statement], { raw: [statement] }) as unknown as TemplateStringsArray);

describe.runIf(HAS_POSTGRESQL)("a shared store", () => {
  let database: TestDatabase;
  let admin: Store;
  let [alice, bob, mallory, server] = ["", "", "", ""];

  const addEvent = async (store: Store, space: string, id: string) => {
    const { id: number } = await spaceNamed(store, space);
    await store.transaction(async (sql) => {
      const [row] = await sql`SELECT commonplace.take_numbers(${number}, 1) AS before`;
      await sql`
        INSERT INTO commonplace.memory_event (space, vault, id, number, line, member)
        VALUES (${number}, 'Notes', ${id}, ${Number(row!["before"]) + 1}, '{}', commonplace.current_member())`;
    });
  };
  /** A row in each table of conversations. */
  const addConversation = async (store: Store, space: string, key: string) => {
    const { id } = await spaceNamed(store, space);
    await store.transaction(async (sql) => {
      const [row] = await sql`
        INSERT INTO commonplace.conversation (space, member, source, key, content, stamps, redaction, title, created,
          updated, time_known, messages, type, keywords, opening, files, touched, abandoned, has_dropped)
        VALUES (${id}, commonplace.current_member(), 'codex', ${key}, '', '{}', 1, 'Title', 1, 1, 'stored', 1, 'general', '',
          '', '', '[]', '[]', false) RETURNING id`;
      const conversation = String(row!["id"]);
      await sql`
        INSERT INTO commonplace.conversation_page (conversation, page, space, kind, content, first, last, parts)
        VALUES (${conversation}, 1, ${id}, 'prose', '', 1, 1, '')`;
      await sql`INSERT INTO commonplace.conversation_whole VALUES (${conversation}, 1, ${id}, '')`;
    });
  };
  /** A row in each table of files. */
  const addFile = async (store: Store, space: string, key: string) => {
    const { id } = await spaceNamed(store, space);
    await store.transaction(async (sql) => {
      const [row] = await sql`SELECT commonplace.begin_file_change(${id}::bigint) AS number`;
      await sql`
        INSERT INTO commonplace.file (space, path, key, folder, kind, hash, version, created, modified, member, bytes)
        VALUES (${id}, ${key}, ${key}, '', 'file', '', 1, 1, 1, commonplace.current_member(), '')`;
      await sql`
        INSERT INTO commonplace.file_change (space, number, nonce, time, member, tool, message, actions, removed)
        VALUES (${id}, ${String(row!["number"])}, ${key}, ${Date.now()}, commonplace.current_member(), '', '', '[]', '')`;
    });
  };
  const eventsSeenBy = (store: Store) =>
    store.transaction(async (sql) =>
      (await sql`SELECT id FROM commonplace.memory_event ORDER BY id`).map((row) => String(row["id"])),
    );
  const tables = async () =>
    (
      await database.superuser`
        SELECT relname, relrowsecurity, relforcerowsecurity, pg_get_userbyid(relowner) AS owner FROM pg_class
        WHERE relnamespace = 'commonplace'::regnamespace AND relkind IN ('r', 'p', 'v', 'm') ORDER BY relname`
    ).map((row) => ({ ...row, name: String(row["relname"]) }));

  beforeAll(async () => {
    database = await newDatabase();
    admin = database.open(SUPERUSER);
    await createStore(admin);
    [alice, bob, mallory, server] = (await Promise.all(
      ["alice", "bob", "mallory", "server"].map((name) => database.newLogin(name)),
    )) as [string, string, string, string];
    await admitMember(admin, { name: "alice", login: alice });
    await admitMember(admin, { name: "bob", login: bob });
    await database.superuser.script(`GRANT ${SERVER_ROLE} TO ${server}`);
    await newSpaceOf("alice", admin, "team");
    await newSpaceOf("bob", admin, "bob");
    await addEvent(database.open(alice), "team", "from alice");
    await addConversation(database.open(alice), "team", "from alice");
    await addFile(database.open(alice), "team", "from alice");
    await addEvent(database.open(bob), "bob", "from bob");
    await unshare(database.open(bob), await spaceNamed(database.open(bob), "bob"), { project: "p" }, ["git:p"]);
    const throughServer = database.open(server).forMember("bob");
    await createToken(throughServer, "laptop", 1);
    await keepClientSession(throughServer, "a session", "{}");
    await keepOpenedOutline(throughServer, "a session", { space: "bob", path: "Plan.opml" });
    await countRequests(throughServer, 1);
    await ticketKeys(database.open(server));
    const grants = [{ space: "elsewhere", role: "reader" as const }];
    await memberOfIdentity(database.open(server), { issuer: "i", subject: "s", name: "erin", grants, issued: 1 });
  });

  it("keeps what servers ask for from everybody else", async () => {
    for (const login of [alice, SUPERUSER]) {
      const asked = database.open(login).transaction((sql) => sql`SELECT commonplace.member_of_token('\\x00'::bytea)`);
      if (login === SUPERUSER) await asked;
      else await expect(asked).rejects.toThrow("Only a server may ask for this.");
    }
    const asAlice = database.open(alice);
    await expect(ticketKeys(asAlice)).rejects.toThrow("Only a server may ask for this.");
    await expect(newestChanges(asAlice, [{ member: "bob", token: undefined }])).rejects.toThrow(
      "Only a server may ask",
    );
    await expect(
      memberOfIdentity(asAlice, { issuer: "i", subject: "s", name: "erin", grants: [], issued: 2 }),
    ).rejects.toThrow("Only a server may ask for this.");
  });

  it("tells a server for each of several members what changed for that one, and nothing of who is nobody", async () => {
    const asServer = database.open(server);
    const listeners = ["alice", "bob", "nobody"].map((member) => ({ member, token: undefined }));
    const ask = () => newestChanges(asServer, [...listeners, { member: "bob", token: "\\x00" }]);
    const before = await ask();
    expect(before.map((text) => text === undefined)).toEqual([false, false, true, true]);
    const changed = database.open(alice);
    const { id } = await spaceNamed(changed, "team");
    await changed.transaction((sql) => sql`SELECT commonplace.begin_file_change(${id}::bigint)`);
    const after = await ask();
    expect(after.map((text, i) => text === before[i])).toEqual([false, true, true, true]);
    // Memory, to which every call of an assistant adds, is nothing that the page shows.
    await addEvent(database.open(bob), "bob", "another one");
    expect(await ask()).toEqual(after);
    await database.superuser`DELETE FROM commonplace.memory_event WHERE id = 'another one'`;
  });

  it("gives all servers the same keys for tickets, and a new one every day", async () => {
    const [first, second] = [await ticketKeys(database.open(server)), await ticketKeys(database.open(server))];
    expect([first.length, second]).toEqual([1, first]);
    const age = (days: number) =>
      database.superuser`UPDATE commonplace.ticket_key SET created = created - ${days} * interval '1 day'`;
    await age(1.1);
    const [newest, before, ...older] = (await Promise.all([1, 2, 3].map(() => ticketKeys(database.open(server))))).at(
      -1,
    )!;
    expect([before, older]).toEqual([first[0], []]);
    expect(newest).not.toEqual(before);
    await age(1.1);
    expect(await ticketKeys(database.open(server))).toHaveLength(2);
  });

  it("works for the member that a server names, not for a member whose login the server has", async () => {
    await database.superuser`INSERT INTO commonplace.member (name, login) VALUES ('machine', ${server})`;
    const asBob = database.open(server).forMember("bob");
    expect(await eventsSeenBy(asBob)).toEqual(["from bob"]);
    expect(await eventsSeenBy(database.open(server).forMember("nobody"))).toEqual([]);
    await database.superuser`DELETE FROM commonplace.member WHERE name = 'machine'`;
  });

  it("answers each of many questions over few connections for its own member, also among questions that fail", async () => {
    const shared = database.open(server, { connections: 2 });
    const asked = Array.from({ length: 120 }, async (_, i) => {
      const name = ["alice", "bob", "nobody"][i % 3]!;
      const work = async (sql: TaggedQuery) => {
        const [who, failing] = await Promise.allSettled([
          sql`SELECT commonplace.current_member() AS id, current_user AS role`,
          i % 5 === 0 ? sql`SELECT 1 / 0` : sql`SELECT 1`,
        ]);
        if (failing.status === "rejected") throw failing.reason;
        return who.status === "fulfilled" ? who.value[0] : undefined;
      };
      const member = shared.forMember(name);
      const found = await (i % 2 === 0 ? member.reading(work) : member.transaction(work)).catch(() => undefined);
      return { name, found };
    });
    const ids = new Map(
      (await database.superuser`SELECT name, id FROM commonplace.member`).map(({ name, id }) => [name, id]),
    );
    for (const { name, found } of await Promise.all(asked))
      if (found !== undefined) expect(found).toEqual({ id: ids.get(name) ?? null, role: ACCESS_ROLE });
    // Nothing of it stays with the connections.
    for (let i = 0; i < 4; i++)
      expect(
        await shared.asLogin(
          (sql) =>
            sql`SELECT current_user = session_user AS "isLogin", current_setting('commonplace.member', true) AS member`,
        ),
      ).toEqual([{ isLogin: true, member: "" }]);
  });

  it("takes no file whose path, size or times would stop the tools of the others", async () => {
    const store = database.open(alice);
    const { id } = await spaceNamed(store, "team");
    const add = (path: string, size: number, time: string) =>
      store.transaction(async (sql) => {
        await sql`SELECT commonplace.begin_file_change(${id}::bigint)`;
        await sql`
          INSERT INTO commonplace.file (space, path, key, folder, kind, hash, size, version, created, modified, member, bytes)
          VALUES (${id}, ${path}, ${path}, '', 'file', '', ${size}, 1, ${time}::float8, ${time}::float8, commonplace.current_member(), 'abc')`;
        throw new Error("taken");
      });
    await expect(add("Notes/...md", 3, "-1.5")).rejects.toThrow("taken");
    for (const time of ["NaN", "Infinity", "1e300", "-8.7e15"])
      await expect(add("a.md", 3, time), time).rejects.toThrow("file_times");
    for (const size of [-1, 4]) await expect(add("a.md", size, "1")).rejects.toThrow("file_size");
    for (const path of ["../a.md", "b/../a.md", "/a.md", "a//b.md", "./a.md", "..", "a/."])
      await expect(add(path, 3, "1"), path).rejects.toThrow("file_path");
  });

  it("changes nothing while it reads", async () => {
    const write = (sql: TaggedQuery) => sql`UPDATE commonplace.client_session SET client = 'changed'`;
    await expect(database.open(server).forMember("bob").reading(write)).rejects.toThrow("read-only");
  });

  it("gives no answer to a question that was sent with the beginning of a transaction that could not begin", async () => {
    const empty = await newDatabase();
    const seen: unknown[] = [];
    const asking = empty.open(SUPERUSER).reading(async (sql) => seen.push(await sql`SELECT current_user`));
    await expect(asking).rejects.toThrow("There is no store in");
    expect(seen).toEqual([]);
    await expect(empty.open(SUPERUSER).call("files_below", ["team", "", false])).rejects.toThrow(
      "There is no store in",
    );
  });

  it("waits for the one connection longer than for a database that does not answer", async () => {
    const shared = database.open(server, { connections: 1 });
    const long = shared.forMember("alice").transaction((sql) => sql`SELECT pg_sleep(7)`);
    const [row] = await shared.forMember("bob").transaction((sql) => sql`SELECT 1 AS one`);
    expect(row).toEqual({ one: 1 });
    await long;
  });

  it("answers a call of a function as the member that asks, and changes nothing by it", async () => {
    const { id } = await spaceNamed(database.open(alice), "team");
    const own = await spaceNamed(database.open(bob), "bob");
    const [through, nobody] = [database.open(server, { connections: 1 }), database.open(server).forMember("nobody")];
    const file = (store: Store, space: string, known: number | null) =>
      store.call("read_file", [space, known, "from alice", 9]);
    const all = (store: Store) => store.call("files_below", ["team", "", false]);
    for (const [i, known] of [null, id, own.id, -1, id].entries()) {
      for (const store of [database.open(alice), through.forMember("alice")])
        expect(await file(store, "team", known), String(i)).toContain(`[${id}, true, "from alice", "file"`);
      // By the name of a space that is theirs with the number of one that is not, too.
      for (const store of [database.open(bob), through.forMember("bob")]) {
        expect(await file(store, "team", known)).toBeNull();
        expect(await file(store, "bob", known)).toBe(`[${own.id}]`);
      }
      for (const store of [through, nobody, admin]) expect(await file(store, "team", known)).toBeNull();
    }
    expect(await all(through.forMember("alice"))).toEqual([["from alice"], null]);
    for (const store of [through.forMember("bob"), through, nobody, admin]) expect(await all(store)).toBeNull();
    await expect(database.open(mallory).call("files_below", ["team", "", false])).rejects.toThrow("has no access");
    await expect(database.open(alice).call("begin_file_change", [id])).rejects.toThrow("read-only");
    expect(
      await through.asLogin(
        (sql) => sql`SELECT current_user = session_user AS "isLogin", current_setting('commonplace.member') AS member`,
      ),
    ).toEqual([{ isLogin: true, member: "" }]);
  });

  it("answers also over connections that have not what was prepared on them, or have it already, as with a pooler", async () => {
    const all = (store: Store) => store.call("files_below", ["team", "", false]);
    const prepared = (store: Store) =>
      store.asLogin(async (sql) =>
        (await sql`SELECT name FROM pg_prepared_statements`).map((row) => String(row["name"])),
      );
    const [one, other] = [1, 2].map(() => database.open(alice, { connections: 1 })) as [Store, Store];
    expect([await all(one), await all(one)]).toEqual([
      [["from alice"], null],
      [["from alice"], null],
    ]);
    const [name, ...more] = await prepared(one);
    expect(more).toEqual([]);
    await one.asLogin((sql) => sql.script("DEALLOCATE ALL"));
    await other.asLogin((sql) => sql.script(`PREPARE ${name} AS SELECT 1`));
    for (const store of [one, other, one, other]) expect(await all(store)).toEqual([["from alice"], null]);
    expect([await prepared(one), await prepared(other)]).toEqual([[], [name]]);
  });

  it("asks its own tables and functions, whatever tables, functions and operators a member has made", async () => {
    const functions = await database.superuser`
      SELECT proname, proconfig[1] AS path FROM pg_proc
      WHERE pronamespace = 'commonplace'::regnamespace AND prosecdef`;
    expect(functions.length).toBeGreaterThan(20);
    for (const { proname, path } of functions)
      expect([proname, path]).toEqual([proname, "search_path=commonplace, pg_temp"]);
    const team = await spaceNamed(database.open(alice), "team");
    const seen = await database.open(bob, { connections: 1 }).transaction(async (sql) => {
      await sql.script(`
        CREATE TEMP TABLE member AS SELECT id, name, '${bob}' AS login FROM commonplace.member;
        CREATE TEMP TABLE membership AS SELECT ${team.id} AS space, id AS member, 'owner' AS role FROM commonplace.member;
        CREATE FUNCTION pg_temp.current_member() RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint';
        CREATE FUNCTION pg_temp.spaces_as(text) RETURNS SETOF bigint LANGUAGE sql AS 'SELECT ${team.id}::bigint';
        CREATE FUNCTION pg_temp.always(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT true';
        CREATE OPERATOR pg_temp.= (LEFTARG = text, RIGHTARG = text, FUNCTION = pg_temp.always);
        SET LOCAL search_path = pg_temp, pg_catalog, commonplace`);
      return [
        await sql`SELECT path FROM commonplace.file`,
        await sql`SELECT spaces FROM commonplace.spaces_as('reader') AS spaces`,
        await sql.call("read_file", ["team", team.id, "from alice", 9]),
        await sql.call("files_below", ["team", "", false]),
      ];
    });
    const own = await spaceNamed(database.open(bob), "bob");
    expect(seen).toEqual([[], [{ spaces: String(own.id) }], null, null]);
  });

  it("answers every question of a reading as its member, and none that comes after its end", async () => {
    const who = (sql: TaggedQuery) => sql`SELECT current_user AS role, current_setting('commonplace.member') AS member`;
    const asBob = database.open(server, { connections: 1 }).forMember("bob");
    let kept: TaggedQuery | undefined;
    const answers = await asBob.reading(async (sql) => {
      kept = sql;
      // What is stated with a question ends with it.
      const [, [stated]] = await Promise.all([
        sql`SELECT set_config('commonplace.words', 'zebra', true)`,
        sql`SELECT current_setting('commonplace.words', true) AS words`,
      ]);
      const [later] = await sql`SELECT current_setting('commonplace.words', true) AS words`;
      expect([stated!["words"], later!["words"]]).toEqual(["zebra", ""]);
      return [...(await who(sql)), ...(await Promise.all([who(sql), who(sql)])).flat()];
    });
    expect(answers).toEqual(Array.from({ length: 3 }, () => ({ role: ACCESS_ROLE, member: "bob" })));
    await expect(who(kept!)).rejects.toThrow("This work is over.");
  });

  it("forces row-level security on every table, and none belongs to the role that serves", async () => {
    const found = await tables();
    expect(found.map(({ name }) => name)).toContain("memory_event");
    for (const table of found)
      expect(table).toMatchObject({ relrowsecurity: true, relforcerowsecurity: true, owner: OWNER_ROLE });
    const roles = await database.superuser`
      SELECT rolname, rolsuper, rolbypassrls, rolcreaterole, rolcanlogin FROM pg_roles
      WHERE rolname IN (${OWNER_ROLE}, ${ACCESS_ROLE}, ${SERVER_ROLE})`;
    expect(roles).toHaveLength(3);
    for (const role of roles)
      expect(role).toMatchObject({ rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcanlogin: false });
    const [row] = await database.superuser`SELECT pg_has_role(${ACCESS_ROLE}, ${OWNER_ROLE}, 'MEMBER') AS "isOwner"`;
    expect(row!["isOwner"]).toBe(false);
  });

  it("shows no row of any table to a connection that has not said who it is", async () => {
    const nobody = database.open(server);
    for (const { name } of await tables()) {
      // The name comes from the catalogue, and cannot be a value.
      const rowsOf = `SELECT * FROM commonplace.${name}`;
      expect(await selectedBy(database.superuser, rowsOf), `${name} has rows to hide`).not.toEqual([]);
      expect(await nobody.transaction((sql) => selectedBy(sql, rowsOf)), name).toEqual([]);
      expect(await nobody.reading((sql) => selectedBy(sql, rowsOf)), name).toEqual([]);
    }
    for (const kind of ["transaction", "reading"] as const)
      await expect(database.open(mallory)[kind]((sql) => sql`SELECT 1`)).rejects.toThrow("has no access to this store");
  });

  it("shows the owner of the tables nobody's data", async () => {
    const rows = await admin.asLogin(async (sql) => {
      await sql`SELECT set_config('role', ${OWNER_ROLE}, true)`;
      const data = (await tables())
        .map(({ name }) => name)
        .filter((name) => /^(?:memory|conversation|file|note)/.test(name));
      expect(data.length).toBeGreaterThan(8);
      const found = [];
      for (const name of data) found.push(...(await selectedBy(sql, `SELECT * FROM commonplace.${name}`)));
      return found;
    });
    expect(rows).toEqual([]);
    // Even a superuser works as a member here, and sees what that one may.
    expect(await eventsSeenBy(admin)).toEqual([]);
  });

  it("shows each member what is in their spaces, directly and through a server", async () => {
    expect(await eventsSeenBy(database.open(alice))).toEqual(["from alice"]);
    expect(await eventsSeenBy(database.open(bob))).toEqual(["from bob"]);
    expect(await eventsSeenBy(database.open(server, { member: "bob" }))).toEqual(["from bob"]);
    expect(await eventsSeenBy(database.open(server, { member: "nobody" }))).toEqual([]);
  });

  it("does not let a member claim to be another one", async () => {
    expect(await eventsSeenBy(database.open(bob, { member: "alice" }))).toEqual(["from bob"]);
    await expect(addAs("alice")).rejects.toThrow("row-level security");
  });

  const addAs = (name: string) =>
    database.open(bob).transaction(async (sql) => {
      const [other] = await database.superuser`SELECT id FROM commonplace.member WHERE name = ${name}`;
      await sql`
        INSERT INTO commonplace.memory_event (space, vault, id, number, line, member)
        SELECT id, 'Notes', 'forged', 99, '{}', ${String(other!["id"])} FROM commonplace.space WHERE name = 'bob'`;
    });

  it("shows conversations to the members of their space only, and lets nobody change those of others", async () => {
    const [asAlice, asBob] = [database.open(alice), database.open(bob)];
    const shown = (store: Store) =>
      store.transaction(async (sql) => {
        const counts = await sql`
          SELECT (SELECT count(*)::int FROM commonplace.conversation) AS conversations,
            (SELECT count(*)::int FROM commonplace.conversation_page) AS pages,
            (SELECT count(*)::int FROM commonplace.conversation_whole) AS wholes,
            (SELECT count(*)::int FROM commonplace.conversation_feed) AS fed`;
        return Object.values(counts[0]!);
      });
    expect(await shown(asAlice)).toEqual([1, 1, 1, 1]);
    expect(await shown(asBob)).toEqual([0, 0, 0, 0]);
    const team = await spaceNamed(asAlice, "team");
    await setRole(asAlice, team, "bob", "writer");
    expect(await shown(asBob)).toEqual([1, 1, 1, 1]);
    const [row] = await database.superuser`SELECT id FROM commonplace.conversation`;
    const id = String(row!["id"]);
    const bobs = await spaceNamed(asBob, "bob");
    const change = (statement: string) => asBob.transaction((sql) => sql.script(statement));
    for (const statement of [
      `INSERT INTO commonplace.conversation_page VALUES (${id}, 9, ${team.id}, 'prose', '', 1, 1, '')`,
      `INSERT INTO commonplace.conversation_whole VALUES (${id}, 1, ${team.id}, '')`,
      `INSERT INTO commonplace.conversation_page VALUES (${id}, 9, ${bobs.id}, 'prose', '', 1, 1, '')`,
    ])
      await expect(change(statement), statement).rejects.toThrow("row-level security");
    for (const statement of [
      `UPDATE commonplace.conversation_page SET parts = ''`,
      `DELETE FROM commonplace.conversation`,
      `INSERT INTO commonplace.conversation_feed VALUES (1, 1, 1)`,
      `UPDATE commonplace.conversation_feed SET number = 0`,
    ])
      await expect(change(statement), statement).rejects.toThrow("permission denied");
    // What one may do to one's own has no effect on those of others.
    await change("UPDATE commonplace.conversation SET title = 'Forged'");
    await change("DELETE FROM commonplace.conversation_page");
    expect(await shown(asAlice)).toEqual([1, 1, 1, 1]);
    expect(await database.superuser`SELECT title FROM commonplace.conversation`).toEqual([{ title: "Title" }]);
    await removeMember(asAlice, await spaceNamed(asAlice, "team"), "bob");
    expect(await shown(asBob)).toEqual([0, 0, 0, 0]);
  });

  it("shows files to the members of their space only; writers change them, and readers and others do not", async () => {
    const [asAlice, asBob] = [database.open(alice), database.open(bob)];
    const shown = (store: Store) =>
      store.transaction(async (sql) => {
        const [row] = await sql`
          SELECT (SELECT count(*)::int FROM commonplace.file) AS files,
            (SELECT count(*)::int FROM commonplace.file_change) AS changes,
            (SELECT count(*)::int FROM commonplace.file_state) AS states`;
        return Object.values(row!);
      });
    const change = (statement: string) => asBob.transaction((sql) => sql.script(statement));
    const team = await spaceNamed(asAlice, "team");
    expect([await shown(asAlice), await shown(asBob)]).toEqual([
      [1, 1, 1],
      [0, 0, 0],
    ]);
    await expect(change(`SELECT commonplace.begin_file_change(${team.id})`)).rejects.toThrow("You may not change");
    await setRole(asAlice, team, "bob", "reader");
    expect(await shown(asBob)).toEqual([1, 1, 1]);
    await expect(change(`SELECT commonplace.begin_file_change(${team.id})`)).rejects.toThrow("You may not change");
    await change("UPDATE commonplace.file SET path = 'forged'");
    await change("DELETE FROM commonplace.file");
    await setRole(asAlice, team, "bob", "writer");
    for (const statement of [
      "UPDATE commonplace.file SET path = 'forged'",
      `INSERT INTO commonplace.file_change SELECT ${team.id}, 9, 'x', 1, member, '', '', NULL, NULL, false, '', '', NULL FROM commonplace.file`,
    ])
      await expect(change(statement), statement).rejects.toThrow("row-level security");
    for (const statement of [
      "UPDATE commonplace.file_change SET message = 'forged'",
      "UPDATE commonplace.file_state SET number = 0",
      "INSERT INTO commonplace.file_state VALUES (1, 1)",
    ])
      await expect(change(statement), statement).rejects.toThrow("permission denied");
    // What is recent is deleted by owners alone.
    await change("DELETE FROM commonplace.file_change");
    expect(await shown(asAlice)).toEqual([1, 1, 1]);
    await change("UPDATE commonplace.file SET size = 0, member = commonplace.current_member()");
    await removeMember(asAlice, await spaceNamed(asAlice, "team"), "bob");
    expect(await shown(asBob)).toEqual([0, 0, 0]);
  });

  it("shows the feed of files to the members of their space only, and lets nobody write it", async () => {
    const [asAlice, asBob] = [database.open(alice), database.open(bob)];
    const shown = async (store: Store) =>
      (await store.transaction((sql) => sql`SELECT file FROM commonplace.file_feed`)).length;
    const team = await spaceNamed(asAlice, "team");
    const own = await shown(asAlice);
    expect([own > 0, await shown(asBob)]).toEqual([true, 0]);
    expect(await asBob.call("standing_in", ["team"])).toBeNull();
    await setRole(asAlice, team, "bob", "writer");
    expect(await shown(asBob)).toBe(own);
    expect(await asBob.call("standing_in", ["team"])).toMatchObject([team.id, expect.any(String), expect.any(Number)]);
    for (const statement of [
      "UPDATE commonplace.file_feed SET number = 0",
      "DELETE FROM commonplace.file_feed",
      `INSERT INTO commonplace.file_feed VALUES (${team.id}, 77, 1)`,
      `SELECT commonplace.feed_files(ARRAY[${team.id}], ARRAY[77])`,
    ])
      await expect(
        asBob.transaction((sql) => sql.script(statement)),
        statement,
      ).rejects.toThrow("permission denied");
    await removeMember(asAlice, await spaceNamed(asAlice, "team"), "bob");
    expect(await shown(asBob)).toBe(0);
  });

  it("lets nobody create a space but who may set up the store", async () => {
    for (const store of [database.open(alice), database.open(server), database.open(server).forMember("bob")]) {
      for (const name of ["handbook", "team"])
        await expect(store.transaction((sql) => sql`SELECT commonplace.create_space(${name})`)).rejects.toThrow(
          "permission denied for function create_space",
        );
      await expect(ensureSpace(store, "handbook")).rejects.toThrow("may not set up the store");
    }
    await ensureSpace(admin, "handbook");
    await ensureSpace(admin, "handbook");
    await expect(ensureSpace(admin, "team")).rejects.toThrow("There is a space of that name already.");
    await expect(ensureSpace(admin, "Team")).rejects.toThrow("There is a space team already");
    await expect(ensureSpace(admin, "te\u200bam")).rejects.toThrow("cannot be the name of a space");
    expect((await listSpaces(admin)).map(({ name, role }) => [name, role])).toEqual([["handbook", "owner"]]);
    await leaveSpace(admin, await spaceNamed(admin, "handbook"));
  });

  it("takes each login for one member", async () => {
    await expect(admitMember(admin, { name: "alice", login: bob })).rejects.toThrow(
      "Another login is the member alice already.",
    );
    await expect(admitMember(admin, { name: "carol", login: bob })).rejects.toThrow(
      `The login ${bob} is the member bob already.`,
    );
    await admitMember(admin, { name: "bob", login: bob });
    for (const admitted of [
      () => admitMember(admin, { name: "Alice", login: mallory }),
      () => admitPerson(admin, "ALICE"),
    ])
      await expect(admitted()).rejects.toThrow("There is a member alice already");
    for (const admitted of [() => admitMember(admin, { name: "..", login: mallory }), () => admitPerson(admin, "")])
      await expect(admitted()).rejects.toThrow("cannot be the name of a member");
  });

  it("lets members do what their role says, and no more", async () => {
    const [asAlice, asBob] = [database.open(alice), database.open(bob)];
    const team = await spaceNamed(asAlice, "team");
    await expect(setRole(asBob, team, "bob", "owner")).rejects.toThrow("Only an owner");
    await setRole(asAlice, team, "bob", "reader");
    expect(await eventsSeenBy(asBob)).toEqual(["from alice", "from bob"]);
    await expect(addEvent(asBob, "team", "by a reader")).rejects.toThrow("You may not add anything to this space.");
    await setRole(asAlice, team, "bob", "writer");
    await addEvent(asBob, "team", "by a writer");
    await expect(setRole(asBob, team, "bob", "owner")).rejects.toThrow("Only an owner");
    await expect(removeMember(asBob, await spaceNamed(asBob, "team"), "alice")).rejects.toThrow("Only an owner");
    await expect(removeMember(asAlice, team, "carol")).rejects.toThrow("carol is not in the space team.");
    expect(await eventsSeenBy(asAlice)).toEqual(["by a writer", "from alice"]);
    // Rows are never changed, and deleted only by the member that added them.
    const change = (statement: string) => asBob.transaction((sql) => sql.script(statement));
    await expect(change("UPDATE commonplace.memory_event SET line = ''")).rejects.toThrow("permission denied");
    await change("DELETE FROM commonplace.memory_event WHERE id = 'from alice'");
    for (const statement of [
      "INSERT INTO commonplace.membership SELECT space, member, 'owner' FROM commonplace.membership",
      "UPDATE commonplace.membership SET role = 'owner'",
      "UPDATE commonplace.space_state SET number = 0",
      "DELETE FROM commonplace.member",
    ])
      await expect(change(statement), statement).rejects.toThrow("permission denied");
    expect(await eventsSeenBy(asAlice)).toEqual(["by a writer", "from alice"]);
  });

  it("ends access at once when a member is removed, also for connections that are open", async () => {
    const [asAlice, asBob] = [database.open(alice), database.open(bob)];
    const team = await spaceNamed(asAlice, "team");
    expect(team.members).toHaveLength(2);
    expect(await eventsSeenBy(asBob)).toContain("from alice");
    await asBob.transaction(async (sql) => {
      expect(await sql`SELECT 1 FROM commonplace.memory_event WHERE id = 'from alice'`).toHaveLength(1);
      await removeMember(asAlice, team, "bob");
      expect(await sql`SELECT 1 FROM commonplace.memory_event WHERE id = 'from alice'`).toHaveLength(0);
    });
    expect(await eventsSeenBy(asBob)).toEqual(["from bob"]);
    // What a removed member added belongs to the space.
    expect(await eventsSeenBy(asAlice)).toEqual(["by a writer", "from alice"]);
  });

  it("keeps an owner in every space with members", async () => {
    const asAlice = database.open(alice);
    const team = await spaceNamed(asAlice, "team");
    await setRole(asAlice, team, "bob", "writer");
    await expect(leaveSpace(asAlice, team)).rejects.toThrow("would have no owner");
    await expect(setRole(asAlice, team, "alice", "reader")).rejects.toThrow("would have no owner");
    expect(await eventsSeenBy(asAlice)).toEqual(["by a writer", "from alice"]);
  });

  it("deletes what a member added when they leave, and says so to readers by a new epoch", async () => {
    const [asAlice, asBob] = [database.open(alice), database.open(bob)];
    const team = await spaceNamed(asAlice, "team");
    const epoch = () =>
      asAlice.transaction(async (sql) => {
        const [row] = await sql`SELECT epoch FROM commonplace.space_state WHERE space = ${team.id}`;
        return Number(row!["epoch"]);
      });
    const before = await epoch();
    expect(await countOwnRows(asBob, team)).toEqual({ events: 1, conversations: 0 });
    await leaveSpace(asBob, team);
    expect(await eventsSeenBy(asAlice)).toEqual(["from alice"]);
    expect(await epoch()).toBeGreaterThan(before);
    await leaveSpace(asAlice, team);
    expect(await listSpaces(asAlice)).toEqual([]);
    const left = await database.superuser`SELECT id FROM commonplace.memory_event`;
    expect(left.map((row) => row["id"])).toEqual(["from bob"]);
    // Of its files as well.
    for (const name of ["file", "file_change", "file_feed"])
      expect(await selectedBy(database.superuser, `SELECT space FROM commonplace.${name}`), name).toEqual([]);
  });
});
