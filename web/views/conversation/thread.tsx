// One conversation as a thread: what people and assistants said, with tools and
// thoughts folded away, in the order in which it was said. A long one is loaded
// as it is read.
import { useEffect, useRef, useState } from "preact/hooks";
import { CopyButton, matchMarks, scrollToFirst } from "../../markdown/markdown.ts";
import { addressOf, type Place } from "../../navigation/navigation.ts";
import { Refusal, asRefusal, useSession } from "../../server/server.ts";
import { type ConversationFacts, Loading, RefusalNote, Refused, Time } from "../../components/components.ts";
import { sourceName } from "../../format/format.ts";
import { Messages } from "./messages.tsx";
import { resumeCommand } from "./resume-command.ts";
import { joined, type Message } from "./turns.ts";

interface Part {
  readonly conversation: ConversationFacts;
  readonly messages: readonly Message[];
  readonly nextCursor?: string;
}

interface Known {
  readonly facts?: ConversationFacts;
  readonly messages: readonly Message[];
  readonly next?: string | undefined;
  readonly refusal?: Refusal;
}

export function Thread({ place }: { place: Extract<Place, { view: "conversation" }> }) {
  const { id, message, query } = place;
  const { facts, messages, refusal, more, hasMore } = useConversation(id, message);
  const thread = useRef<HTMLDivElement>(null);
  const wasShown = useRef(false);

  useEffect(() => {
    if (facts !== undefined) document.title = `${facts.title} · Commonplace`;
    return () => void (document.title = "Commonplace");
  }, [facts]);
  useEffect(() => (thread.current ? matchMarks(thread.current, query) : undefined), [messages, query]);
  useEffect(() => {
    if (wasShown.current || messages.length === 0) return;
    wasShown.current = true;
    const wanted = message === "" ? null : document.getElementById(`message-${message}`);
    if (wanted !== null) {
      wanted.scrollIntoView({ block: "start" });
      wanted.focus({ preventScroll: true });
    } else if (query !== "") scrollToFirst();
  }, [messages]);

  if (facts === undefined && refusal !== undefined)
    return (
      // The tool's hint is for those who have tools.
      <Refused title="Conversation" refusal={new Refusal(refusal.message)}>
        <a href={addressOf({ view: "conversation", id: "", message: "", query: "" })}>All conversations</a>
      </Refused>
    );
  if (facts === undefined) return <Loading of="the conversation" />;
  return (
    <div class="thread" ref={thread}>
      <ThreadHead facts={facts} />
      {message !== "" && (
        <p class="count">
          From the message that was found. <a href={addressOf({ ...place, message: "" })}>Read from the beginning</a>
        </p>
      )}
      <Messages messages={messages} source={facts.source_tool} found={message} />
      {refusal && <RefusalNote refusal={refusal} />}
      {hasMore && <More onSeen={more} />}
    </div>
  );
}

function ThreadHead({ facts }: { facts: ConversationFacts }) {
  const command = resumeCommand(facts);
  return (
    <header class="thread-head">
      <p class="crumbs">
        <a href={addressOf({ view: "conversation", id: "", message: "", query: "" })}>Conversations</a>
      </p>
      <h1>{facts.title || "Untitled"}</h1>
      <p class="thread-facts">
        <span>{sourceName(facts.source_tool)}</span>
        {facts.project && <span title={facts.project}>{nameOfProject(facts.project)}</span>}
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

function nameOfProject(folder: string): string {
  return folder.split(/[/\\]/).findLast((part) => part !== "") ?? folder;
}

/** Loads what follows as soon as its end comes near. */
function More({ onSeen }: { onSeen: () => void }) {
  const end = useRef<HTMLDivElement>(null);
  const latest = useRef(onSeen);
  latest.current = onSeen;
  useEffect(() => {
    const watching = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && latest.current(), {
      rootMargin: "1500px",
    });
    watching.observe(end.current!);
    return () => watching.disconnect();
  }, []);
  return (
    <div ref={end} class="more">
      <button type="button" class="button" onClick={onSeen}>
        Show more
      </button>
    </div>
  );
}

function useConversation(id: string, around: string) {
  const { client, version } = useSession();
  const [known, setKnown] = useState<Known>({ messages: [] });
  const loading = useRef<AbortController>(undefined);

  const load = async (before: Known, from: object): Promise<void> => {
    const mine = new AbortController();
    loading.current = mine;
    try {
      const sent = { id, includeTools: true, ...from };
      const part = await client.call<Part>("read_conversation", sent, mine.signal);
      const messages = joined(before.messages, part.messages);
      setKnown({ facts: part.conversation, messages, next: part.nextCursor });
    } catch (error) {
      if (mine.signal.aborted) return;
      setKnown({ ...before, next: undefined, refusal: asRefusal(error) });
    }
    loading.current = undefined;
  };

  useEffect(() => {
    void load({ messages: [] }, around === "" ? {} : { around });
    return () => loading.current?.abort();
  }, [id, around]);
  // A conversation that goes on is one whose end was reached: what is new comes after it.
  const isAtEnd = known.facts !== undefined && known.next === undefined;
  useEffect(() => {
    if (version > 0 && isAtEnd) void load(known, { around: lastProse(known.messages) });
  }, [version]);

  return {
    ...known,
    hasMore: known.next !== undefined,
    more: () => {
      if (loading.current === undefined) void load(known, { cursor: known.next });
    },
  };
}

function lastProse(messages: readonly Message[]): string | undefined {
  return messages.findLast(({ kind }) => kind === undefined)?.id;
}
