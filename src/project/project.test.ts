import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AS_NOBODY, bundled, NODE, nodeForNobody } from "../../test/processes/child.ts";
import { gitIn, newFolder, newRepository, writeFiles } from "../../test/fixtures/repositories.ts";
import { Project, type TouchedFiles } from "./project.ts";

const nothingTouched: TouchedFiles = async () => new Map();
const open = (folder: string, touched = nothingTouched) => new Project(folder, touched);
const ALL = { endings: [], most: 10_000, byScore: false } as const;
const RANKED = { ...ALL, byScore: true } as const;
const filesOf = async (folder: string) => (await open(folder).files(ALL)).files;
/** Returns git's own list of files, as the contract describes it. */
const gitFiles = (folder: string) =>
  gitIn(folder, ["ls-files", "-co", "--exclude-standard", "-z", "--deduplicate"]).split("\0").slice(0, -1).toSorted();

const MAIN = { "src/main.ts": "main();\n", "README.md": "# Project\n", "package.json": '{"name": "thing"}' };

describe("the files of a repository", () => {
  it("are those that git lists: tracked and new ones, not what is ignored", async () => {
    const { folder, write } = newRepository({ ...MAIN, ".gitignore": "*.log\nout/\n" });
    write({
      "new.ts": "",
      "deep/new/er.ts": "",
      "a.log": "",
      "out/x.js": "",
      "deep/.gitignore": "secret\n",
      "deep/secret": "",
    });
    expect(await filesOf(folder)).toEqual(gitFiles(folder));
    expect(await filesOf(folder)).toContain("deep/new/er.ts");
    expect(await filesOf(folder)).not.toContain("deep/secret");
  });

  it("may have names with line breaks, quotes, blanks, backslashes and any Unicode", async () => {
    const names = [
      "a\nb.ts",
      'quo"te.ts',
      "tab\t.ts",
      " blank .ts",
      "back\\slash.ts",
      "日本.ts",
      "😀.ts",
      "ﬀ.ts",
      "-n.ts",
      ":x",
    ];
    const { folder, write } = newRepository(Object.fromEntries(names.slice(0, 5).map((name) => [name, ""])));
    write(Object.fromEntries(names.slice(5).map((name) => [`new/${name}`, ""])));
    expect(await filesOf(folder)).toEqual(gitFiles(folder));
    expect((await open(folder).files(RANKED)).files.toSorted()).toEqual(gitFiles(folder));
    expect(await filesOf(folder)).toHaveLength(names.length);
  });

  it.skipIf(process.platform !== "linux")(
    "whose names are no UTF-8 are told apart: nobody could open them",
    async () => {
      const { folder, git, write } = newRepository(MAIN);
      writeFileSync(Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xe9]), Buffer.from(".ts")]), "");
      expect(await open(folder).files(ALL)).toMatchObject({ total: 3, leftOut: { not_utf8: ["caf\\xe9.ts"] } });
      git("add", "--all");
      write({ "b.ts": "" });
      expect(await open(folder).files(ALL)).toMatchObject({ total: 4, leftOut: { not_utf8: ["caf\\xe9.ts"] } });
    },
  );

  it("leave out links, tracked or not, and never lead through them", async () => {
    const outside = newFolder({ "secret.txt": "s" });
    const { folder, commit } = newRepository(MAIN);
    symlinkSync(outside, join(folder, "way-out"));
    symlinkSync("/etc/passwd", join(folder, "passwd"));
    commit("links");
    symlinkSync(outside, join(folder, "new-way-out"));
    const { files, leftOut } = await open(folder).files(ALL);
    expect(files).toEqual(["README.md", "package.json", "src/main.ts"]);
    expect(leftOut.symlinks).toEqual(["new-way-out", "passwd", "way-out"]);
  });

  it("leave out a folder that became a link out of the project", async () => {
    const outside = newFolder({ "main.ts": "secret" });
    const { folder } = newRepository(MAIN);
    rmSync(join(folder, "src"), { recursive: true });
    symlinkSync(outside, join(folder, "src"));
    const { files, leftOut } = await open(folder).files(ALL);
    expect(files).toEqual(["README.md", "package.json"]);
    expect(leftOut).toMatchObject({ deleted: ["src/main.ts"], symlinks: ["src"] });
  });

  it("leave out deleted ones, and keep those that only the index forgot", async () => {
    const { folder, git } = newRepository({ ...MAIN, "gone.ts": "", "staged.ts": "", "forgotten.ts": "" });
    rmSync(join(folder, "gone.ts"));
    git("rm", "--quiet", "staged.ts");
    git("rm", "--quiet", "--cached", "forgotten.ts");
    const { files, leftOut } = await open(folder).files(ALL);
    expect(files).toEqual(["README.md", "forgotten.ts", "package.json", "src/main.ts"]);
    expect(leftOut.deleted).toEqual(["gone.ts", "staged.ts"]);
  });

  it("leave out submodules and repositories within, each as what it is", async () => {
    const library = newRepository({ "lib.ts": "" });
    const { folder, git, commit } = newRepository(MAIN);
    git("submodule", "--quiet", "add", library.folder, "library");
    commit("submodule");
    writeFiles(folder, { "other/x.ts": "" });
    gitIn(join(folder, "other"), ["init", "--quiet"]);
    const { files, leftOut } = await open(folder).files(ALL);
    expect(files).toEqual([".gitmodules", "README.md", "package.json", "src/main.ts"]);
    expect(leftOut).toMatchObject({ submodules: ["library"], nested_repositories: ["other"] });
    expect((await open(folder).info()).git.submodules).toEqual(["library"]);
  });

  it("are not looked for in dependencies that nobody ignored", async () => {
    const { folder, write } = newRepository(MAIN);
    write({ "node_modules/a/index.js": "", "part/x.ts": "", "part/node_modules/b/index.js": "" });
    const { files, leftOut } = await open(folder).files(ALL);
    expect(files).toEqual(["README.md", "package.json", "part/x.ts", "src/main.ts"]);
    expect(leftOut.skipped_folders).toEqual(["node_modules"]);
  });

  it("are listed once in a conflict", async () => {
    const { folder, git, commit } = newRepository({ "a.txt": "1" });
    git("checkout", "--quiet", "-b", "other");
    commit("theirs", { "a.txt": "2" });
    git("checkout", "--quiet", "main");
    commit("ours", { "a.txt": "3" });
    expect(() => git("merge", "other")).toThrow();
    expect(await filesOf(folder)).toEqual(["a.txt"]);
    expect((await open(folder).info()).git).toMatchObject({ conflicts: 1, staged: 0, modified: 0 });
  });

  it("of a sparse checkout are those that are there", async () => {
    const { folder, git } = newRepository({ "here/a.ts": "", "there/b.ts": "", "c.ts": "" });
    git("sparse-checkout", "set", "here");
    const { files, leftOut } = await open(folder).files(ALL);
    expect(files).toEqual(["c.ts", "here/a.ts"]);
    expect(leftOut.not_checked_out).toEqual(["there/b.ts"]);
  });

  it("are only those of the project if that is a part of the repository", async () => {
    const { folder, write, git } = newRepository({ ...MAIN, "part/a.ts": "", "part/deep/b.ts": "", "outside.ts": "" });
    write({ "part/new.ts": "", "other-new.ts": "", "part/a.ts": "changed" });
    const part = open(join(folder, "part"));
    expect((await part.files(RANKED)).files.toSorted()).toEqual(["a.ts", "deep/b.ts", "new.ts"]);
    expect((await part.info()).git).toMatchObject({ prefix: "part/", modified: 1, untracked: 1 });
    git("rm", "-r", "--quiet", "--cached", "part");
    git("commit", "--quiet", "-m", "part is untracked");
    expect((await open(join(folder, "part")).files(ALL)).files).toEqual(["a.ts", "deep/b.ts", "new.ts"]);
  });

  it("are filtered by their endings, and cut at the number asked for", async () => {
    const { folder } = newRepository({ "a.py": "", "b.PY": "", "c.js": "", "d.d.ts": "", py: "", ".py": "" });
    const ask = (endings: string[], most = 100) => open(folder).files({ endings, most, byScore: false });
    expect(await ask([".py"])).toMatchObject({ files: [".py", "a.py", "b.PY"], total: 3 });
    expect(await ask([".d.ts", ".js"])).toMatchObject({ files: ["c.js", "d.d.ts"] });
    expect(await ask([], 2)).toMatchObject({ files: [".py", "a.py"], total: 6 });
  });
});

