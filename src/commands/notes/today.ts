// commonplace today: the note of today, and the tasks that are due by today.
import { openCommonplace } from "../../app/app.ts";
import { bold, joined, multiline, type Printable, printable, printJson, printPaged } from "../../kernel/kernel.ts";
import { usageLine } from "../../setup/setup.ts";
import type { CallResult, ResultNamed } from "../../tools/tools.ts";
import { printResult, type Command } from "../command.ts";
import { noteGuideVault } from "../guide-vault.ts";
import { taskLines } from "./tasks.ts";

export const command: Command = {
  usage: "today [--json]",
  help: "Shows the note of today and the open tasks that are due by today, in a terminal through $PAGER (less).",
  flags: { json: { help: "as JSON" } },
  run: async ({ settings, flags }) => {
    const commonplace = openCommonplace(settings);
    try {
      const call = { asker: "person" } as const;
      const note = (await commonplace.call("contentManager_readContent", { filePath: "daily:today" }, call))!;
      if (note.isError && note.structuredContent["code"] !== "not_found")
        return printResult(note, flags["json"], () => "");
      const due = (await commonplace.call("list_tasks", { dueBy: "today", limit: 1000 }, call))!;
      if (due.isError) return printResult(due, flags["json"], () => "");
      noteGuideVault({ settings, flags });
      const { tasks, unavailable = [] } = due.structuredContent;
      if (flags["json"]) printJson({ note: note.isError ? null : note.structuredContent.data, tasks });
      else {
        const errors = unavailable.map(({ error }) => printable`${error}`);
        await printPaged(() => [joined([...errors, ...noteLines(note), "", ...dueLines(tasks)])]);
      }
      return 0;
    } finally {
      await commonplace.close();
    }
  },
};

function noteLines(note: CallResult<ResultNamed<"contentManager_readContent">>): Printable[] {
  if (note.isError) return [printable`${note.structuredContent.hint ?? ""} '${usageLine("add TEXT…")}' begins it.`];
  const { data, vault } = note.structuredContent;
  const { filePath, content } = data;
  return [bold(vault === undefined ? filePath : `${vault}: ${filePath}`), multiline(content.trimEnd())];
}

function dueLines(tasks: ResultNamed<"list_tasks">["tasks"]): Printable[] {
  return tasks.length === 0 ? [printable`Nothing is due.`] : [bold("Due"), ...taskLines(tasks)];
}
