import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type NameOnNpm, type ReleaseFiles, releaseNeeds } from "./needs.ts";

const REPOSITORY = "git+https://github.com/someone/commonplace.git";
const PACKAGE = {
  name: "commonplace-mcp",
  version: "1.2.3",
  mcpName: "io.github.someone/commonplace",
  repository: { type: "git", url: REPOSITORY },
  homepage: "https://example.org",
  bugs: "https://example.org",
  publishConfig: { provenance: true, access: "public" },
};
const SERVER = {
  name: "io.github.someone/commonplace",
  version: "1.2.3",
  repository: { url: "https://github.com/someone/commonplace", source: "github" },
  packages: [{ identifier: "commonplace-mcp", version: "1.2.3" }],
};
const COMPLETE: ReleaseFiles = {
  "package.json": JSON.stringify(PACKAGE),
  "server.json": JSON.stringify(SERVER),
  "CHANGELOG.md": "# Changelog\n\n## 1.2.3\n\n- All of it.\n",
  LICENSE: "MIT",
  "plugin/.claude-plugin/plugin.json": '{"version": "1.2.3"}',
  ".github/workflows/release.yml": "permissions:\n  id-token: write\nrun: npm publish --provenance\n",
};

const missing = (files: ReleaseFiles, name: NameOnNpm = "free") =>
  releaseNeeds(files, name)
    .filter(({ isThere }) => !isThere)
    .map(({ what }) => what);

describe("what a release needs", () => {
  it("is all there in a complete checkout whose name is free or its own", () => {
    expect(missing(COMPLETE)).toEqual([]);
    expect(missing(COMPLETE, { repository: REPOSITORY })).toEqual([]);
  });

  it.each<[string, Partial<ReleaseFiles>, NameOnNpm?]>([
    ["package.json has a repository", { "package.json": JSON.stringify({ ...PACKAGE, repository: undefined }) }],
    ["package.json has homepage and bugs", { "package.json": JSON.stringify({ ...PACKAGE, bugs: undefined }) }],
    ["package.json asks for provenance", { "package.json": JSON.stringify({ ...PACKAGE, publishConfig: undefined }) }],
    ["the name commonplace-mcp on npm", {}, { repository: "https://github.com/other/thing" }],
    ["the name commonplace-mcp on npm", {}, { repository: undefined }],
    ["the name commonplace-mcp on npm", {}, "not asked"],
    ["server.json has a repository", { "server.json": JSON.stringify({ ...SERVER, repository: undefined }) }],
    ["the name in the MCP registry", { "server.json": JSON.stringify({ ...SERVER, name: "io.github.else/x" }) }],
    ["mcpName is the name", { "package.json": JSON.stringify({ ...PACKAGE, mcpName: "x" }) }],
    ["all versions are the same", { "server.json": JSON.stringify({ ...SERVER, version: "1.2.2" }) }],
    ["all versions are the same", { "plugin/.claude-plugin/plugin.json": undefined }],
    ["server.json names the package", { "package.json": JSON.stringify({ ...PACKAGE, name: "x" }) }],
    ["CHANGELOG.md has the version", { "CHANGELOG.md": "## Unreleased\n\n- a\n\n## 1.2.3\n" }],
    ["CHANGELOG.md has the version", { "CHANGELOG.md": "## 1.2\n" }],
    ["there is a licence", { LICENSE: undefined }],
    ["a workflow publishes", { ".github/workflows/release.yml": "run: npm publish\n" }],
  ])("misses that %s", (what, files, name) => {
    const found = missing({ ...COMPLETE, ...files }, name);
    expect(found.some((one) => one.startsWith(what))).toBe(true);
  });

  it("is not all there in this checkout, whose repository has no address yet", () => {
    const read = (path: string) => readFileSync(join(import.meta.dirname, "..", "..", path), "utf8");
    const own = Object.fromEntries(Object.keys(COMPLETE).map((path) => [path, safely(() => read(path))]));
    expect(missing(own as unknown as ReleaseFiles)).toContain("package.json has a repository");
  });
});

function safely(work: () => string): string | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
