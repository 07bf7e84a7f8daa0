// Project tools through the packed program: which project it is, by whom it is
// named, and what comes back.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../src/kernel/text/tokens.ts";
import { connectHttp, connectStdio, ERAS, runProgram, serveHttp, temporaryFolder } from "../processes/program.ts";
import { newRepository } from "../fixtures/repositories.ts";

interface FilesResult {
  readonly files: string[];
  readonly total_files: number;
  readonly project_root: string;
  readonly scores: Record<string, object[]>;
  readonly truncated?: boolean;
  readonly nextCursor?: string;
  readonly error?: { readonly code: string; readonly message: string };
}

async function list(client: Client, sent: object = {}): Promise<FilesResult> {
  const { structuredContent } = await client.callTool({ name: "list_project_files", arguments: { ...sent } });
  return structuredContent as unknown as FilesResult;
}

/** A client that has roots, as VS Code or Claude Code do. */
const withRoots = (era: keyof typeof ERAS) => ({ ...ERAS[era], capabilities: { roots: { listChanged: true } } });
const offerRoots = (client: Client, roots: () => readonly string[]) =>
  client.setRequestHandler("roots/list", () => ({ roots: roots().map((path) => ({ uri: pathToFileURL(path).href })) }));

const eras = Object.keys(ERAS) as (keyof typeof ERAS)[];

describe.each(eras)("a client of %s", (era) => {
  it("is asked for its roots, and followed when they change", async () => {
    const one = newRepository({ "one.ts": "" });
    const two = newRepository({ "two.ts": "" });
    const client = await connectStdio(temporaryFolder(), withRoots(era));
    let root = one.folder;
    offerRoots(client, () => [root]);
    expect(await list(client)).toMatchObject({ files: ["one.ts"], project_root: one.folder });
    root = two.folder;
    if (era !== "2026-07-28") await client.sendRootsListChanged();
    expect(await list(client)).toMatchObject({ files: ["two.ts"], project_root: two.folder });
  });

  it("is asked for its roots over HTTP too, and each client has its own", async () => {
    const one = newRepository({ "one.ts": "" });
    const two = newRepository({ "two.ts": "" });
    const { url } = await serveHttp(temporaryFolder());
    const clients = await Promise.all([one, two].map(() => connectHttp(url, withRoots(era))));
    offerRoots(clients[0]!, () => [one.folder]);
    offerRoots(clients[1]!, () => [two.folder]);
    const results = await Promise.all(clients.map((client) => list(client)));
    expect(results.map(({ files }) => files)).toEqual([["one.ts"], ["two.ts"]]);
  });

  it("that refuses to list its roots, or has none that exists, gets the working directory", async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, "here.txt"), "");
    const client = await connectStdio(home, withRoots(era));
    offerRoots(client, () => ["/nowhere/at/all"]);
    expect((await list(client)).files).toContain("here.txt");
    const without = await connectStdio(home, ERAS[era]);
    expect((await list(without)).files).toContain("here.txt");
  });
});

describe("a client of an older version", () => {
  it("that never answers is waited for once, and not long", async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, "here.txt"), "");
    const client = await connectStdio(home, withRoots("2025-11-25 and before"));
    let asked = 0;
    client.setRequestHandler("roots/list", () => {
      asked++;
      return new Promise<never>(() => {});
    });
    expect((await list(client)).files).toContain("here.txt");
    expect((await list(client)).files).toContain("here.txt");
    expect(asked).toBe(1);
  });

  it("is not asked if the user has set the project, nor by other tools", async () => {
    const { folder } = newRepository({ "set.ts": "" });
    const client = await connectStdio(temporaryFolder(), withRoots("2025-11-25 and before"), ["--project", folder]);
    let asked = 0;
    client.setRequestHandler("roots/list", () => {
      asked++;
      return { roots: [] };
    });
    expect((await list(client)).files).toEqual(["set.ts"]);
    await client.callTool({ name: "get_server_version" });
    expect(asked).toBe(0);
  });
});

