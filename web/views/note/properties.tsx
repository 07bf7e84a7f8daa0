// The properties of a note, each shown by its type: tags and links can be
// clicked, lists are lists, checkboxes say yes or no.
import type { ComponentChildren } from "preact";
import { parseJson } from "../../../src/kernel/kernel.ts";
import type { Resolved } from "../../markdown/markdown.ts";
import { addressOf, SEARCH, noteAddress } from "../../navigation/navigation.ts";
import { visits } from "../../server/server.ts";

interface PropertiesProps {
  readonly path: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Why the properties could not be read. */
  readonly problem: string | undefined;
  /** Where a link leads, as far as is known. */
  readonly resolve: (target: string) => Resolved;
}

export function Properties({ path, properties, problem, resolve }: PropertiesProps) {
  const shown = Object.entries(properties).filter(([, value]) => value !== null && value !== "");
  if (problem !== undefined) {
    return (
      <p class="problem" role="note">
        The properties cannot be read: {problem}
      </p>
    );
  }
  if (shown.length === 0) return null;
  const note = noteAddress(path);
  return (
    <details
      // A new element for each note: the browser reports later that one was folded.
      key={note}
      class="properties"
      open={!foldedNotes().includes(note)}
      onToggle={(event) => keepFolded(note, !event.currentTarget.open)}
    >
      <summary>
        Properties <span class="entry-count">{shown.length}</span>
      </summary>
      <dl>
        {shown.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{renderValue(name, value, resolve)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

const FOLDED = "folded-properties";
/** Notes whose folded properties are remembered: those folded last. */
const MAX_FOLDED = 1000;

/** The addresses of the notes whose properties are folded, those folded last first. */
function foldedNotes(): readonly unknown[] {
  // Another program may have written there.
  const kept = parseJson(visits().getItem(FOLDED) ?? "[]");
  return Array.isArray(kept) ? kept : [];
}

function keepFolded(note: string, isFolded: boolean): void {
  const before = foldedNotes();
  if (before.includes(note) === isFolded) return;
  const others = before.filter((one) => one !== note);
  visits().setItem(FOLDED, JSON.stringify((isFolded ? [note, ...others] : others).slice(0, MAX_FOLDED)));
}

/** Also used for the cells of bases, of which it is not known where links lead. */
export function renderValue(
  name: string,
  value: unknown,
  resolve: (target: string) => Resolved = () => "unknown",
): ComponentChildren {
  if (Array.isArray(value)) return <span class="values">{value.map((item) => renderValue(name, item, resolve))}</span>;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "object" && value !== null) return <code>{JSON.stringify(value)}</code>;
  const text = String(value);
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
