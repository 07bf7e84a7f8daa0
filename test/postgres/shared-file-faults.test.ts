// Connections are cut and the database crashes while members write: what was
// acknowledged is there, once, and of no change is there a half.
import { connect, createServer, type AddressInfo } from "node:net";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { parseVaultPath } from "../../src/files/files.ts";
import { openSharedStore, type SharedFileStore } from "../../src/journal/journal.ts";
import { Problem } from "../../src/kernel/kernel.ts";
import { createStore, ensureSpace, openStore } from "../../src/shared/shared.ts";
import { CAMPAIGN, repeats } from "../campaign.ts";
import { atTheEnd } from "../temporary-folder.ts";
import { startCluster, SUPERUSER, type OwnCluster } from "./cluster.ts";
import { HAS_POSTGRESQL, newDatabase, type TestDatabase } from "./store-fixture.ts";

const NOTES = ["a.md", "b.md"].map((path) => parseVaultPath(path));

describe.runIf(HAS_POSTGRESQL)("the files of a space, while connections fail", () => {
  let cluster: OwnCluster;
  let database: TestDatabase;

  beforeAll(async () => {
    cluster = await startCluster(inject("postgresql")!.programs, []);
    atTheEnd(cluster.remove);
    database = await newDatabase(cluster);
    await createStore(database.open(SUPERUSER));
  });

  const writersOf = (space: string) =>
    Promise.all(
      [1, 2, 3].map(() =>
        openSharedStore({ store: database.open(SUPERUSER), space, folder: `/nowhere/${space}` }, { log: () => {} }),
      ),
    );

  /** Adds the line to both notes, in one change. */
  const append = ({ journal }: SharedFileStore, line: string) =>
    journal.change({ tool: "append" }, async (read) => {
      const steps = [];
      for (const path of NOTES) {
        const { bytes, hash } = (await read(path))!;
        const edits = [{ offset: bytes.length, length: 0, bytes: Buffer.from(`${line}\n`) }];
        steps.push({ kind: "replace", path, before: hash, edits } as const);
      }
      return { message: line, steps };
    });

  const write = async (files: SharedFileStore, name: string, until: Promise<unknown>) => {
    const over = new AbortController();
    void until.finally(() => over.abort());
    const acknowledged: string[] = [];
    const unknown: string[] = [];
    // On a busy machine none may be made while the fault lasts: each writer ends with one that is.
    for (let i = 0; !over.signal.aborted || acknowledged.length === 0; i++) {
      const line = `${name} ${i}`;
      try {
        await append(files, line);
        acknowledged.push(line);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        expect(error.message).toMatch(/cannot be reached|Nothing was changed|restarting|not known|took too long/);
        if (error.message.includes("not known")) unknown.push(line);
      }
    }
    return { acknowledged, unknown };
  };

  /** Writes until the fault is over. @returns what the notes have, and what they should have */
  const writtenDuring = async (space: string, fault: () => Promise<unknown>) => {
    await ensureSpace(database.open(SUPERUSER), space);
    const writers = await writersOf(space);
    await writers[0]!.journal.change({ tool: "test" }, () => ({
      message: "Begin",
      steps: NOTES.map((path) => ({ kind: "create", path, bytes: Buffer.alloc(0) })),
    }));
    const faults = fault();
    const results = await Promise.all(writers.map((files, i) => write(files, `${i}`, faults)));
    const [reader] = await writersOf(space);
    const texts = await Promise.all(NOTES.map(async (path) => (await reader!.root.read(path))!.bytes.toString()));
    const lines = texts[0]!.split("\n").slice(0, -1);
    const acknowledged = results.flatMap((result) => result.acknowledged);
    const unknown = new Set(results.flatMap((result) => result.unknown));
    return {
      texts,
      entries: (await reader!.journal.count()) - 1,
      lines: lines.length,
      // What was reported as not made was not made.
      found: lines.filter((line) => !unknown.has(line)).toSorted(),
      acknowledged: acknowledged.toSorted(),
    };
  };

  const expectWhole = ({ texts, entries, lines, found, acknowledged }: Awaited<ReturnType<typeof writtenDuring>>) => {
    expect(texts[0]).toBe(texts[1]);
    expect(found).toEqual(acknowledged);
    expect(entries).toBe(lines);
  };

  /** A way to the database that ends at the next commit: before or after the database has it. */
  const cutAtCommit = async (when: "before" | "after") => {
    let isArmed = false;
    const proxy = createServer((client) => {
      const server = connect(cluster.port, "127.0.0.1");
      for (const socket of [client, server]) socket.on("error", () => {});
      server.on("data", (bytes) => client.write(bytes));
      server.on("close", () => client.destroy());
      client.on("close", () => server.destroySoon());
      client.on("data", (bytes) => {
        const isCut = isArmed && bytes.includes("COMMIT");
        if (isCut) isArmed = false;
        if (!isCut || when === "after") server.write(bytes);
        // The database goes on, and answers nobody.
        if (isCut) client.destroy();
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    atTheEnd(() => void proxy.close());
    const { port } = proxy.address() as AddressInfo;
    const store = openStore({ address: database.address(SUPERUSER).replace(`:${cluster.port}/`, `:${port}/`) });
    atTheEnd(store.close);
    return { store, arm: () => (isArmed = true) };
  };

  it.each([
    ["after", "1\n", "made"],
    ["before", "", "The connection to the shared store was lost before the change was made. Nothing was changed."],
  ] as const)(
    "are found out about if the connection ends %s the commit reached the database",
    async (when, text, said) => {
      const { store, arm } = await cutAtCommit(when);
      const space = `commit ${when}`;
      await ensureSpace(store, space);
      const files = await openSharedStore({ store, space, folder: "/nowhere" }, { log: () => {} });
      await files.journal.change({ tool: "test" }, () => ({
        message: "Begin",
        steps: NOTES.map((path) => ({ kind: "create", path, bytes: Buffer.alloc(0) })),
      }));
      arm();
      const outcome = await append(files, "1").then(
        () => "made",
        (error: Error) => error.message,
      );
      expect(outcome).toBe(said);
      for (const path of NOTES) expect((await files.root.read(path))!.bytes.toString()).toBe(text);
      expect(await files.journal.count()).toBe(when === "after" ? 2 : 1);
      expect((await files.journal.undo()).message).toBe(when === "after" ? "Undid: 1" : "Undid: Begin");
    },
  );

  it("are whole if the database ends connections at any moment", CAMPAIGN, async () => {
    const written = await writtenDuring("cut", async () => {
      for (let round = 0; round < repeats({ short: 30, long: 1_000 }); round++) {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 40));
        await database.superuser`
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE application_name LIKE 'commonplace%' AND datname = current_database()`;
      }
    });
    expectWhole(written);
  });

  it("are whole if the database crashes and starts again", CAMPAIGN, async () => {
    const written = await writtenDuring("crash", async () => {
      for (let round = 0; round < repeats({ short: 2, long: 100 }); round++) {
        await new Promise((resolve) => setTimeout(resolve, 100 + Math.random() * 200));
        await cluster.stop("immediate");
        await cluster.start();
      }
    });
    expectWhole(written);
  });
});