describe("the project tools", () => {
  const call = async (folder: string, tool: string, sent: object = {}, env: Record<string, string> = {}) => {
    const { stdout, code } = await runProgram(["call", tool, JSON.stringify(sent)], {
      home: temporaryFolder(),
      env: { COMMONPLACE_PROJECT: folder, ...env },
    });
    return { code, result: JSON.parse(stdout) };
  };

  it("describe the project, and leave the statistics out on request", async () => {
    const { folder, commit, git } = newRepository({
      "package.json": '{"name": "thing"}',
      "src/index.ts": "x\n",
      "README.md": "# Thing\n\nIt is one.\n",
    });
    commit("second", { "src/index.ts": "y\n" });
    git("remote", "add", "origin", "https://me:secret@example.com/thing.git");
    const { code, result } = await call(folder, "get_project_info");
    expect(code).toBe(0);
    expect(result).toMatchObject({
      project: {
        name: "thing",
        root: folder,
        valid: true,
        root_source: "COMMONPLACE_PROJECT",
        kinds: ["Node.js"],
        languages: [{ language: "TypeScript", share: expect.any(Number) }, expect.anything(), expect.anything()],
        readme: { path: "README.md", text: "# Thing\nIt is one." },
      },
      git: {
        is_git_repo: true,
        current_branch: "main",
        repo_root: folder,
        dirty: false,
        untracked: 0,
        last_commits: [
          { subject: "second", author: "A", time: expect.stringMatching(/^\d{4}-.*Z$/) },
          { subject: "first" },
        ],
        remotes: [{ name: "origin", url: "https://example.com/thing.git" }],
      },
      statistics: {
        files: 3,
        directories: 1,
        bytes: 39,
        languages: expect.arrayContaining([{ language: "TypeScript", files: 1 }]),
        largest_directories: [{ path: "src", files: 1, bytes: 2 }],
      },
      processing_time: expect.any(Number),
    });
    // Fields without a value are left out.
    for (const name of ["upstream", "staged", "modified", "worktree", "shallow", "submodules"])
      expect(result.git).not.toHaveProperty(name);
    expect(JSON.stringify(result)).not.toContain("secret");
    expect((await call(folder, "get_project_info", { include_stats: false })).result).not.toHaveProperty("statistics");
  });

  it("name nothing outside of the project if it is a part of a repository", async () => {
    const { folder } = newRepository({ "part/deep/a.ts": "", "other/b.ts": "" });
    const { result } = await call(join(folder, "part", "deep"), "get_project_info");
    expect(result.git).toMatchObject({ is_git_repo: true, repo_root: "../.." });
    expect(JSON.stringify(result).replaceAll(join(folder, "part", "deep"), "")).not.toContain(folder);
  });

  it("answer with the contract's codes if there is no project", async () => {
    const missing = join(temporaryFolder(), "missing");
    expect(await call(missing, "get_project_info")).toMatchObject({
      code: 1,
      result: { error: { code: "NOT_FOUND" } },
    });
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    expect(await call(file, "list_project_files")).toMatchObject({ code: 1, result: { error: { code: "NOT_FOUND" } } });
  });

  it("use the host's workspace folders if the user has set nothing", async () => {
    const { folder } = newRepository({ "host.ts": "" });
    const { result } = await call("", "list_project_files", {}, { WORKSPACE_FOLDER_PATHS: folder });
    expect(result).toMatchObject({ files: ["host.ts"], project_root: folder });
  });

  it("say that a project is not a repository, or that git is missing", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "a.ts"), "");
    const none = { is_git_repo: false, current_branch: null, repo_root: null };
    expect((await call(folder, "get_project_info")).result.git).toEqual(none);
    const { result } = await call(folder, "get_project_info", {}, { PATH: "/nowhere" });
    expect(result.git).toEqual({ ...none, problem: expect.stringContaining("git is not installed") });
    expect(result.statistics.files).toBe(1);
  });

  it("give the best files' scores in the order of the files, and what they are made of on request", async () => {
    const names = Array.from({ length: 60 }, (_, i) => `src/file-${i}.ts`);
    const { folder } = newRepository(Object.fromEntries(names.map((name) => [name, "x"])));
    const { result } = await call(folder, "list_project_files");
    const { counts, high, medium, low } = result.scores;
    expect(counts.high + counts.medium + counts.low).toBe(60);
    const scores = [...high, ...medium, ...low] as number[];
    expect(scores).toHaveLength(50);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    // Every path is there once.
    for (const name of names) expect(JSON.stringify(result).split(`"${name}"`)).toHaveLength(2);
    const { result: explained } = await call(folder, "list_project_files", { details: true });
    const [best] = [...explained.scores.high, ...explained.scores.medium, ...explained.scores.low];
    expect(best).toMatchObject({ path: explained.files[0], score: expect.any(Number), role: expect.any(Number) });
  });

  it("cut a long answer to the token budget, and continue from there", async () => {
    const long = "a-folder-with-quite-a-long-name-1234567890";
    const names = Array.from({ length: 3000 }, (_, i) => `${long}/${long}/${i % 10}/file-number-${i}.ts`);
    const { folder } = newRepository(Object.fromEntries(names.map((name) => [name, ""])));
    const client = await connectStdio(temporaryFolder(), ERAS["2025-11-25 and before"], ["--project", folder]);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(client, { max_files: 2500, ...(cursor !== undefined && { cursor }) });
      expect(estimateTokens(JSON.stringify(page))).toBeLessThanOrEqual(20_000);
      expect(page.total_files).toBe(3000);
      if (seen.length === 0) expect(page.scores).toMatchObject({ counts: { high: 0, medium: 3000, low: 0 } });
      seen.push(...page.files);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(new Set(seen).size).toBe(2500);
  });

  it("notice that a project disappears and returns", async () => {
    const { folder } = newRepository({ "a.ts": "" });
    const client = await connectStdio(temporaryFolder(), ERAS["2026-07-28"], ["--project", folder]);
    expect((await list(client)).files).toEqual(["a.ts"]);
    rmSync(folder, { recursive: true });
    expect((await list(client)).error).toMatchObject({ code: "NOT_FOUND" });
    mkdirSync(folder);
    writeFileSync(join(folder, "b.ts"), "");
    expect((await list(client)).files).toEqual(["b.ts"]);
  });

  it("describe this checkout, with or without its whole history", async () => {
    const { result } = await call(join(import.meta.dirname, "..", ".."), "get_project_info");
    expect(result.project).toMatchObject({
      name: "commonplace-mcp",
      kinds: expect.arrayContaining(["Node.js"]),
      entry_points: expect.arrayContaining(["bin/commonplace.js"]),
    });
    expect(result.project.languages[0]).toMatchObject({ language: "TypeScript" });
    const { result: ranked } = await call(join(import.meta.dirname, "..", ".."), "list_project_files", {
      max_files: 10_000,
    });
    const place = (path: string) => ranked.files.indexOf(path);
    expect(place("README.md")).toBeGreaterThanOrEqual(0);
    expect(place("README.md")).toBeLessThan(place("package-lock.json"));
    expect(place("package.json")).toBeLessThan(ranked.files.length / 2);
    expect(ranked.files.filter((path: string) => /^(node_modules|dist)\//.test(path))).toEqual([]);
  });
});
