// commonplace forget: takes conversations out of everything that is ours, for good.
import { openCommonplace, type Forgetting } from "../../app/app.ts";
import type { ToForget } from "../../conversations/conversations.ts";
import { counted, joined, print, printable, type Printable, printJson, Problem } from "../../kernel/kernel.ts";
import { usageLine } from "../../setup/setup.ts";
import { startOf } from "../../tools/tools.ts";
import { localTime, type Command } from "../command.ts";
import { isConfirmed } from "../confirmation.ts";

export const command: Command = {
  usage: "forget ID | --project NAME | --before DATE [--yes] [--json]",
  help: `Takes past conversations out of everything of Commonplace: the store and its index, the
texts of tools, the traces of their calls in memory, and the shared store if you pushed
them. It shows first what it will take, and what it cannot: exports, backups, and the
files of the programs themselves, which stay as they are. The next index does not bring
them back.`,
  flags: {
    project: { value: "NAME", help: "all of this project, by its name or folder" },
    before: { value: "DATE", help: "all that were last updated before: 2026-01-31, 2026-01, 90d" },
    yes: { help: "do not ask" },
    json: { help: "as JSON" },
  },
  takesArguments: true,
  run: async (invocation) => {
    const { settings, flags } = invocation;
    const what = chosenBy(invocation);
    const commonplace = openCommonplace(settings);
    try {
      const plan = await commonplace.forgetting(what);
      const outcome = outcomeOf(plan);
      if (!flags["json"]) print(shown(plan));
      if (plan.conversations.length === 0) {
        if (flags["json"]) printJson({ ...outcome, result: "unchanged" });
        return 0;
      }
      const question = `Forget ${counted(plan.conversations.length, "conversation")}? This cannot be undone.`;
      if (!(await isConfirmed(invocation, question, "forgets them"))) {
        if (flags["json"]) printJson({ ...outcome, result: "pending" });
        else print("Nothing was forgotten.");
        return 1;
      }
      await plan.carryOut();
      if (flags["json"]) printJson({ ...outcome, result: "forgotten" });
      else print(`${counted(plan.conversations.length, "conversation")} forgotten.`);
      return 0;
    } finally {
      await commonplace.close();
    }
  },
};

function chosenBy({ words, flags }: Pick<Parameters<Command["run"]>[0], "words" | "flags">): ToForget {
  const [id, ...more] = words;
  const { project, before } = flags;
  const sent = [id, project, before].filter((one) => one !== undefined);
  if (sent.length !== 1 || more.length > 0 || String(sent[0]).trim() === "")
    throw new Problem("invalid", `Name one conversation, a project or a date: ${usageLine(command.usage)}`);
  if (id !== undefined) return { id };
  if (project !== undefined) return { project: String(project) };
  const time = startOf("--before", String(before));
  if (time === undefined) throw new Problem("invalid", "--before must be a date, such as 2026-01-31");
  if (time > Date.now())
    throw new Problem(
      "invalid",
      `--before ${String(before)} is in the future: that is every conversation.`,
      "Name a day that has passed.",
    );
  return { before: time };
}

function outcomeOf({ conversations, traces, pushed, left }: Forgetting) {
  const named = conversations.map(({ id, source, title, messages }) => ({ id, source_tool: source, title, messages }));
  return { conversations: named, traces, pushed, left };
}

/** Lines of each kind that are printed: the rest is counted, and in the JSON. */
const MAX_LINES = 30;

function shown({ conversations, needed, traces, pushed, left }: Forgetting): Printable {
  if (conversations.length === 0)
    return joined(
      needed.length === 0
        ? ["No conversation matches."]
        : ["This stays:", ...firstOf(needed.map((line) => printable`  ${line}`))],
    );
  const also = [
    ...(traces > 0 ? [`${counted(traces, "trace")} of their calls in memory`] : []),
    ...pushed.map(
      ({ space, conversations: count }) => `${counted(count, "conversation")} in the shared space ${space}`,
    ),
  ];
  return joined([
    "This is taken:",
    ...firstOf(
      conversations.map(
        ({ updated, title, source, id, messages }) =>
          printable`  ${localTime(updated)}  ${title || "Untitled conversation"}  ${source}/${id}  ${counted(messages, "message")}`,
      ),
    ),
    ...also.map((line) => printable`  ${line}`),
    "This stays:",
    ...firstOf(left.map((line) => printable`  ${line}`)),
  ]);
}

function firstOf(lines: readonly Printable[]): readonly Printable[] {
  const more = lines.length - MAX_LINES;
  return more > 0 ? [...lines.slice(0, MAX_LINES), printable`  and ${more} more`] : lines;
}
