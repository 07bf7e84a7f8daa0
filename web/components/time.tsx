// A time relative to now, with the exact time in its tooltip.
import { ago, exactTime } from "../format/format.ts";

export function Time({ at }: { at: number }) {
  return (
    <time class="time" dateTime={new Date(at).toISOString()} title={exactTime(at)}>
      {ago(at, Date.now())}
    </time>
  );
}
