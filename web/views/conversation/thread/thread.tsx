// One conversation as a thread: the prose in order, with tool calls and thoughts
// folded, its prompts at the side, and a bar to find and jump.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import {
  Columns,
  Loading,
  More,
  ProblemNote,
  ProblemView,
  useIsWide,
  useTitle,
  useVisited,
} from "../../../components/components.ts";
import { conversationTitle } from "../../../format/format.ts";
import { highlightMatches, scrollToFirstMatch } from "../../../markdown/markdown.ts";
import { addressOf, CONVERSATIONS, useNavigation, type RouteTo } from "../../../navigation/navigation.ts";
import { Messages } from "./messages.tsx";
import { PromptList } from "./prompt-list.tsx";
import { ThreadHead } from "./thread-head.tsx";
import { ThreadTools } from "./thread-tools.tsx";
import { useFound, useConversation, usePrompts, type Prompt } from "./use-conversation.ts";

export function Thread({ route }: { route: RouteTo<"conversation"> }) {
  const { id, message, query } = route;
  const words = route.find || query;
  const { navigate } = useNavigation();
  const { facts, relatives, messages, problem, loadMore, hasMore } = useConversation(id, message);
  const prompts = usePrompts(id);
  const found = useFound(id, words);
  const thread = useRef<HTMLDivElement>(null);
  const hasScrolled = useRef("");
  /** The message that was jumped to last. */
  const [at, setAt] = useState(message);
  const isWide = useIsWide();

  const title = facts && conversationTitle(facts.title);
  useTitle(title);
  useVisited("conversation", addressOf({ ...CONVERSATIONS, id }), title);
  useEffect(() => (thread.current ? highlightMatches(thread.current, words) : undefined), [messages, words]);
  // Before the messages are painted: a key that is pressed as soon as they are seen jumps on from here.
  useLayoutEffect(() => {
    if (hasScrolled.current === `${id} ${message}` || messages.length === 0) return;
    hasScrolled.current = `${id} ${message}`;
    setAt(message);
    if (!scrollToMessage(message) && words !== "") scrollToFirstMatch();
  }, [messages]);

  /** To a message that is there, or to where it is loaded. */
  const go = (to: string) => {
    setAt(to);
    if (!scrollToMessage(to)) navigate({ ...route, message: to });
  };
  const goToPrompt = (step: 1 | -1) => {
    const to = nextPrompt(prompts, at, step);
    if (to !== undefined) go(to);
  };
  useKeys({ j: () => goToPrompt(1), k: () => goToPrompt(-1) });

  if (facts === undefined && problem !== undefined)
    return (
      <ProblemView title="Conversation" problem={problem}>
        <a href={addressOf(CONVERSATIONS)}>All conversations</a>
      </ProblemView>
    );
  if (facts === undefined) return <Loading of="the conversation" />;
  const outline = <PromptList route={route} prompts={prompts} at={promptOf(prompts, at)} isOpen={isWide} onGo={go} />;
  return (
    <Columns label="Outline of the conversation" aside={isWide ? outline : undefined}>
      <div class="thread" ref={thread}>
        <ThreadHead facts={facts} relatives={relatives} />
        {!isWide && outline}
        <ThreadTools
          query={words}
          found={found}
          at={at}
          onFind={(find) => navigate({ ...route, find, query: "" }, { replaces: true })}
          onGo={go}
          onPrompt={goToPrompt}
        />
        {message !== "" && (
          <p class="count">
            Starts near the message that was found.{" "}
            <a href={addressOf({ ...route, message: "" })}>Read from the beginning</a>
          </p>
        )}
        <Messages
          messages={messages}
          source={facts.source_tool}
          asker={facts.shared_by === undefined ? "You" : facts.shared_by || "A former member"}
          found={message}
        />
        {problem && <ProblemNote problem={problem} />}
        {hasMore && <More onVisible={loadMore} />}
      </div>
    </Columns>
  );
}

/** @returns whether the message is there */
function scrollToMessage(id: string): boolean {
  const element = id === "" ? null : document.getElementById(`message-${id}`);
  element?.scrollIntoView({ block: "start" });
  element?.focus({ preventScroll: true });
  return element !== null;
}

/** The prompt before or after the one that was jumped to last; the first, if that was none. */
function nextPrompt(prompts: readonly Prompt[], at: string, step: 1 | -1): string | undefined {
  const index = prompts.findIndex(({ id }) => id === at);
  return prompts[index === -1 ? 0 : index + step]?.id;
}

function promptOf(prompts: readonly Prompt[], at: string): string {
  return prompts.some(({ id }) => id === at) ? at : "";
}

/** Keys of this view, outside text fields. */
function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyped = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
      if (isTyped || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
      if (!Object.hasOwn(latest.current, event.key)) return;
      event.preventDefault();
      latest.current[event.key]!();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
