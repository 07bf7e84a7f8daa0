// commonplace index: brings the indexes up to date and shows the progress;
// deletes conversations that their programs have deleted.
import { openCommonplace, type Commonplace } from "../app/app.ts";
import { counted, joined, print, printable, type Printable, printJson, Problem } from "../kernel/kernel.ts";
import { isConfirmed } from "./confirmation.ts";
import type { Command, Invocation } from "./command.ts";
import { withProgress } from "./progress.ts";
import type { Swept } from "../vault/vault.ts";

export const command: Command = {
  usage: "index [--rebuild] [--forget | --accept | --install | --remove [--yes]] [--json]",
  help: "Brings the indexes of the vault and of conversations up to date and waits for them.\nA search does this by itself; the command is for the first time, and shows what cannot be read.",
  flags: {
    rebuild: { help: "rebuild from scratch (keeps conversations that their programs deleted)" },
    forget: { help: "only delete the conversations that their programs have deleted" },
    accept: { help: "only say that notes, or an outline, that were there are gone on purpose: no drive is missing" },
    install: { help: "have the system do this every six hours, so that nothing is lost; shown first" },
    remove: { help: "take out what --install wrote" },
    yes: { help: "with --forget, --accept, --install and --remove: do not ask" },
    json: { help: "as JSON" },
  },
  run: async (invocation) => {
    const { settings, flags } = invocation;
    const rebuild = flags["rebuild"] === true;
    const asks = ["forget", "accept", "install", "remove"].filter((name) => flags[name]);
    if (asks.length > 1) throw new Problem("invalid", `--${asks.join(" and --")} do not go together.`);
    if (flags["yes"] && asks.length === 0)
      throw new Problem("invalid", "--yes requires --forget, --accept, --install or --remove.");
    if (flags["install"]) return (await import("./schedule.ts")).install(invocation);
    if (flags["remove"]) return (await import("./schedule.ts")).remove(invocation);
    const commonplace = openCommonplace(settings);
    try {
      if (flags["accept"]) return await accept(commonplace, invocation);
      if (flags["forget"]) return await forget(commonplace, invocation);
      const vaults = await indexVaults(commonplace, rebuild);
      const store = await commonplace.conversations();
      const read = await withProgress("conversations", (onProgress) => store.refresh({ rebuild, onProgress }));
      const sources = (await store.sources({ withTools: true })).answer;
      if (flags["json"]) {
        const [first] = vaults;
        const notes =
          vaults.length === 1 && first?.problem === undefined
            ? first?.result
            : {
                vaults: vaults.map(({ name, result, problem }) => ({
                  vault: name,
                  ...result,
                  ...(problem && { error: problem.message, hint: problem.hint }),
                })),
              };
        printJson({ ...notes, conversations: { ...read.result, sources } });
        return vaults.some(({ problem }) => problem !== undefined) ? 1 : 0;
      }
      for (const { name, problem, ...notes } of vaults) {
        const unread =
          notes.result?.unread.map(({ path, reason }) => printable`\ncannot be read: ${path} (${reason})`) ?? [];
        const label = vaults.length === 1 ? "notes" : `notes of ${name}`;
        const said = problem === undefined ? countsOf(notes) : [problem.message, problem.hint ?? []].flat().join(" ");
        print(printable`${label}: ${said}${joined(unread, "")}`);
      }
      print(printable`conversations: ${countsOf(read)}`);
      for (const { title, conversations, archived, unreadable } of sources)
        if (conversations + unreadable.length > 0)
          print(
            printable`  ${title}: ${conversations}${archived > 0 ? `, ${archived} archived` : ""}${reasonsOf(unreadable)}`,
          );
      return vaults.some(({ problem }) => problem !== undefined) ? 1 : 0;
    } finally {
      await commonplace.close();
    }
  },
};

/** One after the other. One that is missing, or that one may only read, does not keep the rest from being indexed. */
async function indexVaults(commonplace: Commonplace, rebuild: boolean) {
  const { vaults } = commonplace.settings;
  const indexed: (Shown & { readonly name: string; readonly problem?: Problem; readonly result: Swept | undefined })[] =
    [];
  for (const { name, space } of vaults) {
    const label = vaults.length === 1 ? "notes" : `notes of ${name}`;
    try {
      const shown = await withProgress(label, (onProgress) => commonplace.refreshIndex({ rebuild, onProgress }, name));
      indexed.push({ name, ...shown });
    } catch (error) {
      const isAlone = vaults.length === 1 && space === undefined;
      if (isAlone || !(error instanceof Problem)) throw error;
      indexed.push({ name, problem: error, result: undefined, seconds: "0" });
    }
  }
  return indexed;
}

/** From then on these places are read and written as they are. */
async function accept(commonplace: Commonplace, invocation: Invocation): Promise<number> {
  const isJson = invocation.flags["json"];
  const places = await commonplace.missingPlaces();
  const paths = places.map(({ path }) => path);
  if (places.length === 0) {
    if (isJson) printJson({ accepted: [] });
    else print("Nothing is missing.");
    return 0;
  }
  const question = `Is it right that what was in ${paths.join(" and ")} is gone?`;
  if (!(await isConfirmed(invocation, question, "says that it is right"))) {
    if (isJson) printJson({ accepted: [], message: "Nothing was accepted. --yes does." });
    else print("Nothing was accepted.");
    return 1;
  }
  for (const { accept } of places) await accept();
  if (isJson) printJson({ accepted: paths });
  else for (const path of paths) print(printable`${path} is used as it is.`);
  return 0;
}

/** Deletes the only copy of these conversations. */
async function forget(commonplace: Commonplace, invocation: Invocation): Promise<number> {
  const isJson = invocation.flags["json"];
  if (!(await isConfirmed(invocation, "Forget the conversations that their programs have deleted?", "forgets them"))) {
    const message = "Nothing was forgotten.";
    if (isJson) printJson({ forgotten: 0, message: `${message} --yes forgets them.` });
    else print(message);
    return 1;
  }
  const forgotten = await (await commonplace.conversations()).forgetArchived();
  if (isJson) printJson({ forgotten });
  else print(`${counted(forgotten, "conversation")} forgotten`);
  return 0;
}

interface Shown {
  readonly result: { readonly total: number; readonly changed: number } | undefined;
  readonly seconds: string;
}

function countsOf({ result, seconds }: Shown): string {
  if (result === undefined) return "another process has brought them up to date";
  const gone = "removed" in result ? result.removed : "gone" in result ? result.gone : 0;
  return `${counted(result.total, "file")}, ${result.changed} changed, ${String(gone)} gone, in ${seconds} s`;
}

function reasonsOf(notices: readonly { readonly count: number; readonly reason: string }[]): Printable {
  return joined(
    notices.map(({ count, reason }) => printable`\n    cannot be read: ${count} (${reason})`),
    "",
  );
}
