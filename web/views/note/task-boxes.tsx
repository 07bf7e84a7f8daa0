// The boxes of a note's tasks, by the line on which each stands.
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { TaskBox, useTicking } from "../../components/components.ts";
import { useServer, useToolCall, type Problem } from "../../server/server.ts";

const MOST = 1000;

interface TaskBoxes {
  /** The box of a task; undefined if it is not known as one. @param line counted from 0 in the text below the properties */
  readonly box: (line: number, state: string) => VNode | undefined;
  readonly problem: Problem | undefined;
}

/** @param firstLine of the text below the properties, counted from 1 in the note */
export function useTaskBoxes(path: string, content: string, firstLine: number): TaskBoxes {
  const { client } = useServer();
  const { tick, problem } = useTicking();
  const hasTasks = /^[\s>]*(?:[-*+]|\d+[.)]) \[.\] /m.test(content) && client.has("update_task");
  const { result } = useToolCall("list_tasks", hasTasks ? { path, status: "all", limit: MOST } : undefined, {
    keepsPrevious: true,
  });
  const box = useMemo(() => {
    const tasks = [...(result?.tasks ?? [])].filter((task) => task.path === path);
    const byLine = new Map(tasks.map((task) => [task.line, task]));
    return (line: number, state: string) => {
      const task = byLine.get(line + firstLine);
      if (task === undefined) return undefined;
      const isDone = state !== " ";
      return <TaskBox text={task.text} isDone={isDone} onTick={() => tick(task.id, !isDone)} />;
    };
  }, [result, path, firstLine, tick]);
  return { box, problem };
}
