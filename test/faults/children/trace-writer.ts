// A process that leaves traces in a shared memory, and reports each, until it is
// done or killed.
import { moveLog } from "../../../src/memory/log/log-transfer.ts";
import { deviceName } from "../../../src/memory/log/device.ts";
import { openEventFolder } from "../../../src/memory/log/event-store.ts";
import { openMemory } from "../../../src/memory/memory.ts";
import { memoryPlaces } from "../../../src/memory/log/log-places.ts";

export interface Orders {
  readonly home: string;
  readonly vaultFolder: string;
  readonly name: string;
  readonly count: number;
  readonly memory?: "vault" | "home";
  /** Moves the log to its own place again and again. */
  readonly carries?: boolean;
}

const orders = JSON.parse(process.argv[2] ?? "{}") as Orders;
const { home, vaultFolder, name, count, memory: choice = "vault", carries = false } = orders;
const dataFolder = `${home}/data`;
const places = memoryPlaces({ memory: choice, vaultFolder, dataFolder });
const device = () => deviceName(dataFolder);
const memory = openMemory({
  vault: {
    folder: vaultFolder,
    check: () => {},
    hashOf: async (path) => ({ path, hash: undefined }),
    makeFolder: async (_author, path) => ({ path }),
  },
  events: openEventFolder({ places, vaultFolder, device, check: () => {} }),
  cache: `${home}/cache`,
  isReadOnly: false,
  redact: (text) => text,
  log: () => {},
});
process.stdout.write("ready\n");
for (let i = 0; i < count; i++) {
  if (carries) await moveLog({ from: places.other, to: places.log, device });
  const call = { session: name, workspace: "default", description: name, goal: "g", subgoal: "", tool: "t" };
  const problem = await memory.leaveTrace({ ...call, why: `${name} ${i} ${"long enough to fill a page ".repeat(6)}` });
  if (problem !== undefined) throw new Error(problem);
  if (i % 10 === 0 && !carries) await memory.say("session", name, { name: `${name} at ${i}` });
  process.stdout.write(`${i}\n`);
  // The pipe is read while this goes on.
  if (i % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
}
await memory.close();
