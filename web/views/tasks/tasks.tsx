// All open tasks of notes and outlines: what is for today, what comes, and what has no
// day, or by the file that has them. A task is ticked here, gets another day, and a
// new one goes to the note of today.
import { useState } from "preact/hooks";
import type { ResultNamed } from "../../../src/tools/tools.ts";
import {
  Empty,
  Loading,
  ProblemNote,
  showUndoable,
  TaskBox,
  useTicking,
  useTitle,
} from "../../components/components.ts";
import { dateOf, nameOf, shortDay, withoutMarkup } from "../../format/format.ts";
import { addressOf, CURRENT_OUTLINE, noteAddress } from "../../navigation/navigation.ts";
import { asProblem, useServer, useToolCall, type Problem } from "../../server/server.ts";

type Task = ResultNamed<"list_tasks">["tasks"] extends Iterable<infer One> ? One : never;

const MAX_TASKS = 1000;
/** Of each group at first. */
const PAGE_SIZE = 100;

type Grouping = "day" | "file";

export function TasksView() {
  const { result, problem } = useToolCall("list_tasks", { limit: MAX_TASKS }, { keepsPrevious: true });
  const [by, setBy] = useState<Grouping>("day");
  const { tick, problem: tickProblem } = useTicking();
  useTitle("Tasks");
  const tasks = [...(result?.tasks ?? [])];
  const groups = by === "day" ? byDay(tasks) : byFile(tasks);
  return (
    <div class="tasks">
      <h1>Tasks</h1>
      <AddTask />
      <p class="switch" role="group" aria-label="Grouped by">
        {(["day", "file"] as const).map((one) => (
          <button key={one} type="button" aria-pressed={by === one} onClick={() => setBy(one)}>
            {one === "day" ? "By day" : "By file"}
          </button>
        ))}
      </p>
      {(problem ?? tickProblem) && <ProblemNote problem={(problem ?? tickProblem)!} />}
      {result === undefined && !problem && <Loading of="the tasks" />}
      {result !== undefined && tasks.length === 0 && (
        <Empty title="No open tasks">
          <p>Check boxes of your notes and outlines are listed here.</p>
        </Empty>
      )}
      {groups.map(([name, own]) => (
        <TaskGroup key={`${by} ${name}`} name={name} tasks={own} hasFile={by === "day"} onTick={tick} />
      ))}
      {result !== undefined && result.totalTasks > tasks.length && (
        <p class="none">
          {result.totalTasks - tasks.length} more are not listed here: the search finds them with <code>task:</code>.
        </p>
      )}
    </div>
  );
}

type Groups = readonly (readonly [name: string, tasks: readonly Task[]])[];

function byDay(tasks: readonly Task[]): Groups {
  const today = dateOf(Date.now());
  const dayOf = ({ due, scheduled }: Task) => due ?? scheduled;
  const dated = tasks.filter((task) => dayOf(task) !== undefined).toSorted((a, b) => (dayOf(a)! < dayOf(b)! ? -1 : 1));
  const groups: Groups = [
    ["Today", dated.filter((task) => dayOf(task)! <= today)],
    ["Upcoming", dated.filter((task) => dayOf(task)! > today)],
    ["Someday", tasks.filter((task) => dayOf(task) === undefined)],
  ];
  return groups.filter(([, own]) => own.length > 0);
}

function byFile(tasks: readonly Task[]): Groups {
  return [...Map.groupBy(tasks, ({ path }) => path)].map(([path, own]) => [nameOf(path), own] as const);
}

interface TaskGroupProps {
  readonly name: string;
  readonly tasks: readonly Task[];
  /** Shows which file each is in. */
  readonly hasFile: boolean;
  readonly onTick: (id: string, isDone: boolean) => void;
}

