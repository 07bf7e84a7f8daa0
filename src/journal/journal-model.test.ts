// Random operations, undone and redone in between, against a model that is a
// plain map from path to text.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { everythingIn, temporaryVault } from "../../test/fixtures/temporary-vault.ts";
import { parseVaultPath } from "../files/vault/vault-path.ts";
import type { Step } from "./plan/step.ts";

type Model = ReadonlyMap<string, string>;

type Drawn =
  | { readonly kind: "create" | "replace"; readonly path: string; readonly text: string }
  | { readonly kind: "remove"; readonly path: string }
  | { readonly kind: "rename"; readonly path: string; readonly to: string };

const name = fc.constantFrom("a.md", "b.md", "one/a.md", "one/b.md", "two/deep/a.md", "é.md");
const text = fc.constantFrom("", "x", "xy", "yx", "longer text\r\n", "é");
const step: fc.Arbitrary<Drawn> = fc.oneof(
  fc.record({ kind: fc.constant("create" as const), path: name, text }),
  fc.record({ kind: fc.constant("replace" as const), path: name, text }),
  fc.record({ kind: fc.constant("remove" as const), path: name }),
  fc.record({ kind: fc.constant("rename" as const), path: name, to: name }),
);
const operation = fc.uniqueArray(step, { minLength: 1, maxLength: 4, selector: ({ kind, path }) => kind + path });
const command = fc.oneof(
  { weight: 5, arbitrary: operation },
  { weight: 2, arbitrary: fc.constant("undo" as const) },
  { weight: 2, arbitrary: fc.constant("redo" as const) },
);

const ORDER = ["replace", "remove", "rename", "create"];

/** The model after an operation; undefined if the operation must be refused. */
function expected(before: Model, drawn: readonly Drawn[]): Model | undefined {
  const model = new Map(before);
  for (const one of ORDER.flatMap((kind) => drawn.filter((each) => each.kind === kind))) {
    const there = model.get(one.path);
    if ((there === undefined) !== (one.kind === "create")) return undefined;
    if (one.kind === "rename" && one.to !== one.path && model.has(one.to)) return undefined;
    if (one.kind === "create" || one.kind === "replace") model.set(one.path, one.text);
    else model.delete(one.path);
    if (one.kind === "rename") model.set(one.to, there!);
  }
  return model;
}

function isNothing(one: Drawn, model: Model): boolean {
  return one.kind === "replace" ? model.get(one.path) === one.text : one.kind === "rename" && one.path === one.to;
}

test("random operations, undone and redone, leave exactly what the model says", async () => {
  const vault = temporaryVault();
  const stepOf = (one: Drawn): Step => {
    const path = parseVaultPath(one.path);
    switch (one.kind) {
      case "create":
        return { kind: "create", path, bytes: Buffer.from(one.text) };
      case "replace":
        return { kind: "replace", path, before: vault.root.read(path)?.hash ?? "", bytes: Buffer.from(one.text) };
      case "rename":
        return { kind: "rename", path, to: parseVaultPath(one.to) };
      case "remove":
        return { kind: "remove", path };
    }
  };
  const property = fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 15 }), async (commands) => {
    for (const entry of readdirSync(vault.folder)) rmSync(join(vault.folder, entry), { recursive: true });
    const journal = vault.another();
    await journal.purge();
    let model: Model = new Map();
    let past: { before: object; after: object; model: Model }[] = [];
    let future: typeof past = [];
    for (const drawn of commands) {
      const before = everythingIn(vault.folder);
      if (drawn === "undo" || drawn === "redo") {
        const entry = drawn === "undo" ? past.at(-1) : future.at(-1);
        if (entry === undefined) continue;
        await journal[drawn]();
        if (drawn === "undo") [past, future] = [past.slice(0, -1), [...future, entry]];
        else [past, future] = [[...past, entry], future.slice(0, -1)];
        expect(everythingIn(vault.folder)).toEqual(drawn === "undo" ? entry.before : entry.after);
        model = filesOf(everythingIn(vault.folder));
        continue;
      }
      const after = expected(model, drawn);
      const running = journal.change({ tool: "test" }, () => ({ message: "Random", steps: drawn.map(stepOf) }));
      if (after === undefined) {
        await expect(running).rejects.toMatchObject({ name: "Problem" });
        expect(everythingIn(vault.folder)).toEqual(before);
        continue;
      }
      const written = await running;
      expect(written === undefined).toBe(drawn.every((one) => isNothing(one, model)));
      model = after;
      expect(filesOf(everythingIn(vault.folder))).toEqual(model);
      if (written === undefined) continue;
      past = [...past, { before, after: everythingIn(vault.folder), model }];
      future = [];
    }
    await journal.close();
  });
  await fc.assert(property, { numRuns: 150 });
});

function filesOf(everything: Record<string, string>): Model {
  const files = Object.entries(everything).filter(([path]) => !path.endsWith("/"));
  return new Map(files.map(([path, text]) => [path, Buffer.from(text, "latin1").toString()]));
}