describe("a second call", () => {
  it("sees every kind of change", async () => {
    const { folder, write, git, commit } = newRepository({ ...MAIN, "a.ts": "", "b.ts": "" });
    const project = open(folder);
    const look = async () => {
      const fresh = open(folder);
      const seen = await project.files(RANKED);
      const expected = await fresh.files(RANKED);
      expect(seen.files).toEqual(expected.files);
      expect(seen.files.map(seen.scoreOf)).toEqual(expected.files.map(expected.scoreOf));
      expect(await project.info()).toEqual(await fresh.info());
      return seen.files;
    };
    await look();
    write({ "new.ts": "x" });
    expect(await look()).toContain("new.ts");
    write({ "new.ts": "longer than before", "a.ts": "changed" });
    await look();
    write({ "a.ts": "" });
    await look();
    git("add", "--all");
    await look();
    commit("more", { "b.ts": "b", "deep/c.ts": "" });
    await look();
    renameSync(join(folder, "b.ts"), join(folder, "renamed.ts"));
    expect(await look()).not.toContain("b.ts");
    write({ ".gitignore": "*.md\n", "notes.md": "" });
    expect(await look()).not.toContain("notes.md");
    write({ "package.json": '{"name": "other", "main": "deep/c.ts"}' });
    await look();
    git("checkout", "--quiet", "-b", "branch");
    git("remote", "add", "origin", "https://example.com/x.git");
    await look();
    rmSync(join(folder, ".git"), { recursive: true });
    expect(await look()).toContain("renamed.ts");
    gitIn(folder, ["init", "--quiet"]);
    await look();
  });
});

