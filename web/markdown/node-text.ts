// Text inside nodes that are being built: callouts, tasks and headings depend on
// it. Pure.
import type { ComponentChildren, VNode } from "preact";

interface TextPosition {
  readonly text: string;
  readonly replace: (text: string) => void;
}

/** The text that a block starts with, and a function that replaces it. */
export function firstTextIn(children: ComponentChildren[]): TextPosition | undefined {
  const at = children.findIndex((child) => child !== null && child !== "");
  const child = children[at];
  if (typeof child === "string") return { text: child, replace: (text) => void (children[at] = text) };
  if (Array.isArray(child)) return firstTextIn(child as ComponentChildren[]);
  const inside = (child as VNode<{ children?: ComponentChildren[] }> | undefined)?.props?.children;
  return Array.isArray(inside) && (child as VNode).type === "p" ? firstTextIn(inside) : undefined;
}

export function plainText(children: ComponentChildren): string {
  if (typeof children === "string") return children;
  if (Array.isArray(children)) return children.map(plainText).join("");
  const props = (children as VNode<{ children?: ComponentChildren }> | null)?.props;
  return props === undefined ? "" : plainText(props.children);
}
