import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ntfsNumbers, withAnswers } from "../../../../test/fixtures/simulated-file-systems.ts";
import { placeOf } from "./project-folders.ts";
import { comparableFolder, normalisedRemote, remoteIn, withoutWorktree } from "./project-identity.ts";

describe("the address of a remote", () => {
  it.each([
    "git@github.com:Owner/Name.git",
    "https://github.com/owner/name",
    "https://user:secret@github.com/owner/name.git",
    "ssh://git@github.com:22/owner/name.git",
    "git://github.com/owner/name/",
    "github.com:owner/name",
  ])("is the same however it was cloned: %s", (address) => {
    expect(normalisedRemote(address)).toBe("github.com/owner/name");
  });

  it.each(["/srv/git/name.git", "../name", "C:\\git\\name", ""])("is undefined for a folder: %s", (address) => {
    expect(normalisedRemote(address)).toBeUndefined();
  });

  it("is that of origin, else the first", () => {
    const config = '[core]\n\tbare = false\n[remote "fork"]\n\turl = git@github.com:me/name.git\n';
    expect(remoteIn(config)).toBe("github.com/me/name");
    expect(
      remoteIn(`${config}[remote "origin"]\n\turl = https://github.com/owner/name\n[branch "main"]\n\turl = no\n`),
    ).toBe("github.com/owner/name");
    expect(remoteIn("[core]\n")).toBeUndefined();
  });
});

describe("a folder", () => {
  it.each([
    ["C:\\Work\\Shop\\", "c:/Work/Shop"],
    ["/mnt/c/Work/Shop", "c:/Work/Shop"],
    ["/c:/Work/Shop", "c:/Work/Shop"],
    ["/code/shop/", "/code/shop"],
    ["/", "/"],
  ])("is compared in one form: %s", (folder, form) => {
    expect(comparableFolder(folder)).toBe(form);
  });

  it("that was a worktree belongs to its repository", () => {
    expect(withoutWorktree("/code/cli/.worktrees/alex/tooling")).toBe("/code/cli");
    expect(withoutWorktree("/code/cli/.claude/worktrees/3")).toBe("/code/cli");
    expect(withoutWorktree("/code/worktrees/cli")).toBe("/code/worktrees/cli");
  });
});

describe("the project of a folder on the disk", () => {
  const temporary = () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "project-")));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  };
  const git = (folder: string, ...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
      cwd: folder,
      stdio: "pipe",
    });

  it("is its remote for clones, worktrees, subfolders and links alike", () => {
    const folder = temporary();
    const main = join(folder, "main");
    mkdirSync(join(main, "packages", "a"), { recursive: true });
    git(main, "init", "-q");
    git(main, "remote", "add", "origin", "git@example.org:team/shop.git");
    git(main, "commit", "-q", "--allow-empty", "-m", "first");
    git(main, "worktree", "add", "-q", join(folder, "tree"));
    symlinkSync(main, join(folder, "link"));
    const places = ["main", "main/packages/a", "tree", "link"].map((name) => placeOf(join(folder, name)));
    expect(new Set(places.map(({ project }) => project))).toEqual(new Set(["git:example.org/team/shop"]));
    expect(new Set(places.map(({ root }) => root))).toEqual(new Set([main]));
  });

  it("is its root without a remote, and keeps its inode when it is renamed", () => {
    const folder = temporary();
    mkdirSync(join(folder, "old", "src"), { recursive: true });
    git(join(folder, "old"), "init", "-q");
    const before = placeOf(join(folder, "old", "src"));
    expect(before.project).toBe(`root:${join(folder, "old")}`);
    renameSync(join(folder, "old"), join(folder, "new"));
    expect(placeOf(join(folder, "new")).inode).toBe(before.inode);
  });

  it("distinguishes folders whose inodes are equal as JavaScript numbers", async () => {
    const [one, other] = [temporary(), temporary()];
    await withAnswers(ntfsNumbers(), () => {
      expect(placeOf(one).inode).not.toBe(placeOf(other).inode);
      expect(placeOf(one).inode).toBe(placeOf(one).inode);
    });
  });

  it("is the folder itself without a repository, even if it is gone", () => {
    const folder = temporary();
    expect(placeOf(folder)).toMatchObject({ project: `path:${folder}`, root: folder });
    expect(placeOf("/nowhere/shop/.worktrees/x")).toEqual({
      folder: "/nowhere/shop/.worktrees/x",
      project: "path:/nowhere/shop",
      root: "/nowhere/shop",
      inode: undefined,
    });
  });
});
