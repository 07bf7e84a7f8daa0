// The outline of a thread: all its prompts as links, each with its time and a bar as
// long as what came of it, so that it is a map of the thread too. Folded where it
// comes before the thread instead of beside it. The one that was jumped to last is
// marked.
import { useMemo } from "preact/hooks";
import { clockTime, dateOf, shortDay, startOfDay, withoutMarkup } from "../../../format/format.ts";
import { addressOf, type RouteTo } from "../../../navigation/navigation.ts";
import type { Prompt } from "./use-conversation.ts";

interface PromptListProps {
  readonly route: RouteTo<"conversation">;
  readonly prompts: readonly Prompt[];
  readonly at: string;
  readonly isOpen: boolean;
  readonly onGo: (message: string) => void;
}

export function PromptList({ route, prompts, at, isOpen, onGo }: PromptListProps) {
  // Once for all jumps: a thread may have thousands of prompts.
  const shown = useMemo(() => shownPrompts(prompts), [prompts]);
  if (prompts.length === 0 || (prompts.length === 1 && !isOpen)) return null;
  return (
    <section class="prompts" aria-labelledby="prompts-title">
      {/* Above the thread the summary says it. */}
      <h2 id="prompts-title" class={isOpen ? undefined : "visually-hidden"}>
        Prompts
      </h2>
      <details open={isOpen}>
        <summary>{prompts.length === 1 ? "1 prompt" : `${prompts.length.toLocaleString("en")} prompts`}</summary>
        <div class="prompt-lists">
          {shown.map((part, i) => (
            <ol key={i} start={i * TOGETHER + 1}>
              {part.map(({ id, text, time, style }) => (
                <li key={id}>
                  <a
                    href={addressOf({ ...route, message: id })}
                    // No elements of their own, for the same reason.
                    data-time={time}
                    style={style}
                    aria-current={id === at ? "location" : undefined}
                    onClick={(event) => {
                      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                      event.preventDefault();
                      event.stopPropagation();
                      onGo(id);
                    }}
                  >
                    {text}
                  </a>
                </li>
              ))}
            </ol>
          ))}
        </div>
      </details>
    </section>
  );
}

/** Prompts whose layout and paint the browser leaves out together while they are out of sight: one by one costs as much as it saves. */
const TOGETHER = 100;

function shownPrompts(prompts: readonly Prompt[]) {
  const most = prompts.reduce((largest, { size }) => Math.max(largest, size), 1);
  const days = new Set(prompts.flatMap(({ time }) => (time === undefined ? [] : [startOfDay(Date.parse(time))]))).size;
  const shown = prompts.map(({ id, text, time, size }) => ({
    id,
    text: withoutMarkup(text) || "Without words",
    time: time === undefined ? undefined : promptTime(Date.parse(time), days),
    style: `--size: ${Math.round((100 * size) / most)}%`,
  }));
  return Array.from({ length: Math.ceil(shown.length / TOGETHER) }, (_, i) =>
    shown.slice(i * TOGETHER, (i + 1) * TOGETHER),
  );
}

/** The clock time, or the day in a conversation of several days. */
function promptTime(time: number, days: number): string {
  return days > 1 ? shortDay(dateOf(time)) : clockTime(time);
}
