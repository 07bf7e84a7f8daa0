// commonplace index: brings the indexes up to date, and shows how far they are;
// forgets conversations that their programs have deleted.
import { openCommonplace } from "../commonplace.ts";
import { counted, print, type Command } from "./command.ts";

const WIDTH = 30;

export const command: Command = {
  usage: "index [--rebuild] [--forget] [--json]",
  help: "Brings the indexes of the vault and of conversations up to date and waits for them.\nA search does the same by itself; this is for the first time, and to see what cannot be read.",
  flags: {
    rebuild: { help: "from nothing (conversations that their programs deleted stay)" },
    forget: { help: "remove the conversations that their programs have deleted, and do nothing else" },
    json: { help: "as JSON" },
  },
  run: async ({ settings, flags }) => {
    const commonplace = openCommonplace(settings);
    const rebuild = flags["rebuild"] === true;
    try {
      if (flags["forget"]) {
        const forgotten = await (await commonplace.conversations()).forget();
        print(flags["json"] ? JSON.stringify({ forgotten }) : `${counted(forgotten, "conversation")} forgotten`);
        return 0;
      }
      const notes = await shownWhile((onProgress) => commonplace.refreshIndex({ rebuild, onProgress }));
      const store = await commonplace.conversations();
      const read = await shownWhile((onProgress) => store.refresh({ rebuild, onProgress }));
      const sources = (await store.sources()).answer;
      if (flags["json"]) {
        print(JSON.stringify({ ...notes.result, conversations: { ...read.result, sources } }));
        return 0;
      }
      const unread = notes.result?.unread.map(({ path, reason }) => `\ncannot be read: ${path} (${reason})`) ?? [];
      print(`notes: ${countsOf(notes)}${unread.join("")}\nconversations: ${countsOf(read)}`);
      for (const { title, conversations, archived, unreadable } of sources)
        if (conversations + unreadable.length > 0)
          print(`  ${title}: ${conversations}${archived > 0 ? `, ${archived} archived` : ""}${reasonsOf(unreadable)}`);
      return 0;
    } finally {
      await commonplace.close();
    }
  },
};

interface Shown {
  readonly result: { readonly total: number; readonly changed: number } | undefined;
  readonly seconds: string;
}

/** Runs work that says how far it is, with a bar in a terminal. */
async function shownWhile<T>(work: (onProgress: (done: number, total: number) => void) => Promise<T>) {
  const started = performance.now();
  const isShown = process.stderr.isTTY;
  const result = await work(isShown ? progressBar(started) : () => {});
  if (isShown) process.stderr.write("\r\u001B[K");
  return { result, seconds: ((performance.now() - started) / 1000).toFixed(1) };
}

function countsOf({ result, seconds }: Shown): string {
  if (result === undefined) return "another process has brought them up to date";
  const gone = "removed" in result ? result.removed : "gone" in result ? result.gone : 0;
  return `${counted(result.total, "file")}, ${result.changed} changed, ${String(gone)} gone, in ${seconds} s`;
}

function reasonsOf(notices: readonly { readonly count: number; readonly reason: string }[]): string {
  return notices.map(({ count, reason }) => `\n    cannot be read: ${count} (${reason})`).join("");
}

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
