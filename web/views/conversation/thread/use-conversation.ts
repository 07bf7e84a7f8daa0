// The messages of a conversation, loaded page by page as it is read, and the
// prompts of all of it.
import { useEffect, useRef, useState } from "preact/hooks";
import type { ResultNamed } from "../../../../src/tools/tools.ts";
import type { ConversationFacts } from "../../../components/components.ts";
import { asProblem, useServer, useToolCall, type InputOf, type Problem } from "../../../server/server.ts";
import { appendMessages, type Message } from "./turns.ts";

type Read = ResultNamed<"read_conversation">;
export type Relatives = NonNullable<Read["relatives"]>;
export type Prompt = NonNullable<Read["prompts"]>[number];

interface LoadedConversation {
  readonly facts?: ConversationFacts;
  readonly relatives?: Relatives | undefined;
  readonly messages: readonly Message[];
  readonly nextCursor?: string | undefined;
  readonly problem?: Problem;
}

/** @param around the id of the message to begin near to; empty for the beginning */
export function useConversation(id: string, around: string) {
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
      setLoaded({ facts: page.conversation, relatives: page.relatives, messages, nextCursor: page.nextCursor });
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

const NO_PROMPTS: readonly Prompt[] = [];

/** The beginnings of all prompts, loaded or not. */
export function usePrompts(id: string): readonly Prompt[] {
  return useToolCall("read_conversation", { id, prompts: true }, { keepsPrevious: true }).result?.prompts ?? NO_PROMPTS;
}

/** The ids of all messages that have these words, loaded or not; undefined until they are known. */
export function useFound(id: string, words: string): readonly string[] | undefined {
  return useToolCall("read_conversation", words.trim() === "" ? undefined : { id, find: words }).result?.found;
}
