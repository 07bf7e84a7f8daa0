// The bundle that hosts install with a double click: made as it is published,
// unpacked by the official tool, configured as a host does it, and spoken to by
// a real client.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getMcpConfigForManifest } from "@anthropic-ai/mcpb/node";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, inject, it } from "vitest";
import packageJson from "../../../package.json" with { type: "json" };
import { devTool } from "../../../scripts/dev-tool.mjs";
import { NODE } from "../../processes/child.ts";
import { atTheEnd, environmentIn, ERAS, temporaryFolder } from "../../processes/program.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const folder = temporaryFolder();
const unpacked = join(folder, "unpacked");
const TYPESCRIPT = ["--experimental-strip-types", "--disable-warning=ExperimentalWarning"];
const run = (...args: string[]) => execFileSync(process.execPath, args, { cwd: ROOT, encoding: "utf8", stdio: "pipe" });

run(...TYPESCRIPT, join(ROOT, "scripts", "bundle.ts"), folder);
run(devTool("@anthropic-ai/mcpb"), "unpack", join(folder, `commonplace-${packageJson.version}.mcpb`), unpacked);
const manifest = JSON.parse(readFileSync(join(unpacked, "manifest.json"), "utf8"));

/** Starts the server as a host would, with what the user chose in the host's settings. */
async function clientWith(userConfig: Record<string, string>): Promise<Client> {
  const home = temporaryFolder();
  const config = await getMcpConfigForManifest({
    manifest,
    extensionPath: unpacked,
    systemDirs: { HOME: home, DESKTOP: home, DOCUMENTS: home, DOWNLOADS: home },
    userConfig,
    pathSeparator: "/",
  });
  expect(config!.command).toBe("node");
  const client = new Client({ name: "test", version: "1" }, ERAS["2025-11-25 and before"]);
  atTheEnd(() => client.close());
  const env = { ...environmentIn(home), ...config!.env };
  await client.connect(
    new StdioClientTransport({ command: NODE, args: config!.args!, cwd: home, env, stderr: "ignore" }),
  );
  return client;
}

describe("the bundle", () => {
  it("has a manifest that the official tool accepts", () => {
    expect(run(devTool("@anthropic-ai/mcpb"), "validate", join(unpacked, "manifest.json"))).toContain(
      "validation passes",
    );
    expect(manifest).toMatchObject({ manifest_version: "0.3", version: packageJson.version });
  });

  it("holds the published package and the manifest, and nothing for one system only", () => {
    const names = (from: string) =>
      readdirSync(from, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(from.length + 1))
        .toSorted();
    expect(names(unpacked).filter((name) => name !== "manifest.json" && name !== manifest.icon)).toEqual(
      names(inject("packageFolder")),
    );
    expect(names(unpacked).filter((name) => /\.(?:node|wasm|dylib|dll|so)$/.test(name))).toEqual([]);
  });

  it("has an icon of the size that the manifest says", () => {
    const [{ src, size }] = manifest.icons;
    const icon = readFileSync(join(unpacked, src));
    expect(src).toBe(manifest.icon);
    expect(icon.subarray(1, 4).toString()).toBe("PNG");
    expect(`${icon.readUInt32BE(16)}x${icon.readUInt32BE(20)}`).toBe(size);
  });

  it("serves what its manifest says, on the vault that the user chose", async () => {
    const vault = join(folder, "My Notes");
    mkdirSync(vault);
    writeFileSync(join(vault, "Pears.md"), "A tree of pears.");
    const client = await clientWith({ vault });
    expect(client.getServerVersion()).toMatchObject({ name: "commonplace", version: packageJson.version });
    expect((await client.listTools()).tools.map(({ name, description }) => ({ name, description }))).toEqual(
      manifest.tools,
    );
    const { structuredContent } = await client.callTool({ name: "search", arguments: { query: "pears" } });
    expect(structuredContent).toMatchObject({ totalResults: 1 });
  });

  it("serves the embedded vault if the user chose none", async () => {
    const client = await clientWith({});
    const { structuredContent } = await client.callTool({ name: "search", arguments: { query: "welcome" } });
    expect(structuredContent).toHaveProperty("results[0].title", "Welcome");
  });
});
