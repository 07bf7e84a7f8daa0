// What is published: only what a user needs, and the same version everywhere.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { fits, NEEDED, OLDEST } from "../../../bin/node-range.js";
import packageJson from "../../../package.json" with { type: "json" };
import { RELEASES } from "../../../scripts/node-releases.mjs";
import { NODE } from "../../processes/child.ts";
import { PROGRAM, temporaryFolder } from "../../processes/program.ts";

const folder = inject("packageFolder");

describe("the package", () => {
  it("holds only what a user needs", () => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const names = files.map((file) =>
      join(file.parentPath, file.name)
        .slice(folder.length + 1)
        .replaceAll("\\", "/"),
    );
    expect(names.filter((name) => !name.startsWith("dist/web/")).toSorted()).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "bin/code-cache.js",
      "bin/commonplace.js",
      "bin/launch-flags.js",
      "bin/node-range.js",
      "bin/older-node.js",
      "bin/package.json",
      "dist/access-tokens.cjs",
      "dist/main.cjs",
      "dist/main.cjs.LEGAL.txt",
      "dist/pdf-character-maps.br",
      "dist/pdf-process.mjs",
      "dist/postgres-client.cjs",
      "dist/reader-thread.cjs",
      "dist/word-vectors.bin",
      "package.json",
    ]);
  });

  it("holds the licences of the packages that are bundled", () => {
    const licences = readFileSync(join(folder, "dist", "main.cjs.LEGAL.txt"), "utf8");
    for (const name of [
      "@modelcontextprotocol/server",
      "jose",
      "js-yaml",
      "jsonc-parser",
      "pdfjs-dist",
      "pg",
      "pg-types",
      "preact",
      "smol-toml",
      "yaml",
      "zod",
    ])
      expect(licences).toMatch(new RegExp(`^${name}:\\n\\n.*(?:licen[cs]e|Copyright)`, "im"));
    expect(licences).toContain("Adobe Systems Incorporated");
    expect(licences).toMatch(/SIL OPEN FONT LICEN[CS]E/i);
  });

  it("holds the page, and nothing that is only needed to build it", () => {
    const names = readdirSync(join(folder, "dist", "web"));
    expect(names).toEqual(expect.arrayContaining(["icon.svg", "index.html", "page.js", "style.css", "theme.js"]));
    expect(names.filter((name) => !/\.(?:css|html|js|svg|woff2|LEGAL\.txt)$/.test(name))).toEqual([]);
  });

  it("is pure ASCII, as bin/code-cache.js requires", () => {
    for (const name of ["access-tokens.cjs", "main.cjs", "postgres-client.cjs", "reader-thread.cjs"])
      expect(
        readFileSync(join(folder, "dist", name)).some((byte) => byte > 0x7f),
        name,
      ).toBe(false);
  });

  it("needs no other package, and runs no script when it is installed", () => {
    const published = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    expect(published).not.toHaveProperty("dependencies");
    expect(published).not.toHaveProperty("optionalDependencies");
    expect(Object.keys(published.scripts).filter((name) => /install|prepare/.test(name))).toEqual([]);
  });

  it("is of the version that the changelog describes last", () => {
    expect(readFileSync(join(folder, "CHANGELOG.md"), "utf8")).toMatch(
      new RegExp(
        `^# Changelog\\s+(?:## Unreleased\\n(?:(?!## ).*\\n)*)?## ${packageJson.version.replaceAll(".", "\\.")}\\b`,
      ),
    );
  });
});

describe("an unsupported Node", () => {
  /** The program as another Node would see it: the version that it reports is another. */
  function runAsNode(version: string, script: string): { code: number; output: string } {
    const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
    try {
      const loader = `data:text/javascript,${encodeURIComponent(pretend)}`;
      return {
        code: 0,
        output: execFileSync(NODE, ["--import", loader, script, "--version"], {
          encoding: "utf8",
          stdio: "pipe",
        }),
      };
    } catch (error) {
      const { status, stderr } = error as { status: number; stderr: string };
      return { code: status, output: stderr };
    }
  }

  it.each(["20.20.2", "22.15.1", "23.11.1"])("gets one sentence that says what to install: %s", (version) => {
    const { code, output } = runAsNode(version, PROGRAM);
    expect(code).toBe(1);
    expect(output).toBe(
      `commonplace: Node 22.16 or newer, but not 23, is needed, and this is ${version}: install another one from nodejs.org.\n`,
    );
  });

  it("runs the program with the checkout's Node if there is one", () => {
    const checkout = join(temporaryFolder(), "checkout");
    cpSync(folder, checkout, { recursive: true });
    const bin = join(checkout, ".node", "node_modules", "node-test", "bin");
    mkdirSync(bin, { recursive: true });
    if (process.platform === "win32") cpSync(NODE, join(bin, "node.exe"));
    else symlinkSync(NODE, join(bin, "node"));
    expect(runAsNode("20.20.2", join(checkout, "bin", "commonplace.js"))).toEqual({
      code: 0,
      output: `commonplace ${packageJson.version}\n`,
    });
  });
});

describe("the releases of Node that the program runs on", () => {
  it("are those with full-text search in node:sqlite", () => {
    const running = ["22.16.0", "22.23.3", "24.0.0", "24.21.0", "25.1.0", "26.10.0", "30.1.0", "100.0.0"];
    expect(running.filter((version) => !fits(version))).toEqual([]);
    const failing = ["22.15.1", "22.2.0", "23.0.0", "23.16.0", "23.99.9", "21.99.0", "20.20.2", "8.0.0", "2.40.0"];
    expect(failing.filter(fits)).toEqual([]);
  });

  it("are the same in package.json, in the documents and in the tests", () => {
    const line = OLDEST.split(".").slice(0, 2).join(".");
    expect(packageJson.engines.node).toBe(`^${OLDEST} || >=24.0.0`);
    const text = (name: string) => readFileSync(join(import.meta.dirname, "..", "..", "..", name), "utf8");
    expect(text("docs/guide/troubleshooting.md")).toContain(`"${NEEDED}"`);
    expect(text("README.md")).toContain(NEEDED);
    for (const name of [
      "README.md",
      "docs/guide/troubleshooting.md",
      "docs/internals/architecture.md",
      "CONTRIBUTING.md",
    ])
      expect(
        text(name)
          .match(/\b22\.\d+\b/g)
          ?.filter((found) => found !== line) ?? [],
        name,
      ).toEqual([]);
    if (process.platform === "linux" && process.arch === "x64") expect(RELEASES!.tested[0]).toBe(OLDEST);
    expect([RELEASES?.development, ...(RELEASES?.tested ?? [])].filter((each) => each && !fits(each))).toEqual([]);
  });
});
