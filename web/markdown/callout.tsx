// Callouts: quotes that start with [!note], as Obsidian shows them. With a - or +
// after the marker they can be folded.
import type { ComponentChildren, VNode } from "preact";
import { firstTextIn } from "./node-text.ts";

export interface CalloutContent {
  readonly type: string;
  readonly title: ComponentChildren;
  readonly fold: string;
  readonly children: ComponentChildren;
}

/** Undefined for an ordinary quote. */
export function calloutIn(children: ComponentChildren[]): CalloutContent | undefined {
  const first = firstTextIn(children);
  const [marker, type, fold = ""] = /^\[!([\w-]+)(?:\|[^\]]*)?\]([-+]?)[ \t]*/.exec(first?.text ?? "") ?? [];
  if (first === undefined || marker === undefined || type === undefined) return undefined;
  first.replace(first.text.slice(marker.length));
  const paragraph = children.find((child) => (child as VNode | null)?.type === "p") as VNode<Paragraph>;
  const line = paragraph.props.children.flat() as ComponentChildren[];
  const end = line.findIndex((child) => (child as VNode | null)?.type === "br");
  const title = (end === -1 ? line : line.slice(0, end)).filter((part) => part !== "");
  const rest = end === -1 ? [] : line.slice(end + 1);
  return {
    type: type.toLowerCase(),
    fold,
    title: title.length > 0 ? title : type[0]!.toUpperCase() + type.slice(1).toLowerCase(),
    children: [rest.length > 0 && <p>{rest}</p>, ...children.filter((child) => child !== paragraph)],
  };
}

interface Paragraph {
  readonly children: ComponentChildren[];
}

/**
 * The tone in the style sheet; several types look the same. An attribute, since a class could be one of the page's own:
 * `note` is the layout of a note.
 */
const TONES: Readonly<Record<string, string>> = {
  warning: "warning",
  caution: "warning",
  attention: "warning",
  danger: "danger",
  error: "danger",
  bug: "danger",
  failure: "danger",
  fail: "danger",
  missing: "danger",
  success: "success",
  check: "success",
  done: "success",
  tip: "success",
  hint: "success",
  question: "question",
  help: "question",
  faq: "question",
};

export function Callout({ type, title, fold, children }: CalloutContent) {
  const tone = TONES[type] ?? "note";
  if (fold === "") {
    return (
      <div class="callout" data-tone={tone}>
        <p class="callout-title">{title}</p>
        {children}
      </div>
    );
  }
  return (
    <details class="callout" data-tone={tone} open={fold === "+"}>
      <summary class="callout-title">{title}</summary>
      {children}
    </details>
  );
}