function TaskGroup({ name, tasks, hasFile, onTick }: TaskGroupProps) {
  const { client } = useServer();
  const [count, setCount] = useState(PAGE_SIZE);
  const canChange = client.has("update_task");
  return (
    <section aria-label={name}>
      <h2>
        {name} <span class="entry-count">{tasks.length}</span>
      </h2>
      <ul class="task-list">
        {tasks.slice(0, count).map((task) => (
          <li key={task.id}>
            <TaskBox text={task.text} isDone={false} isDisabled={!canChange} onTick={() => onTick(task.id, true)} />
            <a href={addressOfTask(task)}>{withoutMarkup(task.text) || "Untitled"}</a>
            {hasFile && <span class="task-file">{nameOf(task.path)}</span>}
            <TaskDay task={task} canChange={canChange} />
          </li>
        ))}
      </ul>
      {tasks.length > count && (
        <button type="button" class="link" onClick={() => setCount(count + PAGE_SIZE)}>
          Show more of {tasks.length}
        </button>
      )}
    </section>
  );
}

function addressOfTask({ path, row, heading, vault }: Task): string {
  return row === undefined
    ? noteAddress(path, { vault, ...(heading !== undefined && { query: heading }) })
    : addressOf({ ...CURRENT_OUTLINE, document: path, row }, vault);
}

/** The day on which it is due, and the field for another one. */
function TaskDay({ task: { id, text, path, due }, canChange }: { task: Task; canChange: boolean }) {
  const { client, refresh } = useServer();
  const [isEdited, setEdited] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const isLate = due !== undefined && due < dateOf(Date.now());
  const save = async (day: string) => {
    setEdited(false);
    if (day === (due ?? "")) return;
    try {
      await client.call("update_task", { id, due: day });
      refresh();
      const words = withoutMarkup(text);
      await showUndoable(
        client,
        path,
        day === "" ? `${words}: without a day.` : `${words}: due ${shortDay(day)}.`,
        refresh,
      );
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  if (problem) return <ProblemNote problem={problem} />;
  if (isEdited)
    return (
      <input
        type="date"
        class="value-field"
        aria-label={`Due day of ${text}`}
        defaultValue={due ?? ""}
        ref={(field) => field?.focus()}
        onBlur={({ currentTarget }) => void save(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" && event.key !== "Escape") return;
          event.preventDefault();
          if (event.key === "Enter") void save(event.currentTarget.value);
          else setEdited(false);
        }}
      />
    );
  const shown = due === undefined ? "No day" : shortDay(due);
  if (!canChange) return <span class={isLate ? "task-day is-late" : "task-day"}>{due === undefined ? "" : shown}</span>;
  return (
    <button
      type="button"
      class={`value-button task-day${isLate ? " is-late" : ""}`}
      aria-label={`${shown}: change the day of ${text}`}
      onClick={() => setEdited(true)}
    >
      {shown}
    </button>
  );
}

function AddTask() {
  const { client, refresh } = useServer();
  const [text, setText] = useState("");
  const [day, setDay] = useState("");
  const [problem, setProblem] = useState<Problem>();
  if (!client.has("contentManager_appendContent")) return null;
  const add = async () => {
    setProblem(undefined);
    try {
      const content = `- [ ] ${text.trim()}${day === "" ? "" : ` 📅 ${day}`}\n`;
      const { data } = await client.call("contentManager_appendContent", { filePath: "daily:today", content });
      setText("");
      setDay("");
      refresh();
      await showUndoable(client, data.filePath, `Added to ${nameOf(data.filePath)}.`, refresh);
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  return (
    <div
      class="add-task"
      role="group"
      aria-label="New task"
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.isComposing || text.trim() === "") return;
        event.preventDefault();
        void add();
      }}
    >
      <input
        type="text"
        aria-label="New task, in today’s note"
        placeholder="New task, in today’s note"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <input
        type="date"
        aria-label="Due day"
        value={day}
        onInput={({ currentTarget }) => setDay(currentTarget.value)}
      />
      <button type="button" class="button" disabled={text.trim() === ""} onClick={() => void add()}>
        Add
      </button>
      {problem && <ProblemNote problem={problem} />}
    </div>
  );
}
