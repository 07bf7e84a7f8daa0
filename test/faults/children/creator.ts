// A process that creates files concurrently with others, without a lock, and
// reports which of them succeeded.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blockingPause } from "../../../src/kernel/blocking-pause.ts";
import { discard, publish, temporaryName } from "../../../src/files/disk/atomic.ts";
import { Problem } from "../../../src/kernel/problem.ts";

interface Orders {
  readonly folder: string;
  readonly name: string;
  /** Which of how many processes this one is. */
  readonly position: number;
  readonly processes: number;
  readonly count: number;
  /** A file that appears when all are ready. */
  readonly signal: string;
}

const { folder, name, position, processes, count, signal } = JSON.parse(process.argv[2] ?? "{}") as Orders;
const made: number[] = [];
process.stdout.write("ready\n");
// No timer is so exact that two processes would meet.
while (!existsSync(signal));
for (let index = 0; index < count; index++) {
  // However busy the machine is, each of them is ahead of the others now and then.
  if (index % 20 === 0 && (index / 20) % processes !== position)
    while (!existsSync(join(folder, `${index}.md`))) blockingPause(1);
  const temporary = join(folder, temporaryName());
  writeFileSync(temporary, name);
  try {
    await publish(temporary, join(folder, `${index}.md`));
    made.push(index);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "exists") throw error;
    discard(temporary);
  }
}
process.stdout.write(JSON.stringify(made));
