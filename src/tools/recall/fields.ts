// Shared parts of the tools for conversations: arguments that filter them, and the
// form of a conversation in results. Secrets are redacted before they get here:
// see conversations.ts.
import {
  type Conversations,
  type ConversationSummary,
  SOURCE_NAMES,
  type SourceState,
} from "../../conversations/conversations.ts";
import { Problem } from "../../kernel/kernel.ts";
import { isoTime } from "../definition/dates.ts";
import { choice, list, optional } from "../definition/schema.ts";
import type { Call } from "../definition/define-tool.ts";

/** The schema names the most usual ones, since every conversation would pay for fifty names; all are taken. */
const LISTED = [
  "cursor",
  "claude-code",
  "windsurf",
  "codex",
  "gemini",
  "opencode",
  "copilot-chat",
  "copilot-cli",
  "cline",
  "zed",
  "claude-ai",
  "chatgpt",
] as const satisfies typeof SOURCE_NAMES;
const SOURCE = { ...choice(SOURCE_NAMES), schema: { type: "string", enum: LISTED } } as const;
export const TOOLS = optional(list(SOURCE, "or another source_tool"));

/** A conversation as the contract describes it, and what we add. */
export type ConversationResult = ReturnType<typeof conversationResult>;

export function conversationResult(conversation: ConversationSummary) {
  const { id, source, title, created, updated, timeKnown, messages, type, workspace, project, branch } = conversation;
  return {
    id,
    title,
    source_tool: source,
    created_at: isoTime(created),
    updated_at: isoTime(updated),
    ...(timeKnown !== "stored" && { times_from: timeKnown }),
    message_count: messages,
    conversation_type: type,
    workspace_id: workspace ?? "",
    project: project ?? "",
    ...(branch !== undefined && { branch }),
    ...(conversation.model !== undefined && { model: conversation.model }),
    ...(conversation.continues !== undefined && { continues: conversation.continues }),
    ...(conversation.isArchived && { archived: true }),
    ...(conversation.unavailable !== undefined && { unavailable: conversation.unavailable }),
    ...sharedBy(conversation),
  };
}

/** The command that opens it again in its own program, if there is one. */
export function resumeField(conversations: Pick<Conversations, "wayBack">, conversation: ConversationSummary) {
  const way = conversations.wayBack(conversation);
  return "line" in way && { resume: way.line };
}

/** Returns the member who shared it, if it is not of this machine. */
export function sharedBy({ shared }: Pick<ConversationSummary, "shared">) {
  return shared && { shared_by: shared.member, space: shared.space };
}

/**
 * How many conversations of each source were found, skipped and unreadable, and why. Sources without any are left out,
 * unless there is no conversation at all: then the contract's three and those that are installed say why.
 */
export function sourcesResult(states: readonly SourceState[], details: boolean, sharedUnavailable?: string) {
  const isThere = (state: SourceState) => hasAny(state) || state.looked.some((one) => one.isThere);
  const found = states.some(hasAny) ? states.filter(hasAny) : states.filter((one, at) => at < 3 || isThere(one));
  const shown = details ? states : found;
  return Object.fromEntries([
    ...shown.map((state) => {
      const { name, conversations, archived, skipped, unreadable, expiring } = state;
      const note = conversations === 0 ? whyNone(state) : undefined;
      return [
        name,
        {
          found: conversations,
          ...(archived > 0 && { archived }),
          skipped: sumOf(skipped),
          unreadable: sumOf(unreadable),
          ...(skipped.length + unreadable.length > 0 && {
            reasons: [...unreadable, ...skipped].slice(0, 5).map(({ count, reason }) => `${count}: ${reason}`),
          }),
          ...(expiring !== undefined && { about_to_be_deleted: expiring }),
          ...(note !== undefined && { note }),
        },
      ] as const;
    }),
    ...(sharedUnavailable === undefined
      ? []
      : [["shared_store", { found: 0, skipped: 0, unreadable: 0, note: sharedUnavailable }] as const]),
  ]);
}

/** Why a source has no conversations, where that is known. */
function whyNone({ isReached, isImported, looked }: SourceState): string | undefined {
  if (!isReached) return "being indexed";
  if (isImported) return "no export imported";
  return looked.every(({ isThere }) => !isThere) ? "not installed here" : undefined;
}

function hasAny({ conversations, skipped, unreadable, expiring }: SourceState): boolean {
  return conversations + skipped.length + unreadable.length > 0 || expiring !== undefined;
}

function sumOf(notices: readonly { readonly count: number }[]): number {
  return notices.reduce((sum, { count }) => sum + count, 0);
}

/** The folder of the project, even if it no longer exists: its conversations still do. */
/** Returns memories and rules of hosts that answer a question. Nothing of other machines. */
export async function memoriesAbout(
  question: string,
  { services, most }: Pick<Call, "services"> & { readonly most: number },
  project: string | undefined = services.settings.project,
) {
  if (question.trim() === "") return [];
  const conversations = await services.conversations();
  const isHidden = services.isHiddenFile ?? (() => false);
  return conversations.memories(question, { projects: project === undefined ? [] : [project], isHidden, most });
}

export async function folderWorkedIn({ services, roots }: Pick<Call, "services" | "roots">): Promise<string> {
  try {
    return (await services.projectRoot({ roots })).folder;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return services.settings.project ?? services.settings.workingDirectory;
  }
}
