// One conversation as a thread: the prose in order, with tool calls and thoughts
// folded. A long conversation is loaded page by page as it is read.
import { useEffect, useRef, useState } from "preact/hooks";
import {
  Loading,
  More,
  ProblemNote,
  ProblemView,
  Time,
  useTitle,
  useVisited,
  type ConversationFacts,
} from "../../components/components.ts";
import { sourceName } from "../../format/format.ts";
import { CopyButton, highlightMatches, scrollToFirstMatch } from "../../markdown/markdown.ts";
import { addressOf, CONVERSATIONS, type RouteTo } from "../../navigation/navigation.ts";
import { asProblem, Problem, useServer, type InputOf } from "../../server/server.ts";
import { Messages } from "./messages.tsx";
import { resumeCommand } from "./resume-command.ts";
import { appendMessages, type Message } from "./turns.ts";

export function Thread({ route }: { route: RouteTo<"conversation"> }) {
  const { id, message, query } = route;
  const { facts, messages, problem, loadMore, hasMore } = useConversation(id, message);
  const thread = useRef<HTMLDivElement>(null);
  const hasScrolled = useRef(false);

  useTitle(facts?.title);
  useVisited("conversation", addressOf({ ...CONVERSATIONS, id }), facts?.title);
  useEffect(() => (thread.current ? highlightMatches(thread.current, query) : undefined), [messages, query]);
  useEffect(() => {
    if (hasScrolled.current || messages.length === 0) return;
    hasScrolled.current = true;
    const found = message === "" ? null : document.getElementById(`message-${message}`);
    if (found !== null) {
      found.scrollIntoView({ block: "start" });
      found.focus({ preventScroll: true });
    } else if (query !== "") scrollToFirstMatch();
  }, [messages]);

  if (facts === undefined && problem !== undefined)
    return (
      // Without the hint, which names tools.
      <ProblemView title="Conversation" problem={new Problem(problem.message)}>
        <a href={addressOf(CONVERSATIONS)}>All conversations</a>
      </ProblemView>
    );
  if (facts === undefined) return <Loading of="the conversation" />;
  return (
    <div class="thread" ref={thread}>
      <ThreadHead facts={facts} />
      {message !== "" && (
        <p class="count">
          Starts near the message that was found.{" "}
          <a href={addressOf({ ...route, message: "" })}>Read from the beginning</a>
        </p>
      )}
      <Messages messages={messages} source={facts.source_tool} found={message} />
      {problem && <ProblemNote problem={problem} />}
      {hasMore && <More onVisible={loadMore} />}
    </div>
  );
}

function ThreadHead({ facts }: { facts: ConversationFacts }) {
  const command = resumeCommand(facts);
  return (
    <header class="thread-head">
      <p class="crumbs">
        <a href={addressOf(CONVERSATIONS)}>Conversations</a>
      </p>
      <h1>{facts.title || "Untitled"}</h1>
      <p class="thread-facts">
        <span>{sourceName(facts.source_tool)}</span>
        {facts.project && <span title={facts.folder}>{facts.project}</span>}
        <Time at={Date.parse(facts.updated_at)} />
        <span>{facts.message_count === 1 ? "1 message" : `${facts.message_count} messages`}</span>
        {facts.archived && <span class="badge">kept here only</span>}
      </p>
      {command !== undefined && (
        <p class="resume">
          <code>{command}</code>
          <CopyButton text={command} label="Copy the command that resumes this conversation" />
        </p>
      )}
    </header>
  );
}

interface LoadedConversation {
  readonly facts?: ConversationFacts;
  readonly messages: readonly Message[];
  readonly nextCursor?: string | undefined;
  readonly problem?: Problem;
}

function useConversation(id: string, around: string) {
  const { client, version } = useServer();
  const [loaded, setLoaded] = useState<LoadedConversation>({ messages: [] });
  const loading = useRef<AbortController>(undefined);

  const load = async (before: LoadedConversation, from: InputOf<"read_conversation">): Promise<void> => {
    const controller = new AbortController();
    loading.current = controller;
    try {
      const input = { id, includeTools: true, ...from };
      const page = await client.call("read_conversation", input, controller.signal);
      const messages = appendMessages(before.messages, page.messages);
      setLoaded({ facts: page.conversation, messages, nextCursor: page.nextCursor });
    } catch (error) {
      if (controller.signal.aborted) return;
      setLoaded({ ...before, nextCursor: undefined, problem: asProblem(error) });
    }
    loading.current = undefined;
  };

  useEffect(() => {
    void load({ messages: [] }, around === "" ? {} : { around });
    return () => loading.current?.abort();
  }, [id, around]);
  // New messages come after the end, so they are loaded only if the end is.
  const isAtEnd = loaded.facts !== undefined && loaded.nextCursor === undefined;
  useEffect(() => {
    if (version > 0 && isAtEnd) void load(loaded, { around: lastProseId(loaded.messages) });
  }, [version]);

  return {
    ...loaded,
    hasMore: loaded.nextCursor !== undefined,
    loadMore: () => {
      if (loading.current === undefined) void load(loaded, { cursor: loaded.nextCursor });
    },
  };
}

function lastProseId(messages: readonly Message[]): string | undefined {
  return messages.findLast(({ kind }) => kind === undefined)?.id;
}
