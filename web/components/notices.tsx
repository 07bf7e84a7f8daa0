// Shown by a view instead of content: a problem, an empty list, or that it is
// still loading.
import type { ComponentChildren } from "preact";
import type { Problem } from "../server/server.ts";

export function ProblemNote({ problem: { message, hint } }: { problem: Problem }) {
  return (
    <p class="problem" role="alert">
      {hint === undefined ? message : asSentence(message)} {hint !== undefined && <span class="hint">{hint}</span>}
    </p>
  );
}

/** Some contracts have messages without a full stop; the hint that follows must not run on. */
function asSentence(message: string): string {
  return /[.!?:]$/.test(message) ? message : `${message}.`;
}

interface ProblemViewProps {
  readonly title: string;
  readonly problem: Problem;
  /** Shown above the title. */
  readonly above?: ComponentChildren;
  /** Links that lead on from here. */
  readonly children: ComponentChildren;
}

/** A whole view that has nothing to show: why, and where to go next. */
export function ProblemView({ title, problem, above, children }: ProblemViewProps) {
  return (
    <div class="problem-view">
      {above}
      <h1>{title}</h1>
      <ProblemNote problem={problem} />
      <p>{children}</p>
    </div>
  );
}

/** The style sheet shows it after a delay: most results arrive before. */
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
