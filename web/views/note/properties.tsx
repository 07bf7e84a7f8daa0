// The properties of a note, each by its kind: tags and links lead somewhere,
// lists are lists, what is true is ticked.
import type { ComponentChildren } from "preact";

export function Properties({
  properties,
  problem,
}: {
  properties: Readonly<Record<string, unknown>>;
  problem: string | undefined;
}) {
  const entries = Object.entries(properties).filter(([, value]) => value !== null && value !== "");
  if (problem !== undefined) {
    return (
      <p class="refusal" role="note">
        The properties cannot be read: {problem}
      </p>
    );
  }
  if (entries.length === 0) return null;
  return (
    <dl class="properties" aria-label="Properties">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{shown(name, value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function shown(name: string, value: unknown): ComponentChildren {
  if (Array.isArray(value)) return <span class="values">{value.map((item) => shown(name, item))}</span>;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "object" && value !== null) return <code>{JSON.stringify(value)}</code>;
  const text = String(value);
  if (/^tags?$/i.test(name)) {
    const tag = text.replace(/^#/, "");
    return (
      <a class="tag" href={`/search?q=${encodeURIComponent(`tag:#${tag}`)}`}>
        #{tag}
      </a>
    );
  }
  if (/^https?:\/\//i.test(text)) {
    return (
      <a class="outside" href={text} target="_blank" rel="noopener noreferrer">
        {text.replace(/^https?:\/\//i, "")}
      </a>
    );
  }
  const [, target, label] = /^\[\[([^\]|#]+)[^\]|]*(?:\|([^\]]*))?\]\]$/.exec(text) ?? [];
  if (target !== undefined)
    return <a href={`/search?q=${encodeURIComponent(`"${target}"`)}&kind=note`}>{label ?? target}</a>;
  return <span>{text}</span>;
}
