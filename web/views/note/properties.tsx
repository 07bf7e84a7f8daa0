// The properties of a note, each shown by its type: tags and links can be
// clicked, lists are lists, checkboxes say yes or no.
import type { ComponentChildren } from "preact";
import { addressOf, HOME, noteAddress } from "../../navigation/navigation.ts";

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
    <details class="properties" open={!isFolded()} onToggle={(event) => keepFolded(!event.currentTarget.open)}>
      <summary>
        Properties <span class="entry-count">{shown.length}</span>
      </summary>
      <dl>
        {shown.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{renderValue(name, value)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

const FOLDED = "properties-folded";

/** Kept for all notes: somebody who folds them in one does not want to see them in the next. */
function isFolded(): boolean {
  return localStorage.getItem(FOLDED) !== null;
}

function keepFolded(folded: boolean): void {
  if (folded) localStorage.setItem(FOLDED, "");
  else localStorage.removeItem(FOLDED);
}

/** Also used for the cells of bases. */
export function renderValue(name: string, value: unknown): ComponentChildren {
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
    // A note is read by its name, too.
    return <a href={noteAddress(target.trim())}>{label || target}</a>;
  return <span>{text}</span>;
}
