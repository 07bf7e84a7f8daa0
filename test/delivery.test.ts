// What must be in the files with which the program is tested, published and run
// elsewhere. `npm run lint-delivery` checks their form.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { LAUNCH_FLAGS } from "../bin/launch-flags.js";
import { OLDEST } from "../bin/node-range.js";
import packageJson from "../package.json" with { type: "json" };
import { RELEASES } from "../scripts/node-releases.mjs";
import { readSettings } from "../src/settings.ts";

const read = (path: string) => readFileSync(join(import.meta.dirname, "..", path), "utf8");

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly uses?: string;
        readonly needs?: string;
        readonly permissions?: Readonly<Record<string, string>>;
        readonly strategy?: { readonly matrix: { readonly os: readonly string[]; readonly node: readonly string[] } };
        readonly steps?: readonly { readonly run?: string; readonly uses?: string }[];
      }
    >
  >;
}

describe("the workflows", () => {
  const tests = load(read(".github/workflows/test.yml")) as Workflow;
  const release = load(read(".github/workflows/release.yml")) as Workflow;

  it("run the tests on every system, with the oldest and the newest Node", () => {
    const { strategy, steps } = tests.jobs["test"]!;
    expect(strategy!.matrix.os.map((name) => name.split("-")[0])).toEqual(["ubuntu", "macos", "windows"]);
    expect(strategy!.matrix.node[0]).toBe(OLDEST);
    expect(strategy!.matrix.node).toContain(RELEASES!.tested.at(-1)!.split(".")[0]);
    expect(steps!.map(({ run }) => run)).toEqual(expect.arrayContaining(["npm test", "npm run test:all"]));
  });

  it("publish only what was tested and checked, with provenance", () => {
    const { needs, permissions, steps } = release.jobs["publish"]!;
    expect(release.jobs["test"]!.uses).toBe("./.github/workflows/test.yml");
    expect(needs).toBe("test");
    expect(permissions).toEqual({ contents: "read", "id-token": "write" });
    const commands = steps!.flatMap(({ run }) => run ?? []);
    expect(commands.indexOf("npm run release-check")).toBeLessThan(
      commands.findIndex((run) => run.startsWith("npm publish --provenance")),
    );
  });

  it("have no rights that they do not need, and run scripts that exist", () => {
    for (const workflow of [tests, release]) {
      expect(workflow.permissions).toEqual({ contents: "read" });
      for (const { run = "" } of Object.values(workflow.jobs).flatMap(({ steps = [] }) => steps))
        for (const [, script] of run.matchAll(/npm run ([\w:-]+)/g))
          expect(packageJson.scripts).toHaveProperty(script!);
    }
  });
});

describe("the container", () => {
  const lines = read("Dockerfile")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith("FROM ")));
  const instruction = (name: string) =>
    last.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));

  it("does not run as root, and nothing follows that would need it", () => {
    expect(instruction("USER")).toEqual(["node"]);
    const user = last.findIndex((line) => line.startsWith("USER "));
    expect(last.slice(user).filter((line) => /^(?:RUN|COPY|ADD) /.test(line))).toEqual([]);
  });

  it("checks its health on the port that it serves, and writes to its volumes alone", () => {
    const [port] = instruction("EXPOSE");
    expect(instruction("CMD")).toEqual([
      JSON.stringify(["serve", "--http", port, "--host", "0.0.0.0"]).replaceAll(",", ", "),
    ]);
    expect(instruction("HEALTHCHECK")[0]).toContain(`http://127.0.0.1:${port}/`);
    expect(JSON.parse(instruction("VOLUME")[0]!)).toEqual(["/data", "/vault"]);
    expect(instruction("ENV")[0]).toMatch(/COMMONPLACE_HOME=\/data COMMONPLACE_VAULT=\/vault/);
  });

  it("starts the program as connect does", () => {
    expect(JSON.parse(instruction("ENTRYPOINT")[0]!)).toEqual(["node", ...LAUNCH_FLAGS, "/app/bin/commonplace.js"]);
    expect(packageJson.engines.node).toContain(">=24");
    expect(instruction("FROM")).toEqual(["node:24-slim"]);
  });

  it("is closed by compose: a read-only root, no capabilities, open to this machine alone, and a token", () => {
    const { services } = load(read("compose.yaml")) as {
      services: Record<string, Record<string, unknown> & { environment: Record<string, string> }>;
    };
    const { commonplace } = services;
    expect(commonplace).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      tmpfs: ["/tmp"],
      ports: ["127.0.0.1:4127:4127"],
    });
    expect(commonplace!.environment["COMMONPLACE_TOKEN"]).toMatch(/^\$\{COMMONPLACE_TOKEN:\?/);
    expect(commonplace!["user"]).toMatch(/1000:1000/);
  });

  it("is closed by compose with a shared store, too, and only the proxy has a port", () => {
    const { services } = load(read("compose.shared.yaml")) as { services: Record<string, Record<string, unknown>> };
    expect(Object.keys(services).toSorted()).toEqual(["admin", "database", "proxy", "server"]);
    for (const [name, service] of Object.entries(services)) {
      expect(service, name).toMatchObject({
        read_only: true,
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
      });
      expect(String(service["user"]), name).toMatch(/^(?:postgres|[1-9]\d*:[1-9]\d*)$/);
      expect("ports" in service, name).toBe(name === "proxy");
      expect("healthcheck" in service, name).toBe(name !== "admin");
      for (const [key, value] of Object.entries((service["environment"] ?? {}) as Record<string, string>))
        if (key.endsWith("PASSWORD")) expect(value, name).toMatch(/^\$\{\w+:\?/);
    }
    // At its socket it answers before it is set up.
    expect(JSON.stringify(services["database"]!["healthcheck"])).toContain("pg_isready --host 127.0.0.1");
    for (const name of ["admin", "server"])
      expect(services[name]!["tmpfs"], "volumes that no container leaves behind").toEqual(
        expect.arrayContaining(["/tmp", ...(JSON.parse(instruction("VOLUME")[0]!) as string[])]),
      );
    expect(services["server"]!["command"]).toEqual(["serve", "--http", "0.0.0.0:4127"]);
    expect(JSON.stringify(services["server"]!["healthcheck"])).toContain("http://127.0.0.1:4127/health/ready");
    const settings = readSettings({ server: "docker/server.json" }, {}, join(import.meta.dirname, ".."));
    expect(settings.server).toMatchObject({ publicUrl: "https://notes.example" });
  });

  it("does not wait long for the address of a server that was stopped, and sends no write twice", () => {
    const proxy = read("docker/nginx.conf");
    expect(proxy).toMatch(/^ *proxy_connect_timeout [1-5]s;$/m);
    expect(proxy).toMatch(/^ *proxy_next_upstream error timeout;$/m);
  });

  it("is built from what is committed", () => {
    expect(read(".dockerignore").split("\n")).toEqual(
      expect.arrayContaining([".git", "node_modules", "dist", ".node"]),
    );
  });
});
