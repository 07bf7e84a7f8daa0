// Makes the next one of a recurring task whose box an edit of the note's text
// ticks, as update_task does. Used by the tools that edit text.
import { Problem } from "../kernel/kernel.ts";
import { type NoteText, taskBoxes } from "../markdown/markdown.ts";
import type { editNote, Vault } from "../vault/vault.ts";
import { changedTask } from "./changes.ts";
import { lineOf } from "./found-tasks.ts";
import { todayOf } from "./list.ts";
import { valueOf } from "./lines/task-line.ts";
import { placeTasks } from "./note-lines.ts";
import type { Day } from "./recurrence/dates.ts";
import { type TaskSettings, taskSettings } from "./settings/task-settings.ts";

type Change<Facts extends object> = Parameters<typeof editNote<Facts>>[2]["change"];

interface WithNext {
  /** The lines of the next tasks that the edit made. */
  readonly nextTasks?: readonly string[];
}

/** The change, which also makes the next one of each recurring task that it ticks. */
export async function tickingTasks<Facts extends object>(
  vault: Vault,
  change: Change<Facts>,
): Promise<Change<Facts & WithNext>> {
  const settings = await taskSettings(vault);
  const today = todayOf(vault);
  const ticking = ({ inSection, ...one }: Change<Facts>): Change<Facts & WithNext> => ({
    ...one,
    apply: (note) => {
      const { text: edited, facts } = one.apply(note);
      const { text, next } = withNextTasks(note, edited, settings, today);
      return { text, facts: { ...facts, ...(next.length > 0 && { nextTasks: next }) } };
    },
    ...(inSection && { inSection: (heading: string) => ticking(inSection(heading)) }),
  });
  return ticking(change);
}

/** Tasks are compared by their order: an edit that adds or removes a box has made the next one itself, or means more than a tick. */
function withNextTasks(before: NoteText, edited: string, settings: TaskSettings, today: Day) {
  const next: string[] = [];
  if (before.text === edited || !edited.includes("- [")) return { text: edited, next };
  const old = taskBoxes(before.text);
  const now = taskBoxes(edited);
  let text = edited;
  if (old.length !== now.length) return { text, next };
  for (let i = now.length - 1; i >= 0; i--) {
    const { task, box } = now[i]!;
    const status = settings.statuses.of(old[i]!.task.status);
    const symbol = task.status;
    const line = lineOf(task);
    const rule = valueOf(line, "recurrence");
    const isSame = rule !== undefined && rule === valueOf(lineOf(old[i]!.task), "recurrence");
    if (!isSame || symbol === status.symbol || !task.text.includes(settings.globalFilter)) continue;
    try {
      const changed = changedTask({ status, line }, { status: symbol, done: valueOf(line, "done") }, settings, today);
      if (changed.next === undefined) continue;
      const ticked = changed.task ?? { status: settings.statuses.of(symbol), line };
      const placed = placeTasks({ ...before, text }, box, { ...changed, task: ticked }, settings.nextIsBelow);
      text = placed.text;
      const end = text.indexOf("\n", placed.next);
      next.unshift(text.slice(placed.next, end === -1 ? undefined : end).trim());
    } catch (error) {
      // Its rule or its dates cannot be read: the edit is made as it was sent.
      if (!(error instanceof Problem)) throw error;
    }
  }
  return { text, next };
}
