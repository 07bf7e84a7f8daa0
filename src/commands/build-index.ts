// commonplace index: brings the index up to date, and shows how far it is.
import { openCommonplace } from "../commonplace.ts";
import { print, type Command } from "./command.ts";

const WIDTH = 30;

export const command: Command = {
  usage: "index [--rebuild] [--json]",
  help: "Brings the vault's index up to date and waits for it. A search does the same by\nitself; this is for the first time, and to see what cannot be read.",
  flags: { rebuild: { help: "from nothing" }, json: { help: "as JSON" } },
  run: async ({ settings, flags }) => {
    const commonplace = openCommonplace(settings);
    const started = performance.now();
    const onProgress = process.stderr.isTTY ? progressBar(started) : () => {};
    try {
      const swept = await commonplace.refreshIndex({ rebuild: flags["rebuild"] === true, onProgress });
      if (process.stderr.isTTY) process.stderr.write("\r\u001B[K");
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      if (flags["json"]) print(JSON.stringify(swept ?? {}));
      else if (swept === undefined) print("Another process has brought it up to date.");
      else {
        const unread = swept.unread.map(({ path, reason }) => `\ncannot be read: ${path} (${reason})`).join("");
        print(`${swept.total} files, ${swept.changed} changed, ${swept.removed} gone, in ${seconds} s${unread}`);
      }
      return 0;
    } finally {
      await commonplace.close();
    }
  },
};

/** A bar with the rate and the time that is left. */
function progressBar(started: number): (done: number, total: number) => void {
  return (done, total) => {
    if (total === 0) return;
    const seconds = Math.max(0.001, (performance.now() - started) / 1000);
    const rate = done / seconds;
    const left = rate === 0 ? "?" : Math.ceil((total - done) / rate);
    const filled = Math.round((done / total) * WIDTH);
    process.stderr.write(
      `\r\u001B[K${"█".repeat(filled)}${"░".repeat(WIDTH - filled)} ${done} of ${total}, ${Math.round(rate)}/s, ${left} s left`,
    );
  };
}
