// Texts within nodes that are being built: used where what a block says decides
// what it becomes. Pure.
import type { ComponentChildren, VNode } from "preact";

/** The name of a heading or block in an address. The prefix keeps it apart from the ids of the page itself. */
export function anchorOf(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}^]+/gu) ?? [];
  return `at-${words.join("-")}`;
}

interface TextPlace {
  readonly text: string;
  readonly replace: (text: string) => void;
}

/** The text that a block begins with, and how to put another in its place. */
export function firstTextIn(children: ComponentChildren[]): TextPlace | undefined {
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
