// What is published: only what a user needs, and the same version everywhere.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { PROGRAM, temporaryFolder } from "../program.ts";

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
      "bin/commonplace.js",
      "bin/compiled.js",
      "bin/older-node.js",
      "bin/package.json",
      "dist/main.cjs",
      "dist/main.cjs.LEGAL.txt",
      "dist/reading-thread.cjs",
      "package.json",
    ]);
  });

  it("holds the page, and nothing that only makes it", () => {
    const names = readdirSync(join(folder, "dist", "web"));
    expect(names).toEqual(expect.arrayContaining(["icon.svg", "index.html", "page.js", "style.css", "theme.js"]));
    expect(names.filter((name) => !/\.(?:css|html|js|svg|LEGAL\.txt)$/.test(name))).toEqual([]);
  });

  it("is ASCII alone, as bin/compiled.js reads it", () => {
    for (const name of ["main.cjs", "reading-thread.cjs"])
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
      new RegExp(`^# Changelog\\s+## ${packageJson.version.replaceAll(".", "\\.")}\\b`),
    );
  });
});

describe("a Node that is too old", () => {
  const { MINIMUM } = createRequire(import.meta.url)("../../bin/older-node.js") as { MINIMUM: string };

  /** The program as an old Node would see it: the version that it reports is another. */
  function runAsOldNode(script: string): { code: number; output: string } {
    const pretend = "Object.defineProperty(process.versions, 'node', { value: '20.20.2' })";
    try {
      const loader = `data:text/javascript,${encodeURIComponent(pretend)}`;
      return {
        code: 0,
        output: execFileSync(process.execPath, ["--import", loader, script, "--version"], {
          encoding: "utf8",
          stdio: "pipe",
        }),
      };
    } catch (error) {
      const { status, stderr } = error as { status: number; stderr: string };
      return { code: status, output: stderr };
    }
  }

  it("is told in one sentence what to install", () => {
    const { code, output } = runAsOldNode(PROGRAM);
    expect(code).toBe(1);
    expect(output).toBe(
      `commonplace: Node ${MINIMUM} or newer is needed, and this is 20.20.2: install a newer one from nodejs.org.\n`,
    );
  });

  it("runs the program with the checkout's Node where there is one", () => {
    const checkout = join(temporaryFolder(), "checkout");
    cpSync(folder, checkout, { recursive: true });
    const bin = join(checkout, ".node", "node_modules", "node-test", "bin");
    mkdirSync(bin, { recursive: true });
    if (process.platform === "win32") cpSync(process.execPath, join(bin, "node.exe"));
    else symlinkSync(process.execPath, join(bin, "node"));
    expect(runAsOldNode(join(checkout, "bin", "commonplace.js"))).toEqual({
      code: 0,
      output: `commonplace ${packageJson.version}\n`,
    });
  });

  it("is the same one everywhere: in package.json and in the two programs of bin/", () => {
    expect(packageJson.engines.node).toBe(`>=${MINIMUM}`);
    const test = /\/\^.*\/(?=\.test)/.exec(readFileSync(PROGRAM, "utf8"))![0];
    const fits = new RegExp(test.slice(1, -1));
    const [major = 0, minor = 0] = MINIMUM.split(".").map(Number);
    expect(
      [`${major}.${minor}.0`, `${major}.${minor + 1}.5`, `${major + 1}.0.0`, "24.21.0", "30.1.0", "100.0.0"].filter(
        (version) => !fits.test(version),
      ),
    ).toEqual([]);
    expect(
      [`${major}.${minor - 1}.9`, `${major}.1.3`, `${major}.2.0`, "21.9.9", "20.20.2", "8.0.0"].filter((version) =>
        fits.test(version),
      ),
    ).toEqual([]);
  });
});
