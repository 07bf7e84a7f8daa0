// A repository is not trusted. Each of these wants to have a program run when
// git is used in it the plain way; none may run because a project is looked at.
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitIn, newFolder, newRepository, type TestRepository } from "../../../test/fixtures/repositories.ts";
import { Project } from "../project.ts";

interface Trap {
  readonly it: string;
  /** Sets the trap; `program` leaves a mark where it is run. */
  readonly set: (repository: TestRepository, program: string) => void;
  /** The git command that springs the trap when a person runs it: it must be a real one. */
  readonly plain: readonly string[];
}

/** Of a file with another size git knows without a filter that it changed. */
const SAME_SIZE = "2\n";

const TRAPS: readonly Trap[] = [
  {
    it: "a file system monitor",
    set: ({ git }, program) => git("config", "core.fsmonitor", program),
    plain: ["status"],
  },
  {
    it: "a filter for what changed",
    set: ({ git, write }, program) => {
      write({ ".gitattributes": "*.ts filter=trap\n" });
      git("config", "filter.trap.clean", program);
      git("config", "filter.trap.required", "true");
      write({ "a.ts": SAME_SIZE });
    },
    plain: ["status"],
  },
  {
    it: "a filter in an included file, under a name with an equals sign",
    set: ({ git, write, folder }, program) => {
      writeFileSync(join(folder, ".git", "more"), `[filter "a=b"]\n\tclean = ${program}\n`);
      git("config", "include.path", "more");
      write({ ".gitattributes": "*.ts filter=a=b\n", "a.ts": SAME_SIZE });
    },
    plain: ["status"],
  },
  {
    it: "a filter in a configuration that is a link",
    set: ({ git, write, folder }, program) => {
      write({ ".gitattributes": "*.ts filter=trap\n" });
      git("config", "filter.trap.clean", program);
      renameSync(join(folder, ".git", "config"), join(folder, ".git", "other"));
      symlinkSync("other", join(folder, ".git", "config"));
      write({ "a.ts": SAME_SIZE });
    },
    plain: ["status"],
  },
  {
    it: "a hook that git calls when it writes its index",
    set: ({ folder, write }, program) => {
      mkdirSync(join(folder, ".git", "hooks"), { recursive: true });
      writeFileSync(join(folder, ".git", "hooks", "post-index-change"), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
      write({ "a.ts": "1\n" });
    },
    plain: ["update-index", "--force-write-index"],
  },
  {
    it: "a checker of signatures",
    set: ({ git, folder }, program) => {
      git("config", "gpg.program", program);
      git("config", "log.showSignature", "true");
      const [tree, parent] = [git("rev-parse", "HEAD^{tree}").trim(), git("rev-parse", "HEAD").trim()];
      const signed = `tree ${tree}\nparent ${parent}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\nsigned\n`;
      writeFileSync(join(folder, ".git", "signed"), signed);
      git("update-ref", "HEAD", git("hash-object", "-w", "-t", "commit", ".git/signed").trim());
    },
    plain: ["log", "-1"],
  },
  {
    it: "an external diff and a text conversion",
    set: ({ git, write }, program) => {
      write({ ".gitattributes": "*.ts diff=trap\n", "a.ts": "change" });
      git("config", "diff.external", program);
      git("config", "diff.trap.textconv", program);
    },
    plain: ["diff"],
  },
  {
    it: "a remote that delivers missing objects",
    set: ({ git, folder }, program) => {
      git("config", "core.repositoryFormatVersion", "1");
      git("config", "extensions.partialClone", "origin");
      git("config", "remote.origin.url", `ext::${program}`);
      git("config", "remote.origin.promisor", "true");
      git("config", "protocol.ext.allow", "always");
      const tree = git("rev-parse", "HEAD^{tree}").trim();
      rmSync(join(folder, ".git", "objects", tree.slice(0, 2), tree.slice(2)));
    },
    plain: ["ls-tree", "HEAD"],
  },
];

describe.skipIf(process.platform === "win32")("a repository cannot have a program run", () => {
  it.each(TRAPS.map((trap) => [trap.it, trap] as const))("as %s", async (_, { set, plain }) => {
    const place = newFolder();
    const mark = join(place, "ran");
    const program = join(place, "program");
    writeFileSync(program, `#!/bin/sh\ntouch '${mark}'\nexit 1\n`);
    chmodSync(program, 0o755);
    const repository = newRepository({ "a.ts": "1\n", "b.ts": "2\n" });
    set(repository, program);

    const project = new Project(repository.folder, async () => new Map());
    for (let n = 0; n < 2; n++) {
      expect((await project.files({ endings: [".ts"], most: 10, byScore: true })).files.toSorted()).toEqual([
        "a.ts",
        "b.ts",
      ]);
      await project.info();
    }
    expect(existsSync(mark)).toBe(false);

    try {
      gitIn(repository.folder, plain);
    } catch {
      // Some of them fail after they have run.
    }
    expect(existsSync(mark), "the trap is a real one").toBe(true);
  });

  it("by the environment of the server", async () => {
    const elsewhere = newRepository({ "secret.ts": "" });
    const { folder } = newRepository({ "a.ts": "" });
    process.env["GIT_DIR"] = join(elsewhere.folder, ".git");
    process.env["GIT_WORK_TREE"] = elsewhere.folder;
    try {
      const { files } = await new Project(folder, async () => new Map()).files({
        endings: [],
        most: 10,
        byScore: true,
      });
      expect(files).toEqual(["a.ts"]);
    } finally {
      delete process.env["GIT_DIR"];
      delete process.env["GIT_WORK_TREE"];
    }
  });

  it("and is not changed by being looked at", async () => {
    const { folder, git, write } = newRepository({ "a.ts": "1", "b.ts": "2" });
    write({ "a.ts": "1" });
    const before = git("ls-files", "--debug");
    const project = new Project(folder, async () => new Map());
    await project.files({ endings: [], most: 10, byScore: true });
    await project.info();
    expect(git("ls-files", "--debug")).toBe(before);
    expect(existsSync(join(folder, ".git", "index.lock"))).toBe(false);
  });
});
