// How the program connects: passwords from the file that psql reads, and encrypted
// connections whose certificate is verified.
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { atTheEnd, runProgram, temporaryFolder } from "../processes/program.ts";
import { startCluster, SUPERUSER } from "./cluster.ts";
import { HAS_POSTGRESQL, newDatabase, type TestDatabase } from "./store-fixture.ts";

/** What `store init` prints, or why it failed. */
async function initialised(store: string, env: Record<string, string> = {}, home = temporaryFolder()): Promise<string> {
  const { stdout, stderr } = await runProgram(["store", "init"], { home, env: { COMMONPLACE_STORE: store, ...env } });
  return stdout + stderr;
}

describe.runIf(HAS_POSTGRESQL)("a password", () => {
  let database: TestDatabase;
  let store: string;
  beforeAll(async () => {
    database = await newDatabase();
    store = `postgres://${SUPERUSER}@127.0.0.1:${database.cluster.port}/${database.name}`;
  });

  it("is asked for in words if it is missing", async () => {
    expect(await initialised(store)).toContain(
      "The database wants a password for the login postgres. The password is taken from",
    );
  });

  it("is taken from ~/.pgpass, or from PGPASSWORD", async () => {
    const { password, port } = database.cluster;
    const home = temporaryFolder();
    const line = `127.0.0.1:${port}:*:${SUPERUSER}:${password.replaceAll(/[\\:]/g, "\\$&")}\n`;
    const file = join(home, ".pgpass");
    writeFileSync(file, `# mine\nelsewhere:*:*:*:wrong\n${line}`, { mode: 0o600 });
    expect(await initialised(store, {}, home)).toMatch(/^Created the store/);
    chmodSync(file, 0o644);
    expect(await initialised(store, {}, home)).toContain("wants a password");
    expect(await initialised(store, { PGPASSFILE: join(home, "none") }, home)).toContain("wants a password");
    expect(await initialised(store, { PGPASSWORD: password })).toContain("you are postgres");
  });
});

describe.runIf(HAS_POSTGRESQL && hasOpenssl())("a certificate", () => {
  let address: (mode: string) => string;
  let authority: string;

  beforeAll(async () => {
    const folder = temporaryFolder();
    authority = join(folder, "authority.crt");
    const own = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2", "-nodes"];
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-keyout", "key", "-out", authority, ...own], {
      cwd: folder,
      stdio: "ignore",
    });
    const cluster = await startCluster(inject("postgresql")!.programs, [], (data, user) => {
      for (const [from, to] of [
        [join(folder, "key"), join(data, "server.key")],
        [authority, join(data, "server.crt")],
      ] as const) {
        copyFileSync(from, to);
        chmodSync(to, 0o600);
        if (user !== undefined) chownSync(to, user.uid, user.gid);
      }
      writeFileSync(join(data, "postgresql.auto.conf"), "ssl = on\n");
      // Nothing but encrypted connections.
      writeFileSync(join(data, "pg_hba.conf"), "hostssl all all 127.0.0.1/32 scram-sha-256\n");
    });
    atTheEnd(cluster.remove);
    const { address: plain } = await newDatabase(cluster, { rejectUnauthorized: false });
    address = (mode) => `${plain(SUPERUSER)}?sslmode=${mode}`;
  });

  it("that nobody vouches for is refused, unless the address says otherwise", async () => {
    expect(await initialised(address("verify-full"))).toContain("is not safe: its certificate cannot be verified");
    expect(await initialised(address("disable"))).toContain("The database refused the login");
    expect(await initialised(address("require"))).toContain("Created the store");
  });

  it("of one's own is trusted, for the host that it names", async () => {
    const env = { NODE_EXTRA_CA_CERTS: authority };
    expect(await initialised(address("verify-full"), env)).toContain("you are postgres");
    const other = address("verify-full").replace("127.0.0.1", "localhost");
    expect(await initialised(other, env)).toContain("is not safe: its certificate cannot be verified");
  });
});

function hasOpenssl(): boolean {
  try {
    execFileSync("openssl", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
