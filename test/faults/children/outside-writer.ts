// Another program that writes notes in place, always with the same size, and
// resets their times, as some sync and encryption programs do. It receives the
// number of each write, and how long to wait before it.
import fs from "node:fs";
import { createInterface } from "node:readline";

/** Each text has the same length. */
export const textOf = (author: string, number: number): string =>
  `${author.padEnd(8)} ${String(number).padStart(6, "0")}\n`;

const [, program, path] = process.argv;
// The test itself imports the texts.
if (program?.endsWith("outside-writer.mjs") && path !== undefined) {
  createInterface({ input: process.stdin }).on("line", (line) => {
    const [number = 0, microseconds = 0] = line.split(" ").map(Number);
    const end = process.hrtime.bigint() + BigInt(microseconds) * 1000n;
    while (process.hrtime.bigint() < end);
    const { atime, mtime } = fs.statSync(path);
    fs.writeFileSync(path, textOf("outside", number), { flag: "r+" });
    fs.utimesSync(path, atime, mtime);
    fs.writeSync(1, `${number}\n`);
  });
  fs.writeSync(1, "ready\n");
}
