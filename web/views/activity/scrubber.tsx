// Goes back to a moment: a slider over the changes, the newest at its right end. Where
// it stands, it says what would be taken back, with the differences, before anything
// happens; going back is undone by redo, as every undo.
import { useState } from "preact/hooks";
import { exactTime } from "../../format/format.ts";
import { SessionUndo, timeOf, type Entry } from "../../history/history.tsx";

/** More changes than a slider can tell apart. */
const MAX_CHANGES = 200;

export function Scrubber({ entries }: { entries: readonly Entry[] }) {
  // Newest first, as they are listed.
  const standing = entries.filter(({ undone }) => !undone).slice(0, MAX_CHANGES);
  /** How many of the newest changes would be taken back. */
  const [chosen, setChosen] = useState(0);
  const back = Math.min(chosen, standing.length);
  if (standing.length === 0) return null;
  const taken = standing.slice(0, back);
  const first = taken.at(-1);
  const text =
    first === undefined
      ? "Now"
      : `Before “${first.message}”, ${exactTime(timeOf(first))}: ${back === 1 ? "1 change" : `${back} changes`} since`;
  return (
    <section class="scrubber" aria-labelledby="scrubber-title">
      <h2 id="scrubber-title">Go back</h2>
      <input
        type="range"
        min={0}
        max={standing.length}
        value={standing.length - back}
        aria-label="Moment"
        aria-valuetext={text}
        onInput={({ currentTarget }) => setChosen(standing.length - Number(currentTarget.value))}
      />
      <p class="scrubber-moment">{text}</p>
      {first && (
        <SessionUndo key={first.id} entries={taken} of={`the changes since ${exactTime(timeOf(first))}`} goesBack />
      )}
    </section>
  );
}
