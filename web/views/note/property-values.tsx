// The value of a property as it is read: tags and links can be clicked, lists are
// lists, check boxes say yes or no. Used by the form of properties, and by bases.
import type { ComponentChildren } from "preact";
import { shortDay } from "../../format/format.ts";
import type { Resolved } from "../../markdown/markdown.ts";
import { addressOf, SEARCH, noteAddress } from "../../navigation/navigation.ts";

/** @param resolve where a link leads, as far as is known: in a base it is not */
export function renderValue(
  name: string,
  value: unknown,
  resolve: (target: string) => Resolved = () => "unknown",
): ComponentChildren {
  if (Array.isArray(value)) return <span class="values">{value.map((item) => renderValue(name, item, resolve))}</span>;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "object" && value !== null) return <code>{JSON.stringify(value)}</code>;
  const text = String(value ?? "");
  if (/^tags?$/i.test(name)) {
    const tag = text.replace(/^#/, "");
    return (
      <a class="tag" href={addressOf({ ...SEARCH, query: `tag:#${tag}` })}>
        #{tag}
      </a>
    );
  }
  if (/^https?:\/\//i.test(text)) {
    return (
      <a class="external" href={text} target="_blank" rel="noopener noreferrer">
        {text.replace(/^https?:\/\//i, "")}
      </a>
    );
  }
  const [, target, label] = /^\[\[([^\]|#]+)[^\]|]*(?:\|([^\]]*))?\]\]$/.exec(text) ?? [];
  if (target !== undefined) {
    const to = resolve(target.trim());
    // A note is read by its name, too.
    const address = typeof to === "object" ? to.address : noteAddress(target.trim());
    return (
      <a href={address} class={to === "missing" ? "broken" : undefined}>
        {label || target}
      </a>
    );
  }
  return <span>{text}</span>;
}

/** Whether a value is shown as a link, which a click follows. */
export function isLinked(name: string, value: unknown): boolean {
  return /^tags?$/i.test(name) || /^(?:https?:\/\/|\[\[[^\]|#]+[^\]]*\]\]$)/i.test(String(value));
}

/** A date in the words of the person; anything else as it is. */
export function valueText(value: unknown): string {
  const text = String(value ?? "");
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? shortDay(text) : text.replace("T", " ");
}
