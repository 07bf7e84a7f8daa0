// The properties of a note, each shown by its type: tags and links can be
// clicked, lists are lists, checkboxes say yes or no.
import type { ComponentChildren } from "preact";
import { addressOf, HOME } from "../../navigation/navigation.ts";

interface PropertiesProps {
  readonly properties: Readonly<Record<string, unknown>>;
  /** Why the properties could not be read. */
  readonly problem: string | undefined;
}

export function Properties({ properties, problem }: PropertiesProps) {
  const shown = Object.entries(properties).filter(([, value]) => value !== null && value !== "");
  if (problem !== undefined) {
    return (
      <p class="problem" role="note">
        The properties cannot be read: {problem}
      </p>
    );
  }
  if (shown.length === 0) return null;
  return (
    <dl class="properties" aria-label="Properties">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{renderValue(name, value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function renderValue(name: string, value: unknown): ComponentChildren {
  if (Array.isArray(value)) return <span class="values">{value.map((item) => renderValue(name, item))}</span>;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "object" && value !== null) return <code>{JSON.stringify(value)}</code>;
  const text = String(value);
  if (/^tags?$/i.test(name)) {
    const tag = text.replace(/^#/, "");
    return (
      <a class="tag" href={addressOf({ ...HOME, query: `tag:#${tag}` })}>
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
  if (target !== undefined)
    return <a href={addressOf({ ...HOME, query: `"${target}"`, kinds: ["note"] })}>{label ?? target}</a>;
  return <span>{text}</span>;
}
