// Asks for what is for a person only, for a view, and again after every change on
// the server, or every so often.
import { useEffect, useState } from "preact/hooks";
import type { PersonCalls } from "../../src/app/app.ts";
import type { Problem } from "./failures.ts";
import { useServer } from "./server-provider.tsx";
import { asProblem } from "./use-tool-call.ts";

type Reading = "status" | "progress" | "hosts" | "vaults";
type Answer<N extends Reading> = Awaited<ReturnType<PersonCalls[N]>>;

interface PersonAnswer<R> {
  readonly result?: R;
  readonly problem?: Problem;
  /** Asks again at once. */
  readonly renew: () => void;
}

/** @param again the milliseconds until it is asked again; undefined for never */
export function usePersonCall<N extends Reading>(
  name: N,
  again: (last: Answer<N>) => number | undefined = () => undefined,
): PersonAnswer<Answer<N>> {
  const { client, version } = useServer();
  const [round, setRound] = useState(0);
  const [last, setLast] = useState<{ readonly result?: Answer<N>; readonly problem?: Problem }>({});
  useEffect(() => {
    const asking = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    client.ask(name, {}, asking.signal).then(
      (result) => {
        setLast({ result });
        const pause = again(result);
        if (pause !== undefined) timer = setTimeout(() => setRound((before) => before + 1), pause);
      },
      (error: unknown) => !asking.signal.aborted && setLast((before) => ({ ...before, problem: asProblem(error) })),
    );
    return () => {
      asking.abort();
      clearTimeout(timer);
    };
  }, [client, name, version, round]);
  return { ...last, renew: () => setRound((before) => before + 1) };
}