describe("the order", () => {
  const order = async (folder: string, touched?: TouchedFiles) => (await open(folder, touched).files(RANKED)).files;

  it("is by what changed recently and often, not by names; and the same each time", async () => {
    const { folder, commit } = newRepository({ "a.ts": "", "hot.ts": "", "warm.ts": "", "z.ts": "" });
    commit("warm", { "warm.ts": "1" }, 0);
    for (let n = 1; n <= 5; n++) commit("hot", { "hot.ts": String(n) });
    expect(await order(folder)).toEqual(["hot.ts", "warm.ts", "a.ts", "z.ts"]);
    expect(await order(folder)).toEqual(await order(folder));
  });

  it("puts uncommitted work before the same file without", async () => {
    const { folder, write } = newRepository({ "a.ts": "", "b.ts": "", "c.ts": "" });
    write({ "c.ts": "changed" });
    expect((await order(folder))[0]).toBe("c.ts");
  });

  it("raises the files beside the work of this moment, before it is committed", async () => {
    const names = ["a/form.ts", "a/form.sql", "b/other.ts", "b/other.sql"];
    const { folder, commit, write } = newRepository(Object.fromEntries(names.map((name) => [name, "0"])));
    commit("other", { "b/other.ts": "1" });
    const before = await order(folder);
    expect(before.indexOf("b/other.sql")).toBeLessThan(before.indexOf("a/form.sql"));
    write({ "a/form.ts": "now" });
    const { files, scoreOf } = await open(folder).files(RANKED);
    expect(files.indexOf("a/form.sql")).toBeLessThan(files.indexOf("b/other.sql"));
    expect(scoreOf("a/form.sql")!.parts.folder).toBeGreaterThan(0.09);
  });

  it("keeps README, manifest and entry point above what nobody works on, after any history", async () => {
    const quiet = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`lib/quiet${i}/part.ts`, ""]));
    const { folder, commit } = newRepository({ ...MAIN, ...quiet, "lib/core/a.ts": "", "lib/core/b.ts": "" });
    for (let n = 1; n <= 40; n++) commit("work", { [`lib/core/${n % 2 ? "a" : "b"}.ts`]: String(n) });
    const files = await order(folder);
    expect(files.slice(0, 2).toSorted()).toEqual(["lib/core/a.ts", "lib/core/b.ts"]);
    expect(files.slice(2, 5).toSorted()).toEqual(Object.keys(MAIN).toSorted());
  });

  it("lets a huge commit weigh little", async () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`many/${i}.ts`, "1"]));
    const { folder, commit } = newRepository({ "one/work.ts": "1" });
    commit("work", { "one/work.ts": "2" });
    commit("reformat everything", many);
    expect((await order(folder))[0]).toBe("one/work.ts");
  });

  it("follows a file through its renames", async () => {
    const { folder, commit } = newRepository({ "a/old.ts": "text", "b/other.ts": "other" });
    for (let n = 0; n < 5; n++) commit("work", { "a/old.ts": `text ${n}` });
    renameSync(join(folder, "a/old.ts"), join(folder, "b/new.ts"));
    commit("rename");
    const { files, scoreOf } = await open(folder).files(RANKED);
    expect(files).toEqual(["b/new.ts", "b/other.ts"]);
    expect(scoreOf("b/new.ts")!.parts.frequency).toBeGreaterThan(2 * scoreOf("b/other.ts")!.parts.frequency!);
  });

  it("puts entry points, manifests and the README first, and lock files, generated and vendored ones last", async () => {
    const { folder } = newRepository({
      "README.md": "# X",
      "package.json": '{"main": "lib/start.js"}',
      "lib/start.js": "",
      "lib/a.js": "",
      "lib/a.test.js": "",
      "package-lock.json": "{}",
      "web/app.min.js": "",
      "vendor/x/y.js": "",
      "data.bin": "",
    });
    const files = await order(folder);
    expect(files.slice(0, 3).toSorted()).toEqual(["README.md", "lib/start.js", "package.json"]);
    expect(files.slice(3, 6)).toEqual(["lib/a.js", "lib/a.test.js", "data.bin"]);
    expect(files.slice(6)).toEqual(["package-lock.json", "vendor/x/y.js", "web/app.min.js"]);
  });

  it("puts what nobody wrote last, however fresh: by its name or .gitattributes", async () => {
    const written = {
      "README.md": "# X",
      "package.json": "{}",
      "lib/deep/down/old.js": "",
      "lib/old.test.js": "",
      "notes.txt": "",
      "data.bin": "",
      ".gitattributes": "api/** linguist-generated\n",
    };
    const allMachine = {
      "api/schema.ts": "",
      "package-lock.json": "{}",
      "src/x.pb.go": "",
      "vendor/x/main.js": "",
      "web/app.min.js": "",
      "yarn.lock": "",
    };
    const { folder, commit, write } = newRepository({ ...written, ...allMachine });
    const changed = (n: number) =>
      Object.fromEntries(Object.entries(allMachine).map(([path, text]) => [path, `${text}// ${n}\n`]));
    for (let n = 0; n < 8; n++) commit("update", changed(n));
    write(changed(9));
    const touched = async () => new Map(Object.keys(allMachine).map((path) => [path, 5]));
    // Without git, names alone tell.
    const { "api/schema.ts": _, ...byName } = allMachine;
    for (const [project, machine] of [
      [open(folder, touched), allMachine],
      [open(newFolder({ ...written, ...byName }), touched), byName],
    ] as const) {
      const { files, scoreOf, groups } = await project.files(RANKED);
      expect(files.slice(Object.keys(written).length)).toEqual(Object.keys(machine));
      expect(Object.keys(machine).map((path) => scoreOf(path)!.score)).toEqual(Object.keys(machine).map(() => 0));
      for (const path of Object.keys(written)) expect(scoreOf(path)!.score).toBeGreaterThan(0);
      expect(groups!.high + groups!.medium + groups!.low).toBe(files.length);
      // Those further down than was asked for come up, and none of a machine's.
      expect((await project.files({ ...RANKED, most: 3 })).files).toEqual(files.slice(0, 3));
    }
  });

  it("follows .gitattributes", async () => {
    const { folder, write } = newRepository({ ...MAIN, "lib/a.ts": "a();", "lib/b.ts": "b();" });
    const project = open(folder);
    const last = async () => (await project.files(RANKED)).files.at(-1);
    expect(await last()).toBe("lib/b.ts");
    write({ ".gitattributes": "lib/a.ts linguist-generated\n" });
    expect(await last()).toBe("lib/a.ts");
    write({ ".gitattributes": "lib/b.ts linguist-vendored\n" });
    expect(await last()).toBe("lib/b.ts");
  });

  it("rises with conversations that touched a file, and holds without any", async () => {
    const { folder } = newRepository({ "a.ts": "", "b.ts": "", "c.ts": "" });
    const touched = async (root: string) =>
      new Map(
        root === folder
          ? [
              ["c.ts", 4],
              ["b.ts", 1],
              ["gone.ts", 2],
            ]
          : [],
      );
    expect(await order(folder, touched)).toEqual(["c.ts", "b.ts", "a.ts"]);
    const { scoreOf } = await open(folder, touched).files(RANKED);
    expect(scoreOf("c.ts")!.parts.conversations).toBeGreaterThan(0.1);
    expect(scoreOf("a.ts")!.parts).not.toHaveProperty("conversations");
  });

  it("has scores from 0 to 1 that are the sums of their parts", async () => {
    const { folder, commit, write } = newRepository({ ...MAIN, "package-lock.json": "{}", "a.min.js": "" });
    for (let n = 0; n < 8; n++) commit("work", { "src/main.ts": String(n), "package-lock.json": String(n) });
    write({ "src/main.ts": "now" });
    const { files, scoreOf, groups } = await open(folder, async () => new Map([["src/main.ts", 3]])).files(RANKED);
    for (const file of files) {
      const { score, parts } = scoreOf(file)!;
      const sum = Object.values(parts).reduce((total, part) => total + part, 0);
      expect(score).toBeCloseTo(Math.min(1, Math.max(0, sum)), 3);
    }
    expect(files[0]).toBe("src/main.ts");
    expect(scoreOf("src/main.ts")!.score).toBeGreaterThanOrEqual(0.8);
    expect(groups).toMatchObject({ high: 1 });
    expect(scoreOf("package-lock.json")!.score).toBeLessThan(0.5);
  });
});

