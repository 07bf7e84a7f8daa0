// Machines with conversations of Claude Code, which share them through a store. Used
// by the tests of shared conversations.
import { join } from "node:path";
import {
  type Conversations,
  openConversations,
  type PushRequest,
} from "../../src/conversations/conversation-library.ts";
import { claudeCode } from "../../src/conversations/sources/claude-code/claude-code.ts";
import { spaceNamed, type Store } from "../../src/shared/shared.ts";
import { redact } from "../../src/redaction/redaction.ts";
import { ClaudeHome, prompt, said } from "../claude-home.ts";
import { atTheEnd, temporaryFolder } from "../temporary-folder.ts";

export interface ConversationMachine {
  readonly home: ClaudeHome;
  readonly conversations: Conversations;
  readonly logged: readonly string[];
  /** Shares the conversations of a project, by default of `/code/shop`. */
  readonly push: (
    options?: Partial<Pick<PushRequest, "again" | "isHidden" | "isPreview" | "onProgress" | "store">> & {
      readonly project?: string;
    },
  ) => ReturnType<Conversations["push"]>;
}

export function newConversationMachine(
  store: Store,
  space: string,
  home = new ClaudeHome(),
  cache = temporaryFolder(),
): ConversationMachine {
  const logged: string[] = [];
  const conversations = openConversations({
    file: join(temporaryFolder(), "conversations.db"),
    sources: [claudeCode],
    homes: [home],
    redact,
    log: (text) => void logged.push(text),
    shared: { open: async () => store, cache },
  });
  atTheEnd(() => conversations.close());
  return {
    logged,
    home,
    conversations,
    push: async ({ project = "/code/shop", ...options } = {}) =>
      conversations.push({
        store,
        space: await spaceNamed(store, space),
        projects: await conversations.projectsToShare(project),
        isHidden: undefined,
        ...options,
      }),
  };
}

/** A conversation of one question and one answer. */
export function talk(home: ClaudeHome, session: string, question: string, reply: string, cwd = "/code/shop"): void {
  const rest = { sessionId: session, cwd };
  home.write(
    session,
    [prompt(`${session}-1`, question, rest), said(`${session}-2`, `msg-${session}`, reply, rest)],
    cwd.replaceAll("/", "-"),
  );
}
