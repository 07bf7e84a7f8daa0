// What two people wrote in the same place of a note, beside what was there before:
// the person chooses for each place.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Part } from "./three-way-merge.ts";

type Choice = "mine" | "theirs" | "both";

interface ConflictViewProps {
  readonly parts: readonly Part[];
  readonly onSave: (merged: string) => void;
  readonly onTakeTheirs: () => void;
}

const CHOICES: readonly (readonly [Choice, string])[] = [
  ["mine", "Keep mine"],
  ["theirs", "Keep theirs"],
  ["both", "Keep both"],
];
/** Lines of an agreed part that are shown before and after a conflict. */
const SHOWN = 3;

export function ConflictView({ parts, onSave, onTakeTheirs }: ConflictViewProps) {
  const conflicts = parts.filter(({ kind }) => kind === "conflict").length;
  const [choices, setChoices] = useState<ReadonlyMap<number, Choice>>(new Map());
  const view = useRef<HTMLElement>(null);
  // It takes the place of the editor, which had the focus.
  useLayoutEffect(() => view.current?.focus(), []);
  return (
    <section ref={view} class="conflict" aria-label="Conflicting changes" tabIndex={-1}>
      <p role="alert">
        Somebody else changed this note in {conflicts === 1 ? "the same place" : `${conflicts} of the same places`}{" "}
        while you were writing. Choose what to keep; nothing is written before you save.
      </p>
      {parts.map((part, i) =>
        part.kind === "agreed" ? (
          <pre key={i} class="conflict-agreed">
            {shortened(part.lines)}
          </pre>
        ) : (
          <fieldset key={i}>
            <legend>What to keep here</legend>
            <div class="conflict-sides">
              <Side title="Before" lines={part.base} />
              <Side title="Mine" lines={part.mine} />
              <Side title="Theirs" lines={part.theirs} />
            </div>
            {CHOICES.map(([choice, label]) => (
              <label key={choice}>
                <input
                  type="radio"
                  name={`conflict-${i}`}
                  checked={choices.get(i) === choice}
                  onChange={() => setChoices(new Map(choices).set(i, choice))}
                />{" "}
                {label}
              </label>
            ))}
          </fieldset>
        ),
      )}
      <div class="editor-buttons">
        <button
          type="button"
          class="button primary"
          disabled={choices.size < conflicts}
          onClick={() => onSave(chosenText(parts, choices))}
        >
          Save
        </button>
        <button type="button" class="button" onClick={onTakeTheirs}>
          Discard mine
        </button>
      </div>
    </section>
  );
}

function Side({ title, lines }: { title: string; lines: readonly string[] }) {
  return (
    <div>
      <p>{title}</p>
      <pre>{lines.join("").trim() === "" ? <span class="none">nothing</span> : lines.join("\n")}</pre>
    </div>
  );
}

function shortened(lines: readonly string[]): string {
  if (lines.length <= 2 * SHOWN + 1) return lines.join("\n");
  return [...lines.slice(0, SHOWN), "…", ...lines.slice(-SHOWN)].join("\n");
}

function chosenText(parts: readonly Part[], choices: ReadonlyMap<number, Choice>): string {
  return parts
    .flatMap((part, i) => {
      if (part.kind === "agreed") return part.lines;
      const choice = choices.get(i);
      if (choice === "both") return [...part.mine, ...part.theirs];
      return choice === "theirs" ? part.theirs : part.mine;
    })
    .join("\n");
}