describe("a folder without git", () => {
  it("is listed by a walk that obeys nested ignore files and leaves dependencies alone", async () => {
    const folder = newFolder({
      "a.ts": "",
      ".gitignore": "*.log\n/out\n",
      "b.log": "",
      "out/x.js": "",
      "deep/.gitignore": "!keep.log\nsecret/\n",
      "deep/keep.log": "",
      "deep/secret/x": "",
      "node_modules/x/index.js": "",
      "nested/.git/HEAD": "ref: refs/heads/main",
      "nested/x.ts": "",
    });
    symlinkSync("/etc", join(folder, "etc"));
    symlinkSync(folder, join(folder, "deep", "circle"));
    const { files, leftOut } = await open(folder).files(ALL);
    expect(files).toEqual([".gitignore", "a.ts", "deep/.gitignore", "deep/keep.log"]);
    expect(leftOut).toMatchObject({ symlinks: ["deep/circle", "etc"], nested_repositories: ["nested"] });
    expect((await open(folder).info()).git).toMatchObject({ isRepository: false, problem: undefined });
  });

  it("is ranked by the files' own times", async () => {
    const folder = newFolder({ "a.ts": "", "b.ts": "", "c.ts": "" });
    utimesSync(join(folder, "a.ts"), 1_600_000_000, 1_600_000_000);
    utimesSync(join(folder, "b.ts"), 1_700_000_000, 1_700_000_000);
    utimesSync(join(folder, "c.ts"), 1_650_000_000, 1_650_000_000);
    const { files, scoreOf } = await open(folder).files(RANKED);
    expect(files[0]).toBe("b.ts");
    expect(scoreOf("b.ts")!.parts).toMatchObject({ recency: 0.714 });
  });

  it.skipIf(process.platform === "win32")("that cannot be read is denied, and a folder in it is reported", () => {
    const closed = newFolder({ "a.ts": "" });
    const walked = newFolder({ "a.ts": "", "closed/b.ts": "" });
    const { folder: listed } = newRepository({ "a.ts": "" });
    writeFiles(listed, { "closed/b.ts": "" });
    // The owner of everything is never refused: then somebody else has to look.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) for (const folder of [walked, listed]) chmodSync(folder, 0o755);
    for (const folder of [closed, join(walked, "closed"), join(listed, "closed")]) chmodSync(folder, 0);
    const child = bundled(
      join(import.meta.dirname, "..", "..", "test", "faults", "children", "unprivileged-reader.ts"),
    );
    const { stdout, stderr } = spawnSync(isRoot ? nodeForNobody() : NODE, [...child, closed, walked, listed], {
      ...(isRoot && AS_NOBODY),
      encoding: "utf8",
      env: { PATH: process.env["PATH"] },
    });
    for (const folder of [closed, join(walked, "closed"), join(listed, "closed")]) chmodSync(folder, 0o700);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual([
      "denied The project's folder may not be read.",
      "a.ts but not closed",
      "a.ts but not closed",
    ]);
  });
});

