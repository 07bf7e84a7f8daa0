// commonplace tasks: lists the tasks of notes and outlines. today shows its lines.
import { openCommonplace } from "../../app/app.ts";
import { bold, counted, joined, printable, type Printable } from "../../kernel/kernel.ts";
import { TASK_GROUPS, taskInWords, type ResultNamed } from "../../tools/tools.ts";
import { choiceOf, countOf, printResult, textOf, type Command } from "../command.ts";
import { noteGuideVault } from "../guide-vault.ts";

export const command: Command = {
  usage:
    "tasks [WORDS…] [--due DATE] [--overdue] [--status STATUS] [--path PATH] [--tag TAG] [--group BY] [-n N] [--json]",
  help: "Lists the open tasks of all vaults and outlines, by due date, then priority, then place. WORDS are in their text.",
  flags: {
    due: { value: "DATE", help: "due on this day or before: 2026-11-20, tomorrow, 7 days" },
    overdue: { help: "due before today" },
    status: { value: "STATUS", help: "open, done, all, or a status of the vault (open)" },
    path: { value: "PATH", help: "of this note, outline or folder" },
    tag: { value: "TAG", help: "with this tag" },
    group: { value: "BY", choices: TASK_GROUPS, help: `grouped by ${TASK_GROUPS.join(", ")}` },
    limit: { value: "N", short: "n", help: "number of tasks (50)" },
    json: { help: "as JSON" },
  },
  takesArguments: true,
  run: async (invocation) => {
    const { settings, words, flags } = invocation;
    const sent = {
      text: words.length === 0 ? undefined : words.join(" "),
      dueBy: textOf(invocation, "due"),
      overdue: flags["overdue"] === true ? true : undefined,
      status: textOf(invocation, "status"),
      path: textOf(invocation, "path"),
      tag: textOf(invocation, "tag"),
      group: choiceOf(invocation, "group", TASK_GROUPS),
      limit: countOf(invocation, "limit", 1000),
    };
    const commonplace = openCommonplace(settings);
    try {
      const result = (await commonplace.call("list_tasks", sent, { asker: "person" }))!;
      noteGuideVault({ settings, flags });
      return printResult(result, flags["json"], shown);
    } finally {
      await commonplace.close();
    }
  },
};

function shown(answer: ResultNamed<"list_tasks">): Printable {
  const { tasks, totalTasks, unread = [], unavailable = [] } = answer;
  const more = totalTasks > tasks.length ? "; -n N shows more" : "";
  const count = totalTasks === 0 ? "No tasks found." : `${tasks.length} of ${counted(totalTasks, "task")}${more}`;
  return joined([
    ...unavailable.map(({ error }) => printable`${error}`),
    ...unread.map((file) => printable`cannot be read: ${file}`),
    ...taskLines(tasks),
    count,
  ]);
}

/** One line for each, below the name of its group. */
export function taskLines(tasks: ResultNamed<"list_tasks">["tasks"]): Printable[] {
  return tasks.flatMap((task, i) => {
    const { words, place } = taskInWords(task);
    const isFirst = task.group !== undefined && task.group !== tasks[i - 1]?.group;
    return [...(isFirst ? [bold(task.group!)] : []), printable`${words}  ${place}`];
  });
}
