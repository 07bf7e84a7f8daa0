// How far an index is: a bar, how many per second, and the time that is left.
import type { Progress } from "../../src/app/app.ts";

type Indexing = NonNullable<Progress["notes"]>;

export function IndexProgress({ of, indexing }: { of: string; indexing: Indexing | undefined }) {
  if (indexing === undefined || (indexing.isComplete && indexing.problem === undefined)) return null;
  const { done, total, problem } = indexing;
  if (problem !== undefined)
    return (
      <p class="problem" role="alert">
        {problem}
      </p>
    );
  return (
    <div class="index-progress">
      <progress aria-label={`Index of ${of}`} max={Math.max(total, 1)} value={done} />
      <p class="count">
        Indexing {of}: {progressText(indexing)}
      </p>
    </div>
  );
}

function progressText({ done, total, milliseconds }: Indexing): string {
  if (total === 0) return "looking for changes …";
  const perSecond = done / Math.max(0.001, milliseconds / 1000);
  const counts = `${done.toLocaleString("en")} of ${total.toLocaleString("en")}`;
  if (done === 0) return counts;
  const left = Math.ceil((total - done) / perSecond);
  return `${counts} · ${Math.round(perSecond).toLocaleString("en")} per second · ${timeText(left)} left`;
}

function timeText(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  return seconds < 90 * 60 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
