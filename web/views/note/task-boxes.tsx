// The boxes of a note's tasks, which can be ticked: through the tool for tasks, so
// that a recurring one makes its next, and done dates are written as the vault
// wants them.
import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { Icon } from "../../components/components.ts";
import { asProblem, useServer, useToolCall, type Problem } from "../../server/server.ts";

const MOST = 1000;

interface TaskBoxes {
  /** The box of a task; undefined if it is not known as one. @param line counted from 0 in the text below the properties */
  readonly box: (line: number, state: string) => VNode | undefined;
  readonly problem: Problem | undefined;
}

/** @param firstLine of the text below the properties, counted from 1 in the note */
export function useTaskBoxes(path: string, content: string, firstLine: number): TaskBoxes {
  const { client, refresh } = useServer();
  const [problem, setProblem] = useState<Problem>();
  const hasTasks = /^[\s>]*(?:[-*+]|\d+[.)]) \[.\] /m.test(content) && client.has("update_task");
  const { result } = useToolCall("list_tasks", hasTasks ? { path, status: "all", limit: MOST } : undefined, {
    keepsPrevious: true,
  });
  const box = useMemo(() => {
    const tasks = [...(result?.tasks ?? [])].filter((task) => task.path === path);
    const byLine = new Map(tasks.map((task) => [task.line, task]));
    const tick = async (id: string, isDone: boolean) => {
      setProblem(undefined);
      try {
        await client.call("update_task", { id, status: isDone ? "todo" : "done" });
      } catch (error) {
        setProblem(asProblem(error));
      }
      refresh();
    };
    return (line: number, state: string) => {
      const task = byLine.get(line + firstLine);
      if (task === undefined) return undefined;
      const isDone = state !== " ";
      return (
        <button
          type="button"
          class="box"
          role="checkbox"
          aria-checked={isDone}
          aria-label={task.text}
          data-state={isDone ? "checked" : "unchecked"}
          onClick={() => void tick(task.id, isDone)}
        >
          {isDone && <Icon name="done" />}
        </button>
      );
    };
  }, [result, path, firstLine, client]);
  return { box, problem };
}
