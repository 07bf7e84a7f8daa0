// Calls a tool for a view, and calls it again after every change on the server.
import { useLayoutEffect, useState } from "preact/hooks";
import type { InputOf } from "./client.ts";
import { Problem } from "./failures.ts";
import type { ResultNamed, ToolName } from "../../src/tools/tools.ts";
import { useServer } from "./server-provider.tsx";

export interface ToolCall<R> {
  readonly result?: R;
  readonly problem?: Problem;
  readonly isLoading: boolean;
}

interface Outcome<R> {
  /** The tool and input of the call. */
  readonly key: string;
  readonly result?: R;
  readonly problem?: Problem;
}

interface Options {
  /** Returns the previous call's result until the new one has arrived. */
  readonly keepsPrevious?: boolean;
}

/** Without an input the tool is not called. */
export function useToolCall<N extends ToolName>(
  tool: N,
  input: InputOf<N> | undefined,
  { keepsPrevious = false }: Options = {},
): ToolCall<ResultNamed<N>> {
  const { client, version } = useServer();
  const key = input === undefined ? "" : JSON.stringify([tool, input, client.vault]);
  const [last, setLast] = useState<Outcome<ResultNamed<N>>>({ key: "" });
  // Before the next frame is painted, which an effect would wait for.
  useLayoutEffect(() => {
    if (input === undefined) return undefined;
    const call = new AbortController();
    client.call(tool, input, call.signal).then(
      (result) => setLast({ key, result }),
      (error: unknown) => {
        if (call.signal.aborted) return;
        setLast({ key, problem: asProblem(error) });
      },
    );
    return () => call.abort();
  }, [client, key, version]);
  if (key === "") return { isLoading: false };
  const isLoading = last.key !== key;
  return isLoading && !keepsPrevious ? { isLoading } : { ...last, isLoading };
}

export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem("The server cannot be reached.", "Is it still running? This page continues when it is back.");
}
