// Tasks of notes and outlines that are due by today: ticked here, and each leads to
// its place.
import { ProblemNote, TaskBox, useTicking } from "../../components/components.ts";
import { dateOf, nameOf, withoutMarkup } from "../../format/format.ts";
import { addressOf, CURRENT_OUTLINE, noteAddress } from "../../navigation/navigation.ts";
import { useServer, useToolCall } from "../../server/server.ts";
import type { ResultNamed } from "../../../src/tools/tools.ts";

type Task = ResultNamed<"list_tasks">["tasks"][number];

const MAX_TASKS = 12;

export function DueTasks() {
  const { client } = useServer();
  const { tick, problem } = useTicking();
  const input = client.has("list_tasks") ? { dueBy: dateOf(Date.now()), limit: MAX_TASKS } : undefined;
  const { result } = useToolCall("list_tasks", input, { keepsPrevious: true });
  if (result === undefined) return null;
  const tasks = [...result.tasks];
  return (
    <section aria-labelledby="due-title">
      <h2 id="due-title">Due</h2>
      {problem && <ProblemNote problem={problem} />}
      {tasks.length === 0 && <p class="none">No task is due.</p>}
      <ul class="due">
        {tasks.map((task) => (
          <li key={task.id}>
            <TaskBox
              text={task.text}
              isDone={false}
              isDisabled={!client.has("update_task")}
              onTick={() => tick(task.id, true)}
            />
            <div>
              <a href={addressOfTask(task)}>{withoutMarkup(task.text) || "Untitled"}</a>
              <p class="due-facts">
                {lateness(task)}
                <span>{nameOf(task.path)}</span>
              </p>
            </div>
          </li>
        ))}
      </ul>
      {result.totalTasks > tasks.length && <p class="none">{result.totalTasks - tasks.length} more are due.</p>}
      <p>
        <a href={addressOf({ view: "tasks" })}>All tasks</a>
      </p>
    </section>
  );
}

function addressOfTask({ path, row, heading, vault }: Task): string {
  return row === undefined
    ? noteAddress(path, { vault, ...(heading !== undefined && { query: heading }) })
    : addressOf({ ...CURRENT_OUTLINE, document: path, row }, vault);
}

function lateness({ due }: Task) {
  const today = dateOf(Date.now());
  if (due === undefined || due >= today) return <span>today</span>;
  return <span class="is-late">since {due}</span>;
}
