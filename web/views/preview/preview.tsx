// What is shown of a note or a conversation beside a link to it: the beginning of its
// text, or its prompts.
import { Loading } from "../../components/components.ts";
import { conversationTitle, fileKind, nameOf, sourceName, withoutMarkup } from "../../format/format.ts";
import { renderMarkdown } from "../../markdown/markdown.ts";
import { anchorOf, type RouteTo } from "../../navigation/navigation.ts";
import { useToolCall } from "../../server/server.ts";
import { withoutProperties } from "../note/note.tsx";

const MAX_CHARACTERS = 1_200;
const MAX_PROMPTS = 5;

export function Preview({ to }: { to: RouteTo<"note"> | RouteTo<"conversation"> }) {
  return to.view === "note" ? <NotePreview {...to} /> : <ConversationPreview id={to.id} />;
}

function NotePreview({ path, heading }: { path: string; heading: string }) {
  const isNote = fileKind(path).kind === "note";
  const { result, problem } = useToolCall(
    "contentManager_readContent",
    isNote ? { filePath: path, raw: true } : undefined,
  );
  if (!isNote) return <p class="preview-title">{nameOf(path)}</p>;
  if (problem) return <p class="none">{problem.message}</p>;
  if (result === undefined) return <Loading of="the note" />;
  const text = fromHeading(withoutProperties(result.data.content), heading).trim();
  return (
    <>
      <p class="preview-title">{nameOf(path)}</p>
      <div class="prose" inert>
        {text === "" ? (
          <p class="none">This note is empty.</p>
        ) : (
          renderMarkdown(text.slice(0, MAX_CHARACTERS), PLAIN).nodes
        )}
      </div>
    </>
  );
}

/** Where links lead is not asked for: nothing in a preview can be clicked. */
const PLAIN = { resolve: () => "unknown" as const };

function fromHeading(text: string, heading: string): string {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => /^#{1,6} /.test(line) && anchorOf(line) === heading);
  return at === -1 ? text : lines.slice(at).join("\n");
}

function ConversationPreview({ id }: { id: string }) {
  const { result, problem } = useToolCall("read_conversation", { id, prompts: true });
  if (problem) return <p class="none">{problem.message}</p>;
  if (result === undefined) return <Loading of="the conversation" />;
  const { conversation, prompts = [] } = result;
  return (
    <>
      <p class="preview-title">{conversationTitle(conversation.title)}</p>
      <p class="none">
        {[sourceName(conversation.source_tool), conversation.project, `${conversation.message_count} messages`]
          .filter(Boolean)
          .join(", ")}
      </p>
      <ol class="preview-prompts">
        {prompts.slice(0, MAX_PROMPTS).map(({ id: prompt, text }) => (
          <li key={prompt}>{withoutMarkup(text) || "Without words"}</li>
        ))}
      </ol>
    </>
  );
}
