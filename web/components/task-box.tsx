// The box of a task, which is ticked through the tool for tasks: a recurring one makes
// its next, and done dates are written as the vault wants them. Used by Today and by
// notes.
import { useCallback, useState } from "preact/hooks";
import { asProblem, useServer, type Problem } from "../server/server.ts";
import { Icon } from "./icons.tsx";

interface Ticking {
  /** Marks a task as done, or as open again. */
  readonly tick: (id: string, isDone: boolean) => void;
  readonly problem: Problem | undefined;
}

export function useTicking(): Ticking {
  const { client, refresh } = useServer();
  const [problem, setProblem] = useState<Problem>();
  const tick = useCallback(
    (id: string, isDone: boolean) => {
      setProblem(undefined);
      const ticked = client.call("update_task", { id, status: isDone ? "done" : "todo" });
      void ticked.catch((error: unknown) => setProblem(asProblem(error))).then(refresh);
    },
    [client, refresh],
  );
  return { tick, problem };
}

interface TaskBoxProps {
  readonly text: string;
  readonly isDone: boolean;
  readonly isDisabled?: boolean;
  readonly onTick: () => void;
}

export function TaskBox({ text, isDone, isDisabled = false, onTick }: TaskBoxProps) {
  return (
    <button
      type="button"
      class="box"
      role="checkbox"
      aria-checked={isDone}
      aria-label={text}
      data-state={isDone ? "checked" : "unchecked"}
      disabled={isDisabled}
      onClick={onTick}
    >
      {isDone && <Icon name="done" />}
    </button>
  );
}
