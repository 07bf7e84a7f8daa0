// One thing that was found, as every list shows it: a link with the passage that
// matches.
import { addressOf, noteAddress, type Kind } from "../navigation/navigation.ts";
import { sourceName } from "../format/format.ts";
import { Icon } from "./icons.tsx";
import { Marked, Time } from "./notices.tsx";

export interface Found {
  /** A canvas is found among the notes. */
  readonly kind: Kind | "canvas";
  readonly title: string;
  readonly where: string;
  readonly when: number;
  readonly snippet: string;
  readonly id: string;
  /** In a conversation: the message that matches. */
  readonly message?: string;
}

const ICONS = { note: "note", canvas: "note", outline: "outline", conversation: "conversation" } as const;
const NAMES: Readonly<Record<Found["kind"], string>> = {
  note: "Note",
  canvas: "Canvas",
  outline: "Outline",
  conversation: "Conversation",
};

export function Result({ found, query }: { found: Found; query: string }) {
  const passage = passageOf(found);
  return (
    <li class="result">
      <a href={addressOfFound(found, query)} data-item>
        <span class="result-head">
          <Icon name={ICONS[found.kind]} />
          <span class="unseen">{NAMES[found.kind]}: </span>
          <span class="result-title">
            <Marked text={found.title || "Untitled"} query={query} />
          </span>
          <Time at={found.when} />
        </span>
        <span class="result-where">{placeOf(found)}</span>
        {passage !== "" && (
          <span class="result-snippet">
            <Marked text={passage} query={query} />
          </span>
        )}
      </a>
    </li>
  );
}

function addressOfFound({ kind, id, message = "" }: Found, query: string): string {
  if (kind === "note" || kind === "canvas") return noteAddress(id, { query });
  if (kind === "outline") return addressOf({ view: "outline", document: "", row: id, query });
  return addressOf({ view: "conversation", id, message, query });
}

/** The search names a source as its tools do: `claude-code: /home/person/layers`. */
function placeOf({ kind, where }: Found): string {
  if (kind !== "conversation") return where;
  const [source = "", ...folder] = where.split(": ");
  return [sourceName(source), ...(folder.length === 0 ? [] : [folder.join(": ")])].join(" › ");
}

/** Many notes begin with their title, which stands above already. */
function passageOf({ title, snippet }: Found): string {
  const passage = withoutMarkup(snippet);
  return passage.startsWith(title) ? passage.slice(title.length).trim() : passage;
}

/** A passage is read, not written: what only the source of a text has is left out. */
function withoutMarkup(passage: string): string {
  return (
    passage
      .replace(/!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, "$1")
      // One that the end of the passage cuts through.
      .replace(/!?\[\[(?:[^\]|]*\|)?([^\]]*)$/, "$1")
      .replace(/!?\[([^\]]*)\]\([^)\s]*\)/g, "$1")
      .replace(/(^…?|\s)(?:#{1,6}|>|[-*+] \[.\]|\[[ x]\]|[-*+]|\[![\w-]+\][-+]?)(?=\s)/g, "$1")
      .replace(/\*\*|__|==|~~|`+|%%|\*(?=\w)|(?<=\w)\*/g, "")
      .replace(/\s+/g, " ")
      .trim()
  );
}
