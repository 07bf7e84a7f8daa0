// A difference of two texts on the page: added and removed lines, with the words
// that differ.
import { useMemo } from "preact/hooks";
import { differenceOf } from "./line-steps.ts";

interface TextDifferenceProps {
  readonly before: string;
  readonly after: string;
  readonly label: string;
}

const SIDES = {
  added: { mark: "+", word: "Added: " },
  removed: { mark: "−", word: "Removed: " },
  same: { mark: " ", word: "" },
} as const;

/** More lines than anybody reads. */
const MAX_LINES = 400;

export function TextDifference({ before, after, label }: TextDifferenceProps) {
  const lines = useMemo(() => differenceOf(before, after), [before, after]);
  return (
    <div class="difference is-prose" role="group" aria-label={label} tabIndex={0}>
      {lines.length === 0 && <p class="difference-gap">The lines are the same: only their ends differ.</p>}
      {lines.slice(0, MAX_LINES).map((line, i) =>
        line.kind === "gap" ? (
          <p key={i} class="difference-gap">
            {line.count === 1 ? "1 line" : `${line.count.toLocaleString("en")} lines`} as before
          </p>
        ) : (
          <div key={i} class="difference-line" data-kind={line.kind}>
            <span class="visually-hidden">{SIDES[line.kind].word}</span>
            <span class="difference-mark" aria-hidden="true">
              {SIDES[line.kind].mark}
            </span>
            <span class="difference-text">
              {line.parts.map(({ text, isChanged }) => (isChanged ? <mark>{text}</mark> : text))}
            </span>
          </div>
        ),
      )}
      {lines.length > MAX_LINES && <p class="difference-gap">{lines.length - MAX_LINES} more lines</p>}
    </div>
  );
}