describe("a repository that is not as usual", () => {
  const infoOf = async (folder: string) => (await open(folder).info()).git;

  it("may have no commits", async () => {
    const { folder, write } = newRepository();
    write({ "a.ts": "", "b.ts": "" });
    expect(await infoOf(folder)).toMatchObject({
      isRepository: true,
      branch: "main",
      commit: undefined,
      lastCommits: [],
      untracked: 2,
    });
    expect((await open(folder).files(RANKED)).files).toEqual(["a.ts", "b.ts"]);
  });

  it("may be bare", async () => {
    const { folder } = newRepository(MAIN);
    const bare = newFolder();
    gitIn(bare, ["clone", "--quiet", "--bare", folder, "bare"]);
    const git = await infoOf(join(bare, "bare"));
    expect(git).toMatchObject({
      isRepository: true,
      isBare: true,
      branch: "main",
      problem: expect.stringContaining("bare repository"),
    });
    expect(git.lastCommits.map(({ subject }) => subject)).toEqual(["first"]);
    expect(await open(join(bare, "bare")).files(RANKED)).toMatchObject({
      files: [],
      problem: expect.stringContaining("bare"),
    });
    expect(await infoOf(join(folder, ".git"))).toMatchObject({
      problem: expect.stringContaining("git keeps its own files"),
    });
  });

  it("may have a HEAD that is broken, in more than one way", async () => {
    const { folder } = newRepository(MAIN);
    writeFileSync(join(folder, ".git", "refs", "heads", "main"), "garbage\n");
    expect(await infoOf(folder)).toMatchObject({
      isRepository: true,
      branch: undefined,
      problem: expect.stringContaining("HEAD is broken"),
    });
    expect(await filesOf(folder)).toEqual(["README.md", "package.json", "src/main.ts"]);
    writeFileSync(join(folder, ".git", "HEAD"), "garbage\n");
    expect(await infoOf(folder)).toMatchObject({
      isRepository: true,
      problem: expect.stringContaining("git does not accept it"),
    });
    expect((await open(folder).files(RANKED)).files.toSorted()).toEqual(["README.md", "package.json", "src/main.ts"]);
  });

  it("may have a damaged index or configuration", async () => {
    const { folder } = newRepository(MAIN);
    writeFileSync(join(folder, ".git", "index"), "garbage");
    expect(await infoOf(folder)).toMatchObject({ isRepository: true, problem: expect.stringContaining("git failed") });
    expect(await filesOf(folder)).toHaveLength(3);
    writeFileSync(join(folder, ".git", "config"), "[garbage");
    const { problem } = await infoOf(folder);
    expect(problem).toContain("git failed: bad config");
    expect(problem).not.toContain(folder);
  });

  it("may have its HEAD detached, or be a linked work tree", async () => {
    const { folder, git } = newRepository(MAIN);
    git("worktree", "add", "--quiet", "--detach", join(newFolder(), "linked"));
    const linked = git("worktree", "list", "--porcelain")
      .trim()
      .split("\n\n")[1]!
      .split("\n")[0]!
      .replace("worktree ", "");
    expect(await infoOf(linked)).toMatchObject({ isDetached: true, branch: undefined, isLinkedWorkTree: true });
    expect(await infoOf(folder)).toMatchObject({ isDetached: false, branch: "main", isLinkedWorkTree: false });
    expect(await filesOf(linked)).toEqual(["README.md", "package.json", "src/main.ts"]);
    rmSync(join(folder, ".git", "worktrees"), { recursive: true });
    expect(await infoOf(linked)).toMatchObject({
      isRepository: true,
      problem: expect.stringContaining("leads to a folder that is gone"),
    });
  });

  it("may be shallow", async () => {
    const { folder, commit } = newRepository(MAIN);
    commit("second", { "src/main.ts": "2" });
    const clone = newFolder();
    gitIn(clone, ["clone", "--quiet", "--depth", "1", `file://${folder}`, "clone"]);
    expect(await infoOf(join(clone, "clone"))).toMatchObject({
      isShallow: true,
      upstream: "origin/main",
      ahead: 0,
      behind: 0,
      remotes: [{ name: "origin", url: "(a folder)" }],
    });
  });

  it("is not used if its work tree is somewhere else", async () => {
    const elsewhere = newFolder({ "secret.txt": "" });
    const { folder, git } = newRepository(MAIN);
    git("config", "core.worktree", elsewhere);
    expect(await filesOf(folder)).toEqual(["README.md", "package.json", "src/main.ts"]);
    expect(await infoOf(folder)).toMatchObject({ problem: expect.stringContaining("core.worktree") });
  });

  it("has a broken .git of its own within another repository", async () => {
    const { folder } = newRepository(MAIN);
    writeFiles(folder, { "part/.git/HEAD": "garbage", "part/a.ts": "" });
    expect(await infoOf(join(folder, "part"))).toMatchObject({ problem: expect.stringContaining("a .git of its own") });
    expect(await filesOf(join(folder, "part"))).toEqual(["a.ts"]);
  });

  it("is not mistaken for the one around it when it breaks between two calls", async () => {
    const { folder } = newRepository({ ...MAIN, ".gitignore": "part/\n" });
    writeFiles(folder, { "part/a.ts": "" });
    const part = join(folder, "part");
    gitIn(part, ["init", "--quiet"]);
    gitIn(part, ["add", "--all"]);
    const project = open(part);
    expect(await project.files(ALL)).toMatchObject({ files: ["a.ts"], problem: undefined });
    writeFileSync(join(part, ".git", "HEAD"), "garbage\n");
    expect(await project.files(ALL)).toMatchObject({
      files: ["a.ts"],
      problem: expect.stringContaining("git does not accept it"),
    });
  });

  it("counts what is staged, changed, deleted and new, ahead and behind", async () => {
    const { folder } = newRepository({ ...MAIN, "a.ts": "", "b.ts": "" });
    const clone = join(newFolder(), "clone");
    gitIn(folder, ["clone", "--quiet", folder, clone]);
    gitIn(clone, ["commit", "--quiet", "--allow-empty", "-m", "ahead"]);
    writeFiles(clone, { "staged.ts": "", "a.ts": "changed", "new.ts": "", "more/new.ts": "" });
    gitIn(clone, ["add", "staged.ts"]);
    rmSync(join(clone, "b.ts"));
    expect(await infoOf(clone)).toMatchObject({
      ahead: 1,
      behind: 0,
      staged: 1,
      modified: 1,
      deleted: 1,
      untracked: 2,
    });
  });
});

describe("what is there no git for", () => {
  it("is reported as such, and its files are listed all the same", async () => {
    const { folder } = newRepository({ ...MAIN, ".gitignore": "*.log\n", "x.log": "" });
    const path = process.env["PATH"];
    process.env["PATH"] = join(folder, "nowhere");
    try {
      expect((await open(folder).info()).git).toMatchObject({
        isRepository: true,
        gitFound: false,
        problem: expect.stringContaining("git is not installed"),
      });
      expect(await filesOf(folder)).toEqual([".gitignore", "README.md", "package.json", "src/main.ts"]);
      // A git that the project itself brings is not run.
      mkdirSync(join(folder, "bin"));
      writeFileSync(join(folder, "bin", "git"), `#!/bin/sh\ntouch ${folder}/ran\n`, { mode: 0o755 });
      process.env["PATH"] = `bin:.:${path}`;
      expect((await open(folder).info()).git.gitFound).toBe(true);
      expect(await filesOf(folder)).not.toContain("ran");
    } finally {
      process.env["PATH"] = path;
    }
  });
});
