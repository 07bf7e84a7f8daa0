// A client that sends its changes without waiting for the answers: all of them
// are made, in the order in which they were sent.
import { EventEmitter } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CONTEXT } from "../../contract/vault.ts";
import { connectStdio, ERAS, temporaryFolder } from "../../processes/program.ts";

/** No call may fail because this machine is busy. */
const PATIENCE = { timeout: 600_000 };
const TEST = { timeout: 600_000 };

// The SDK's client adds a listener for each message that waits until the program has
// read the ones before it; from the eleventh on, Node would warn of a leak.
EventEmitter.defaultMaxListeners = 0;

function newVault(files: Readonly<Record<string, string>>) {
  const vault = join(temporaryFolder(), "vault");
  mkdirSync(vault);
  for (const [path, text] of Object.entries(files)) writeFileSync(join(vault, path), text);
  return { vault, lines: (path: string) => readFileSync(join(vault, path), "utf8").trimEnd().split("\n") };
}

/** A client of a program of its own. What it sends is answered, or the test fails with the refusals. */
async function open(vault: string, home: string) {
  const args = ["--vault", vault, "--home", home, "--toolsets", "all"];
  const client = await connectStdio(temporaryFolder(), ERAS["2025-11-25 and before"], args);
  return async (calls: readonly (readonly [name: string, sent: object])[]) => {
    const results = await Promise.all(
      calls.map(([name, sent]) => client.callTool({ name, arguments: { ...sent, context: CONTEXT } }, PATIENCE)),
    );
    expect(results.filter(({ isError }) => isError).map(({ content }) => content)).toEqual([]);
  };
}

const append = (filePath: string, content: string) => ["contentManager_appendContent", { filePath, content }] as const;
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

it("makes 1,000 appends to one note that one client sends at once, in their order", TEST, async () => {
  const { vault, lines } = newVault({ "Log.md": "" });
  const send = await open(vault, temporaryFolder());
  await send(numbers(1000).map((i) => append("Log", `line ${i}`)));
  expect(lines("Log.md")).toEqual(numbers(1000).map((i) => `line ${i}`));
});

it("makes edits of every kind to two notes in their order", TEST, async () => {
  const { vault, lines } = newVault({ "A.md": "count 0\n", "B.md": "count 0\n" });
  const send = await open(vault, temporaryFolder());
  const count = 40;
  await send(
    numbers(count).flatMap((i) =>
      ["A", "B"].flatMap((filePath) => [
        append(filePath, `after ${i}`),
        ["contentManager_prependContent", { filePath, content: `before ${i}` }] as const,
        // Each fits only what the one before it left.
        [
          "contentManager_replaceContent",
          { filePath, oldContent: `count ${i}`, newContent: `count ${i + 1}` },
        ] as const,
        ["contentManager_updateProperties", { filePath, set: { turn: i, [`key${i}`]: filePath } }] as const,
      ]),
    ),
  );
  for (const path of ["A", "B"]) {
    const found = lines(`${path}.md`);
    expect(found.filter((line) => line.startsWith("after"))).toEqual(numbers(count).map((i) => `after ${i}`));
    expect(found.filter((line) => line.startsWith("before")).toReversed()).toEqual(
      numbers(count).map((i) => `before ${i}`),
    );
    expect(found).toContain(`count ${count}`);
    expect(found).toContain(`turn: ${count - 1}`);
    expect(found.filter((line) => line.startsWith("key"))).toEqual(numbers(count).map((i) => `key${i}: ${path}`));
  }
});

it("makes the edits of two programs at once, each in its own order", TEST, async () => {
  const { vault, lines } = newVault({ "Log.md": "" });
  const home = temporaryFolder();
  const names = ["one", "two"];
  const senders = await Promise.all(names.map(() => open(vault, home)));
  const count = 200;
  await Promise.all(senders.map((send, s) => send(numbers(count).map((i) => append("Log", `${names[s]} ${i}`)))));
  const found = lines("Log.md");
  expect(found).toHaveLength(names.length * count);
  for (const name of names)
    expect(found.filter((line) => line.startsWith(name))).toEqual(numbers(count).map((i) => `${name} ${i}`));
});
