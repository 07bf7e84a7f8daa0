// Small parts that several views show: a time, a message, highlighted text,
// and what stands there while an answer is on its way.
import type { ComponentChildren } from "preact";
import { matchesIn, parseQuery } from "../../src/search/search.ts";
import type { Refusal } from "../server/server.ts";
import { ago, exactTime } from "../format/format.ts";

export function Time({ at }: { at: number }) {
  return (
    <time class="time" dateTime={new Date(at).toISOString()} title={exactTime(at)}>
      {ago(at, Date.now())}
    </time>
  );
}

/** A text with what was looked for marked in it. */
export function Marked({ text, query }: { text: string; query: string }) {
  if (query === "") return <>{text}</>;
  const parts: ComponentChildren[] = [];
  let from = 0;
  for (const [start, end] of matchesIn(text, parseQuery(query))) {
    parts.push(text.slice(from, start), <mark>{text.slice(start, end)}</mark>);
    from = end;
  }
  return <>{[...parts, text.slice(from)]}</>;
}

export function RefusalNote({ refusal }: { refusal: Refusal }) {
  return (
    <p class="refusal" role="alert">
      {refusal.hint === undefined ? refusal.message : asSentence(refusal.message)}{" "}
      {refusal.hint !== undefined && <span class="hint">{refusal.hint}</span>}
    </p>
  );
}

/** A contract's message may end without a mark; what follows it must not run on. */
function asSentence(message: string): string {
  return /[.!?:]$/.test(message) ? message : `${message}.`;
}

interface RefusedProps {
  readonly title: string;
  readonly refusal: Refusal;
  /** The way up, over the title. */
  readonly above?: ComponentChildren;
  /** Where to go on. */
  readonly children: ComponentChildren;
}

/** In place of a view that there is nothing to show in: why, and where to go on. */
export function Refused({ title, refusal, above, children }: RefusedProps) {
  return (
    <div class="refused">
      {above}
      <h1>{title}</h1>
      <RefusalNote refusal={refusal} />
      <p>{children}</p>
    </div>
  );
}

/** Nothing for a moment, since most answers are there by then; the style sheet waits before it shows. */
export function Loading({ of }: { of: string }) {
  return (
    <p class="loading" role="status">
      Loading {of} …
    </p>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}
