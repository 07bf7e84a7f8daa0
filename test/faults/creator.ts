// A process that creates files at the same time as others, without a lock, and
// tells which of them it was told to have made.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { discard, publish, temporaryName } from "../../src/files/atomic.ts";
import { Problem } from "../../src/text/problem.ts";

interface Orders {
  readonly folder: string;
  readonly name: string;
  readonly count: number;
  /** When to begin, in milliseconds since 1970. */
  readonly at: number;
}

const { folder, name, count, at } = JSON.parse(process.argv[2] ?? "{}") as Orders;
const made: number[] = [];
// No timer is so exact that two processes would meet.
while (Date.now() < at);
for (let index = 0; index < count; index++) {
  const temporary = join(folder, temporaryName());
  writeFileSync(temporary, name);
  try {
    await publish(temporary, join(folder, `${index}.md`));
    made.push(index);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "conflict") throw error;
    discard(temporary);
  }
}
process.stdout.write(JSON.stringify(made));
