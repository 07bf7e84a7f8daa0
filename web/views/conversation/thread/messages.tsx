// The messages of a thread. Each is rendered once; the browser skips painting
// those that are far away.
import { CopyButton, Time } from "../../../components/components.ts";
import { sourceName } from "../../../format/format.ts";
import { renderMarkdown } from "../../../markdown/markdown.ts";
import { memo } from "./memo.ts";
import { Steps } from "./steps.tsx";
import { turnsOf, type Message } from "./turns.ts";

interface MessagesProps {
  readonly messages: readonly Message[];
  readonly source: string;
  /** Who wrote the prompts. */
  readonly asker: string;
  /** The id of the message that a search found. */
  readonly found: string;
}

export function Messages({ messages, source, asker, found }: MessagesProps) {
  return (
    <ol class="messages">
      {turnsOf(messages).map((turn, i) =>
        turn.is === "prose" ? (
          <Prose
            key={turn.message.id}
            message={turn.message}
            speaker={turn.message.role === "user" ? asker : sourceName(source)}
            isNewSpeaker={turn.isNewSpeaker}
            isFound={turn.message.id === found}
          />
        ) : (
          <Steps key={i} messages={turn.messages} />
        ),
      )}
    </ol>
  );
}

interface ProseProps {
  readonly message: Message;
  readonly speaker: string;
  readonly isNewSpeaker: boolean;
  readonly isFound: boolean;
}

const Prose = memo(
  ({ message, speaker, isNewSpeaker, isFound }: ProseProps) => {
    const { id, role, text, time, abandoned } = message;
    return (
      <li class={`message ${role}${isFound ? " is-found" : ""}`} id={`message-${id}`} tabIndex={-1}>
        <p class={isNewSpeaker ? "message-head" : "message-head visually-hidden"}>
          <span class="message-role">{speaker}</span>
          {time !== undefined && <Time at={Date.parse(time)} />}
          {abandoned && <span class="badge">edited later</span>}
        </p>
        <div class="prose">{renderMarkdown(text, NO_LINKS).nodes}</div>
        <CopyButton text={text} label="Copy the message" />
      </li>
    );
  },
  (a, b) => a.message.text === b.message.text && a.isFound === b.isFound,
);

/** Which vault the links of a conversation belong to is unknown. */
const NO_LINKS = { resolve: () => "unknown" as const };
