// Another program that saves files in place, in each way that programs of Node have.
// It is sent one save per line, and reports each once it is done.
import fs from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

export interface Save {
  readonly way: "promises" | "callback" | "pieces" | "gap";
  readonly path: string;
  readonly text: string;
  /** Milliseconds before it. */
  readonly delay: number;
  /** Milliseconds between the truncation and the text. */
  readonly gap: number;
}

const WAYS: Record<Save["way"], (save: Save) => Promise<void>> = {
  promises: ({ path, text }) => fs.promises.writeFile(path, text),
  callback: ({ path, text }) =>
    new Promise((resolve, reject) => fs.writeFile(path, text, (error) => (error ? reject(error) : resolve()))),
  // As VS Code does: truncated, then written in pieces and synced.
  pieces: async ({ path, text }) => {
    const file = await fs.promises.open(path, "w");
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += 256 * 1024) await file.write(bytes.subarray(at, at + 256 * 1024));
    await file.datasync();
    await file.close();
  },
  gap: async ({ path, text, gap }) => {
    const file = await fs.promises.open(path, "w");
    await pause(gap);
    await file.writeFile(text);
    await file.close();
  },
};

if (process.argv[1]?.endsWith("in-place-writer.mjs")) {
  createInterface({ input: process.stdin }).on("line", async (line) => {
    const save = JSON.parse(line) as Save;
    await pause(save.delay);
    await WAYS[save.way](save);
    fs.writeSync(1, "saved\n");
  });
  fs.writeSync(1, "ready\n");
}
