// The contracts of the vault, of memory, of recall and of outlines, call by call,
// unchanged, with a shared store: the vault is a space of it, and outlines are its files.
import type { Client } from "@modelcontextprotocol/client";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { MEMORY } from "../contract/memory.ts";
import { BEFORE } from "../contract/outline-case.ts";
import { linesIn, WRITERS } from "../contract/outline-files.ts";
import { describeOutlineContract, type Subject } from "../contract/outline-run.ts";
import { OUTLINE } from "../contract/outline.ts";
import { RECALL } from "../contract/recall.ts";
import { VAULT } from "../contract/vault.ts";
import { connectStdio, ERAS, runProgram, temporaryFolder } from "../processes/program.ts";
import { SUPERUSER } from "./cluster.ts";
import { HAS_POSTGRESQL, newDatabase, type TestDatabase } from "./store-fixture.ts";

const cases = [...VAULT.cases, ...MEMORY.cases, ...RECALL.cases, ...OUTLINE.cases];

describe.runIf(HAS_POSTGRESQL)("with a shared store, the tool", () => {
  let client: Client;
  beforeAll(async () => {
    const env = { COMMONPLACE_STORE: (await newDatabase()).address(SUPERUSER) };
    await runProgram(["store", "init", "--space", "notes"], { home: temporaryFolder(), env });
    client = await connectStdio(
      temporaryFolder(),
      { supportedProtocolVersions: ["2025-06-18"] },
      ["--toolsets", "all", "--vault", "store:notes"],
      { env },
    );
  });

  it.each(cases.map((row) => [row.tool, row.it, row] as const))("%s %s", async (_tool, _it, row) => {
    const result = await client.callTool({ name: row.tool, arguments: { ...row.arguments } });
    expect(result.isError).toBe(row.isError);
    expect(result.structuredContent).toMatchObject(row.result as object);
  });
});

/** An outline among the files of a space. */
function storedSubject(format: keyof typeof WRITERS): Subject {
  const name = `Plan.${format}`;
  let database: TestDatabase;
  const bytes = async () => {
    const [row] = await database.superuser`SELECT bytes FROM commonplace.file WHERE path = ${name}`;
    return row!["bytes"] as Buffer;
  };
  return {
    format,
    connect: async () => {
      database = await newDatabase();
      const home = temporaryFolder();
      const folder = temporaryFolder();
      const env = { COMMONPLACE_STORE: database.address(SUPERUSER) };
      WRITERS[format](join(folder, name), BEFORE);
      await runProgram(["store", "init", "--space", "notes"], { home, env });
      await runProgram(["store", "import", folder], { home, env });
      // The contract begins with nothing to undo, and the import could be undone.
      await database.superuser`DELETE FROM commonplace.file_change`;
      const args = ["--toolsets", "all", "--vault", "store:notes"];
      const client = await connectStdio(home, ERAS["2025-11-25 and before"], args, { env });
      await client.callTool({ name: "open_document", arguments: { path: name } });
      return client;
    },
    lines: async () => linesIn(await bytes()),
    content: async () => (await bytes()).toString("hex"),
  };
}

describe.runIf(HAS_POSTGRESQL)("in a shared store", () => {
  for (const format of ["ooutline", "opml", "md"] as const)
    describeOutlineContract(`.${format}`, () => storedSubject(format));
});
