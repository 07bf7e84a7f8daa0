// The state of the program, live: what doctor finds, and how far the indexes are.
import { useEffect, useRef } from "preact/hooks";
import type { Progress, Status } from "../../../src/app/app.ts";
import { usePersonCall, type Problem } from "../../server/server.ts";

/** In milliseconds: the progress is cheap, doctor looks at every file of the vault. */
const PROGRESS_PAUSE = 700;
const STATUS_PAUSE = 15_000;

interface LiveStatus {
  readonly status: Status | undefined;
  readonly progress: Progress | undefined;
  readonly problem: Problem | undefined;
  readonly renew: () => void;
}

const isIndexing = ({ notes, conversations }: Progress) =>
  notes?.isComplete === false || conversations?.isComplete === false;

export function useStatus(): LiveStatus {
  const progress = usePersonCall("progress", (last) => (isIndexing(last) ? PROGRESS_PAUSE : undefined));
  const status = usePersonCall("status", () => STATUS_PAUSE);
  // The counts are those of the index once it is complete.
  const wasIndexing = useRef(false);
  const isNow = progress.result !== undefined && isIndexing(progress.result);
  useEffect(() => {
    if (wasIndexing.current && !isNow) status.renew();
    wasIndexing.current = isNow;
  }, [isNow]);
  return {
    status: status.result,
    progress: progress.result,
    problem: status.problem ?? progress.problem,
    renew: status.renew,
  };
}
