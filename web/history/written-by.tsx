// The origin of a note or an outline row: the conversations that wrote it, with the
// message, and the lines of it that still stand. Asked for when it is opened: past
// conversations are read for it. Used beside a note and an outline.
import { useState } from "preact/hooks";
import { Loading, ProblemNote, Time } from "../components/components.ts";
import { conversationTitle, sourceName } from "../format/format.ts";
import { addressOf, CONVERSATIONS } from "../navigation/navigation.ts";
import { IS_FOR_MEMBERS, useServer, useToolCall } from "../server/server.ts";

interface WrittenByProps {
  /** A path of the vault, or row:ID. */
  readonly file: string;
  /** Shows which lines of the text are meant, such as 3-5, 9; undefined for none. */
  readonly onLines?: (lines: string | undefined) => void;
}

const TOOL = "recall_conversations";
const MAX_LISTED = 20;

export function WrittenBy({ file, onLines }: WrittenByProps) {
  const { client } = useServer();
  const [isOpen, setOpen] = useState(false);
  const { result, problem } = useToolCall(TOOL, isOpen ? { file, since: "all", limit: MAX_LISTED } : undefined);
  // On the machine of another the files of this one are unknown.
  if (IS_FOR_MEMBERS || !client.has(TOOL)) return null;
  const found = result?.conversations;
  return (
    <details class="written-by" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>Where this comes from</h2>
      </summary>
      {problem && <ProblemNote problem={problem} />}
      {isOpen && !result && !problem && <Loading of="its conversations" />}
      {found?.length === 0 && (
        <p class="none">{result?.summary.note ?? "No conversation is known to have written it."}</p>
      )}
      <ul class="links">
        {found?.map(({ id, source_tool: source, title, updated_at: updated, ...change }) => {
          const { message_id: message = "", changed_lines: lines } = change as ChangeOf;
          const show = lines !== undefined && onLines !== undefined ? () => onLines(lines) : undefined;
          return (
            <li
              key={`${source} ${id}`}
              onPointerEnter={show}
              onFocusIn={show}
              onPointerLeave={() => onLines?.(undefined)}
              onFocusOut={() => onLines?.(undefined)}
            >
              <a href={addressOf({ ...CONVERSATIONS, id: `${source}/${id}`, message })}>{conversationTitle(title)}</a>
              <span class="snippet">
                {sourceName(source)} <Time at={Date.parse(updated)} />
              </span>
              <span class="snippet">{standsText(lines)}</span>
            </li>
          );
        })}
      </ul>
    </details>
  );
}

/** The facts of a change that the tool adds to a conversation. */
interface ChangeOf {
  readonly message_id?: string;
  readonly changed_lines?: string;
}

function standsText(lines: string | undefined): string {
  if (lines === undefined) return "What it wrote was changed since";
  return /[-,]/.test(lines) ? `Lines ${lines} are its own` : `Line ${lines} is its own`;
}
