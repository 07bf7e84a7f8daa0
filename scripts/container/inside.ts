// The half of `npm run try-container` that runs without a network: builds the
// Dockerfile, starts the image as compose.yaml says, and asks it as a host would.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { callContext } from "../../test/fixtures/call-context.ts";
import { must } from "./command.ts";
import { podmanArguments } from "./compose.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const IMAGE = "localhost/commonplace-check";
const NAME = "commonplace-check";
const ORIGIN = "http://127.0.0.1:4127";
const TOKEN = "a-long-token-that-a-person-chose-0123456789";
const USER = 1000;
const folder = process.argv[2]!;
const vault = join(folder, "vault");

async function step(sentence: string, work: () => void | Promise<void>): Promise<void> {
  const begun = performance.now();
  await work();
  console.log(`ok     ${sentence} (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
}

const inContainer = (...command: string[]) => spawnSync("podman", ["exec", NAME, ...command], { encoding: "utf8" });

async function untilServed(): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const isServed = await fetch(ORIGIN).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isServed) return;
    await pause(200);
  }
  throw new Error(`It does not serve:\n${must(["podman", "logs", NAME])}`);
}

async function asked<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ name: "container-check", version: "1" });
  const requestInit = { headers: { Authorization: `Bearer ${TOKEN}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${ORIGIN}/mcp`), { requestInit }));
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

async function call(client: Client, name: string, sent: object): Promise<Record<string, unknown>> {
  const { isError, structuredContent } = await client.callTool({ name, arguments: { ...sent } });
  assert.notEqual(isError, true, JSON.stringify(structuredContent));
  return structuredContent as Record<string, unknown>;
}

mkdirSync(vault);
writeFileSync(join(vault, "Kyoto.md"), "# Kyoto\n\nThe heron stood in the river.\n");
for (const path of [vault, join(vault, "Kyoto.md")]) chownSync(path, USER, USER);

try {
  await step("builds the Dockerfile, offline", () => {
    const mounts = [`${join(folder, "npm-cache")}:/npm-cache`, `${join(folder, "npmrc")}:/root/.npmrc:ro`];
    const volumes = mounts.map((mount) => `--volume=${mount}`);
    must([
      "buildah",
      "bud",
      "--isolation=chroot",
      "--pull-never",
      "--format=docker",
      ...volumes,
      `--tag=${IMAGE}`,
      ROOT,
    ]);
  });
  await step("starts as compose.yaml says", async () => {
    const asCompose = podmanArguments(join(ROOT, "compose.yaml"), {
      COMMONPLACE_TOKEN: TOKEN,
      COMMONPLACE_VAULT: vault,
    });
    // Its network is this one, with loopback only; limits that take no rights to set.
    const here = ["--network=host", "--cgroups=disabled", "--ulimit=nofile=1024:1024", "--ulimit=nproc=1024:1024"];
    must(["podman", "run", "--detach", `--name=${NAME}`, ...here, "--health-interval=disable", ...asCompose, IMAGE]);
    await untilServed();
  });
  await step("runs without root, capabilities or a way to get more", () => {
    const { stdout } = inContainer("cat", "/proc/1/status");
    assert.match(stdout, new RegExp(`^Uid:\\t${USER}\\t${USER}\\t${USER}\\t${USER}$`, "m"));
    assert.match(stdout, /^CapEff:\t0+$/m);
    assert.match(stdout, /^CapBnd:\t0+$/m);
    assert.match(stdout, /^NoNewPrivs:\t1$/m);
  });
  await step("has a read-only root file system, and folders to write to", () => {
    for (const path of ["/app/x", "/app/dist/x", "/etc/x", "/home/node/x"])
      assert.match(inContainer("touch", path).stderr, /Read-only file system/, path);
    for (const path of ["/tmp/x", "/data/x"]) assert.equal(inContainer("touch", path).status, 0, path);
  });
  await step("is healthy by its own check", () => void must(["podman", "healthcheck", "run", NAME]));
  await step("refuses a request without the token", async () => {
    const answer = await fetch(`${ORIGIN}/mcp`, { method: "POST", body: "{}" });
    assert.equal(answer.status, 401);
  });
  await step("lists its tools, finds a note of the vault, and writes one that belongs to its user", () =>
    asked(async (client) => {
      const { tools } = await client.listTools();
      assert.ok(tools.length > 30);
      assert.match(JSON.stringify(await call(client, "search", { query: "heron" })), /Kyoto\.md/);
      const filePath = "Osaka.md";
      await call(client, "contentManager_createContent", { filePath, content: "# Osaka\n", context: callContext() });
      assert.equal(readFileSync(join(vault, filePath), "utf8"), "# Osaka\n");
      assert.equal(statSync(join(vault, filePath)).uid, USER);
    }),
  );
  await step("ends on SIGTERM by itself", () => {
    must(["podman", "stop", "--time=20", NAME]);
    assert.equal(must(["podman", "inspect", "--format={{.State.ExitCode}}", NAME]).trim(), "0");
  });
  await step("knows after a restart what it did, and takes it back", async () => {
    must(["podman", "start", NAME]);
    await untilServed();
    await asked((client) => call(client, "undo", {}));
    assert.throws(() => statSync(join(vault, "Osaka.md")));
  });
  console.log("\nThe container is built and runs as compose.yaml says.");
} finally {
  spawnSync("podman", ["rm", "--force", "--volumes", "--time=0", NAME]);
}
