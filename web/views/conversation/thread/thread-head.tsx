// The head of a thread: what the conversation is, what it continues and what
// continues it, and how it is resumed and exported.
import { useState } from "preact/hooks";
import { CopyButton, ProblemNote, Time, type ConversationFacts } from "../../../components/components.ts";
import {
  conversationTitle,
  durationText,
  exactTokens,
  sharedByText,
  sourceName,
  tokenText,
} from "../../../format/format.ts";
import { addressOf, CONVERSATIONS } from "../../../navigation/navigation.ts";
import { asProblem, useServer, type Problem } from "../../../server/server.ts";
import type { Relatives } from "./use-conversation.ts";

interface ThreadHeadProps {
  readonly facts: ConversationFacts;
  readonly relatives: Relatives | undefined;
}

export function ThreadHead({ facts, relatives }: ThreadHeadProps) {
  const { client } = useServer();
  const { resume } = facts;
  const [created, updated] = [Date.parse(facts.created_at), Date.parse(facts.updated_at)];
  return (
    <header class="thread-head">
      <p class="crumbs">
        <a href={addressOf(CONVERSATIONS)}>Conversations</a>
      </p>
      <h1>{conversationTitle(facts.title)}</h1>
      <p class="thread-facts">
        <span>{sourceName(facts.source_tool)}</span>
        {facts.model !== undefined && <span>{facts.model}</span>}
        {facts.project && <span title={facts.folder}>{facts.project}</span>}
        {facts.branch !== undefined && <span>branch {facts.branch}</span>}
        <Time at={updated} />
        {/* Times that were not stored say nothing about how long it took. */}
        {facts.times_from === undefined && updated > created && <span>{durationText(updated - created)}</span>}
        <span>{facts.message_count === 1 ? "1 message" : `${facts.message_count.toLocaleString("en")} messages`}</span>
        {facts.tokens !== undefined && <span title={exactTokens(facts.tokens)}>{tokenText(facts.tokens)}</span>}
        {facts.shared_by !== undefined && <span>{sharedByText(facts)}</span>}
        {facts.archived && <span class="badge">kept here only</span>}
      </p>
      {relatives && <RelativeLinks {...relatives} />}
      {resume !== undefined && (
        <p class="resume">
          <code>{resume}</code>
          <CopyButton text={resume} label="Copy the command that resumes this conversation" />
        </p>
      )}
      <div class="thread-actions">
        <CopyButton
          text={new URL(addressOf({ ...CONVERSATIONS, id: `${facts.source_tool}/${facts.id}` }), location.href).href}
          label="Copy link to this conversation"
          icon="link"
        >
          Copy link
        </CopyButton>
        {client.has("export_individual_conversations") && <Export id={facts.id} />}
      </div>
    </header>
  );
}

/** Forks and continuations: which of the two it is, no program says. */
function RelativeLinks({ earlier, later }: Relatives) {
  if (earlier === undefined && later.length === 0) return null;
  return (
    <ul class="relatives">
      {earlier && (
        <li>
          Continues <RelativeLink {...earlier} />
        </li>
      )}
      {later.map((one) => (
        <li key={`${one.source} ${one.id}`}>
          Continued in <RelativeLink {...one} />
        </li>
      ))}
    </ul>
  );
}

function RelativeLink({ id, source, title }: Relatives["later"][number]) {
  return <a href={addressOf({ ...CONVERSATIONS, id: `${source}/${id}` })}>{conversationTitle(title)}</a>;
}

function Export({ id }: { id: string }) {
  const { client } = useServer();
  const [file, setFile] = useState<string>();
  const [problem, setProblem] = useState<Problem>();
  const write = async () => {
    setProblem(undefined);
    try {
      const { files, output_directory: folder } = await client.call("export_individual_conversations", {
        id: [id],
        format: "md",
      });
      setFile(files[0] === undefined ? folder : files[0]);
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  return (
    <div class="export">
      <button type="button" class="quiet" onClick={() => void write()}>
        Export as Markdown
      </button>
      <span role="status">
        {file !== undefined && (
          <>
            Written to <code>{file}</code> <CopyButton text={file} label="Copy the path of the file" />
          </>
        )}
      </span>
      {problem && <ProblemNote problem={problem} />}
    </div>
  );
}
