// The messages of a thread. Each is rendered once, and the browser leaves out the
// painting of those that are far away.
import { memo } from "./memo.ts";
import { renderMarkdown, CodeBlock } from "../../markdown/markdown.ts";
import { Icon, Time } from "../../components/components.ts";
import { sourceName } from "../../format/format.ts";
import { summaryOf, turnsOf, type Message, type Turn } from "./turns.ts";

export function Messages({ messages, source, found }: { messages: readonly Message[]; source: string; found: string }) {
  return (
    <ol class="messages">
      {turnsOf(messages).map((turn, i) =>
        turn.is === "said" ? (
          <Said
            key={turn.message.id}
            message={turn.message}
            source={source}
            isNew={turn.isNew}
            isFound={turn.message.id === found}
          />
        ) : (
          <Done key={i} turn={turn} />
        ),
      )}
    </ol>
  );
}

interface SaidProps {
  readonly message: Message;
  readonly source: string;
  readonly isNew: boolean;
  readonly isFound: boolean;
}

const Said = memo(
  ({ message, source, isNew, isFound }: SaidProps) => {
    const { id, role, text, time, abandoned } = message;
    return (
      <li class={`message ${role}${isFound ? " is-found" : ""}`} id={`message-${id}`} tabIndex={-1}>
        <p class={isNew ? "message-head" : "message-head unseen"}>
          <span class="message-role">{role === "user" ? "You" : sourceName(source)}</span>
          {time !== undefined && <Time at={Date.parse(time)} />}
          {abandoned && <span class="badge">edited later</span>}
        </p>
        <div class="prose">{renderMarkdown(text, NO_LINKS).nodes}</div>
      </li>
    );
  },
  (a, b) => a.message.text === b.message.text && a.isFound === b.isFound,
);

/** What a conversation links to within a vault is not known. */
const NO_LINKS = { resolve: () => undefined };

function Done({ turn }: { turn: Extract<Turn, { is: "done" }> }) {
  return (
    <li class="done">
      <details>
        <summary>
          <Icon name="tool" />
          <span>{summaryOf(turn.messages)}</span>
        </summary>
        {turn.messages.map(({ kind, tool, text }, i) => (
          <div key={i} class="done-part">
            <p class="done-name">{tool === undefined || tool === kind ? kind : `${tool} · ${kind}`}</p>
            <CodeBlock text={text} language="" />
          </div>
        ))}
      </details>
    </li>
  );
}
