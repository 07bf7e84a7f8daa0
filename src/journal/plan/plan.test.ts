// The memory that a plan keeps until it is applied.
import { describe, expect, test } from "vitest";
import { temporaryVault, type TemporaryVault } from "../../../test/fixtures/temporary-vault.ts";
import { contentHash } from "../../files/disk/atomic.ts";
import { NO_RULES } from "../../files/vault/access-rules.ts";
import { parseVaultPath } from "../../files/vault/vault-path.ts";
import type { Action } from "./action.ts";
import { ProjectedVault } from "./projected-vault.ts";
import { planSteps } from "./plan.ts";
import type { Step } from "./step.ts";

const text = (i: number) => `note ${i}\n${"words ".repeat(1000)}`;
const replace = (i: number, before: string, after: string): Step => ({
  kind: "replace",
  path: parseVaultPath(`${i}.md`),
  before: contentHash(Buffer.from(before)),
  bytes: Buffer.from(after),
});

describe("an operation with more content than may be kept in memory", () => {
  function notes(count: number): TemporaryVault {
    const vault = temporaryVault();
    for (let i = 0; i < count; i++) vault.write(`${i}.md`, text(i));
    return vault;
  }

  test("makes the rest of it again from the files, also if a note is changed twice", async () => {
    const { files: root } = notes(4);
    const steps = [0, 1, 2, 3].flatMap((i) => [
      replace(i, text(i), `first ${text(i)}`),
      replace(i, `first ${text(i)}`, `second ${text(i)}`),
    ]);
    const planned = await planSteps({ root, access: NO_RULES }, steps, new ProjectedVault(root, 10_000));
    const contents = await Promise.all(planned.map(({ bytes }) => bytes!()));
    expect(contents.map((bytes) => Buffer.from(bytes).toString())).toEqual(
      [0, 1, 2, 3].flatMap((i) => [`first ${text(i)}`, `second ${text(i)}`]),
    );
    // Made again at each access: only the first of the notes is kept in memory.
    const made = await Promise.all(planned.map(async ({ bytes }) => (await bytes!()) === (await bytes!())));
    expect(made.filter(Boolean).length).toBeLessThanOrEqual(2);
  });

  test("is refused if a file changes between the plan and the writing", async () => {
    const { files: root, write } = notes(3);
    const steps = [0, 1, 2].map((i) => replace(i, text(i), `new ${text(i)}`));
    const planned = await planSteps({ root, access: NO_RULES }, steps, new ProjectedVault(root, 1));
    write("2.md", "changed by another program");
    await expect(planned[2]!.bytes!()).rejects.toThrow("2.md has changed since it was read");
  });
});

describe("the kind of what will be at a path", () => {
  const path = parseVaultPath;
  const make: Action = { kind: "make", path: path("F"), implied: true };
  const unmake: Action = { kind: "unmake", path: path("F"), implied: true };
  const away: Action = { kind: "move", path: path("F"), to: path("G"), fingerprint: "folder" };
  const back: Action = { kind: "move", path: path("G"), to: path("F"), fingerprint: "folder" };

  test.each<[name: string, actions: readonly Action[], inF: string, inG: string]>([
    ["an untouched folder", [], "folder", "absent"],
    ["a folder that is removed", [unmake], "absent", "absent"],
    ["a folder that is made and removed", [make, unmake], "absent", "absent"],
    ["a folder that is removed and made", [unmake, make], "folder", "absent"],
    ["a folder that is moved", [away], "absent", "folder"],
    ["a folder that is moved and made again", [away, make], "folder", "folder"],
    ["a folder that is moved there and back", [away, back], "folder", "absent"],
  ])("is that of %s", async (_, actions, inF, inG) => {
    const { files: root, write } = temporaryVault();
    write("F/0.md", "");
    const projected = new ProjectedVault(root);
    for (const action of actions) projected.rearrange(action as Parameters<ProjectedVault["rearrange"]>[0]);
    for (const kind of ["kind", "entryKind"] as const) {
      expect([await projected[kind](path("F")), await projected[kind](path("G"))]).toEqual([inF, inG]);
      expect(await projected[kind](path("G/0.md"))).toBe(inG === "folder" ? "file" : "absent");
    }
  });
});

describe("edits whose result the caller has made", () => {
  test("are planned as those whose result is made here, with the caller's bytes", async () => {
    const { files: root, write } = temporaryVault();
    write("0.md", "one two three");
    const edits = [
      { offset: 0, length: 3, bytes: Buffer.from("1") },
      { offset: 8, length: 0, bytes: Buffer.from("and ") },
    ];
    const bytes = Buffer.from("1 two and three");
    const step = { kind: "replace", path: parseVaultPath("0.md"), before: contentHash(Buffer.from("one two three")) };
    const plan = async (more: object) =>
      (
        await planSteps({ root, access: NO_RULES }, [{ ...step, edits, ...more } as Step], new ProjectedVault(root))
      )[0]!;
    const [own, given] = [await plan({}), await plan({ made: { bytes, hash: contentHash(bytes) } })];
    expect({ ...given.action, temporary: "" }).toEqual({ ...own.action, temporary: "" });
    expect(Buffer.from(await own.bytes!())).toEqual(bytes);
    expect(given.bytes!()).toBe(bytes);
  });
});
