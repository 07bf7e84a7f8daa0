// Conversations to go on with: the last ones, or those of a day.
import { CopyButton, Time, type RecalledConversation } from "../../components/components.ts";
import { conversationTitle, DAY, dateOf, sourceName } from "../../format/format.ts";
import { addressOf, CONVERSATIONS } from "../../navigation/navigation.ts";
import { useServer, useToolCall } from "../../server/server.ts";

const MAX_CONVERSATIONS = 6;
const MAX_OF_DAY = 30;

/** @param day such as 2026-01-31; empty for the last ones of all days */
export function Conversations({ day }: { day: string }) {
  const { client } = useServer();
  const asked = day === "" ? { since: "all", limit: MAX_CONVERSATIONS } : { ...spanOf(day), limit: MAX_OF_DAY };
  const { result } = useToolCall(
    "recall_conversations",
    client.has("recall_conversations") ? { ...asked, project: "all", min_score: 0 } : undefined,
    { keepsPrevious: true },
  );
  if (result === undefined) return null;
  return (
    <section aria-labelledby="continue-title">
      <h2 id="continue-title">{day === "" ? "Continue" : "Conversations"}</h2>
      {result.conversations.length === 0 && (
        <p class="none">{day === "" ? "No conversations yet." : "None on this day."}</p>
      )}
      <ul class="continue">
        {result.conversations.map((conversation) => (
          <li key={`${conversation.source_tool} ${conversation.id}`}>
            <Conversation {...conversation} />
          </li>
        ))}
      </ul>
      <p>
        <a href={addressOf(day === "" ? CONVERSATIONS : { ...CONVERSATIONS, day })}>All conversations</a>
      </p>
    </section>
  );
}

function Conversation(conversation: RecalledConversation) {
  const { id, source_tool: source, title, project, updated_at: updated, resume } = conversation;
  return (
    <>
      <a href={addressOf({ ...CONVERSATIONS, id: `${source}/${id}` })}>{conversationTitle(title)}</a>
      <p class="due-facts">
        <span>{sourceName(source)}</span>
        {project && <span>{project}</span>}
        <Time at={Date.parse(updated)} />
        {resume !== undefined && (
          <CopyButton text={resume} label="Resume: copy the command">
            Resume
          </CopyButton>
        )}
      </p>
    </>
  );
}

function spanOf(day: string) {
  return { since: day, before: dateOf(Date.parse(`${day}T12:00`) + DAY) };
}
