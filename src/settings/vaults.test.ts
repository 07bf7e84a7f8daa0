// The vaults of a server, by flags, variables and the config file.
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { readSettings, type Environment, type Flags } from "../settings.ts";

const home = realpathSync(temporaryFolder());
for (const name of ["Notes", "Work", "a=b", "other/Notes", "Notes/Inner", "x|y"])
  mkdirSync(join(home, name), { recursive: true });
symlinkSync(join(home, "Notes"), join(home, "Link"));

const settings = (flags: Flags = {}, environment: Environment = {}) =>
  readSettings({ home: join(home, "own"), ...flags }, environment, home);
const vaults = (flags: Flags = {}, environment: Environment = {}) =>
  settings(flags, environment).vaults.map(({ name, folder }) => `${name}=${folder.replace(`${home}/`, "")}`);
const config = (value: unknown) => {
  mkdirSync(join(home, "own"), { recursive: true });
  writeFileSync(join(home, "own", "config.json"), JSON.stringify(value));
};

const STORE = "postgres://127.0.0.1/team";

describe("the vaults of a server", () => {
  it.each<[Flags, string[]]>([
    [{ vault: ["Notes"] }, ["Notes=Notes"]],
    [{ vault: "Notes" }, ["Notes=Notes"]],
    [{ vault: ["Notes", "Work"] }, ["Notes=Notes", "Work=Work"]],
    [{ vault: ["Job=Work", "Notes"] }, ["Job=Work", "Notes=Notes"]],
    [{ vault: ["Notes", "other/Notes"] }, ["Notes=Notes", "Notes 2=other/Notes"]],
    [{ vault: ["other/Notes", "Notes=Work"] }, ["Notes 2=other/Notes", "Notes=Work"]],
    [{ vault: ["a=b"] }, ["a-b=a=b"]],
    [{ vault: ["./a=b"] }, ["a-b=a=b"]],
    [{ vault: ["Equal=a=b"] }, ["Equal=a=b"]],
    [{ vault: ["Gone=missing", "Notes"] }, ["Gone=missing", "Notes=Notes"]],
    [{ vault: [" My notes =Notes"] }, ["My notes=Notes"]],
    [{ vault: ["x|y"] }, ["x-y=x|y"]],
    [{ vault: ["..."] }, ["-=..."]],
  ])("are taken from %j", (flags, expected) => {
    expect(vaults(flags)).toEqual(expected);
  });

  it.each([
    ["team", "team"],
    ["a/b", "a%2Fb"],
    ["..", "%2E%2E"],
    [".", "%2E"],
    ["../..", "..%2F.."],
    ["..\\..", "..%5C.."],
    ["\ud800", "%EF%BF%BD"],
  ])("named after the space %j are one folder below that of spaces", (space, folder) => {
    const [vault] = settings({ vault: [`Ours=store:${space}`], store: STORE }).vaults;
    expect(vault).toMatchObject({ space, folder: join(home, "own", "data", "spaces", folder) });
  });

  it("are several spaces in a variable, also if their names would lead to a folder as one path", () => {
    const { vaults: found } = settings({}, { COMMONPLACE_VAULT: "store:a|Ours=store:../..", COMMONPLACE_STORE: STORE });
    expect(found.map(({ name, space }) => [name, space])).toEqual([
      ["a", "a"],
      ["Ours", "../.."],
    ]);
  });

  it("are taken from a variable, with a bar between them, or from the config file as a list or an object", () => {
    expect(vaults({}, { COMMONPLACE_VAULT: "Notes|Job=Work" })).toEqual(["Notes=Notes", "Job=Work"]);
    expect(vaults({}, { COMMONPLACE_VAULT: join(home, "x|y") })).toEqual(["x-y=x|y"]);
    config({ vault: ["../Notes", "Job=../Work"] });
    expect(vaults()).toEqual(["Notes=Notes", "Job=Work"]);
    config({ vault: { Mine: "../Notes", Job: "../Work" } });
    expect(vaults()).toEqual(["Mine=Notes", "Job=Work"]);
    expect(settings().vault).toBe(join(home, "Notes"));
    config({ vault: "~/Notes" });
    expect(settings().vaults).toMatchObject([{ name: "Notes", folder: join(homedir(), "Notes") }]);
    config({});
    expect(settings().vaults).toEqual([
      { name: "vault", folder: join(home, "own", "data", "vault"), isReadOnly: false, protect: [], hide: [] },
    ]);
  });

  it.each<[Flags, string]>([
    [{ vault: ["Notes", "Link"] }, `--vault: ${home}/Notes and ${home}/Link are the same folder.`],
    [{ vault: ["Notes", "Notes/"] }, "are the same folder."],
    [{ vault: ["Notes", "Notes/Inner"] }, `${home}/Notes/Inner is inside ${home}/Notes.`],
    [{ vault: ["Link/Inner", "Notes"] }, `${home}/Link/Inner is inside ${home}/Notes.`],
    [{ vault: ["A=Notes", "a=Work"] }, "--vault: two vaults are named a."],
    [{ vault: ["..=Notes"] }, "--vault: '..' cannot be the name of a vault."],
    [{ vault: ["a:b=Notes"] }, "--vault: 'a:b' cannot be the name of a vault."],
    [{ vault: [""] }, "--vault must be a non-empty string."],
    [{ vault: ["Notes"], "read-only-vault": ["Nots"] }, "there is no vault 'Nots', only Notes. Did you mean Notes?"],
    [{ vault: ["Notes"], hide: ["Wrok:x"] }, "there is no vault 'Wrok', only Notes."],
    [{ vault: ["Notes"], hide: ["C:/x"] }, "there is no vault 'C', only Notes."],
    [{ vault: ["Notes"], hide: ["a\\b"] }, "--hide: the pattern 'a\\b' has a backslash: write / between folders."],
    [{ vault: ["Notes"], hide: ["../x"] }, "has '..', which leads out of the vault."],
    [{ vault: ["Notes"], protect: ["/"] }, "--protect: the pattern '/' is empty."],
    [{ vault: ["Notes"], protect: ["Notes:"] }, "--protect: the pattern 'Notes:' is empty."],
    [{ vault: ["Notes"], hide: [join(home, "Notes")] }, "is the vault itself."],
  ])("are refused with a sentence: %j", (flags, sentence) => {
    expect(() => settings(flags)).toThrow(sentence);
  });
});

describe("what is read-only, protected or hidden", () => {
  it("belongs to the vault that it names, else to all", () => {
    const flags = {
      vault: ["Notes", "Job=Work"],
      "read-only-vault": ["job"],
      protect: ["Job:Old/", "./Archive"],
      hide: ["Private/", "notes:*.secret.md", `${home}/Work/Inner`],
    };
    expect(settings(flags).vaults).toMatchObject([
      {
        name: "Notes",
        isReadOnly: false,
        protect: ["Archive"],
        hide: ["Private/", "*.secret.md", `${home}/Work/Inner`],
      },
      { name: "Job", isReadOnly: true, protect: ["Old/", "Archive"], hide: ["Private/", "/Inner"] },
    ]);
  });

  it("adds up from flags, variables and the config file: none lifts what another restricts", () => {
    config({ hide: ["a"], protect: "b", readOnlyVault: "Notes" });
    const read = settings({ vault: ["Notes"], hide: ["c"] }, { COMMONPLACE_HIDE: "d|e", COMMONPLACE_PROTECT: "f" });
    expect(read.vaults).toMatchObject([{ isReadOnly: true, hide: ["c", "d", "e", "a"], protect: ["f", "b"] }]);
    config({});
  });
});
