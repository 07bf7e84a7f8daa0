// A process that leaves traces in a memory that others share, and tells each
// one that it has left, until it is done or killed.
import { openMemory } from "../../src/memory/memory.ts";

export interface Orders {
  readonly home: string;
  readonly vaultFolder: string;
  readonly name: string;
  readonly count: number;
}

const { home, vaultFolder, name, count } = JSON.parse(process.argv[2] ?? "{}") as Orders;
const memory = openMemory({
  vault: {
    folder: vaultFolder,
    check: () => {},
    hashOf: (path) => ({ path, hash: undefined }),
    makeFolder: async (_author, path) => ({ path }),
  },
  folder: `${vaultFolder}/.commonplace/memory`,
  dataFolder: `${home}/data`,
  cache: `${home}/cache`,
  isReadOnly: false,
  redact: (text) => text,
  log: () => {},
});
process.stdout.write("ready\n");
for (let i = 0; i < count; i++) {
  const call = { session: name, workspace: "default", description: name, goal: "g", subgoal: "", tool: "t" };
  const problem = memory.leaveTrace({ ...call, why: `${name} ${i} ${"long enough to fill a page ".repeat(6)}` });
  if (problem !== undefined) throw new Error(problem);
  if (i % 10 === 0) await memory.say("session", name, { name: `${name} at ${i}` });
  process.stdout.write(`${i}\n`);
  // The pipe is read while this goes on.
  if (i % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
}
await memory.close();
