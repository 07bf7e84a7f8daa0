// The content of one of Cursor's bubbles: its text, thinking, tool. Pure. The
// same in all versions: inline in a conversation, a row of its own, or in a tab
// of the chat. Used by composers.ts and state-database.ts.
import { parseJson } from "../../../kernel/kernel.ts";
import { plainTextOf } from "../kit/rich-text.ts";
import { boundedText, timeOf, type KnownTime, type MessagePart, type SourceEvent } from "../source.ts";
import { recordOf, recordsOf, textOf } from "../kit/stored-json.ts";
import { folderOfUri } from "../kit/workspace-uri.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** The position of a bubble. */
export interface Standing {
  readonly conversation: string;
  readonly order: number;
  /** The bubble before it. */
  readonly follows: string | undefined;
  /** True if it is between an assistant and its sub-agent. */
  readonly isSubagent: boolean;
}

export function bubbleId(bubble: Fields): string | undefined {
  return textOf(bubble["bubbleId"]) ?? textOf(bubble["id"]);
}

export function* eventsOfBubble(bubble: Fields, id: string, standing: Standing): Generator<SourceEvent> {
  const isUser = bubble["type"] === 1 || bubble["type"] === "user";
  const common = {
    conversation: standing.conversation,
    message: id,
    order: standing.order,
    role: isUser ? ("user" as const) : ("assistant" as const),
    time: timeOfBubble(bubble),
  };
  const thinking = textOf(recordOf(bubble["thinking"])?.["text"]) ?? textOf(bubble["thinking"]);
  const side = standing.isSubagent ? "subagent" : undefined;
  if (thinking !== undefined)
    yield part({ ...common, key: `${id}:thinking`, kind: side ?? "thinking", text: boundedText(thinking) });
  const text = isUser ? typedIn(bubble) : (textOf(bubble["text"]) ?? textOf(bubble["rawText"]));
  if (text !== undefined) {
    if (side !== undefined || bubble["isThought"] === true)
      yield part({ ...common, key: id, kind: side ?? "thinking", text: boundedText(text) });
    else
      yield part({
        ...common,
        key: id,
        kind: "prose",
        text,
        ...(isUser && { follows: standing.follows ?? standing.conversation }),
      });
  }
  const tool = recordOf(bubble["toolFormerData"]);
  if (tool !== undefined && textOf(tool["name"]) !== undefined)
    yield toolPart(tool, { ...common, key: `${id}:tool`, kind: side ?? "tool" });
}

function part(one: MessagePart): SourceEvent {
  return { kind: "part", part: one };
}

function typedIn(bubble: Fields): string | undefined {
  const text =
    textOf(bubble["text"]) ?? textOf(plainTextOf(bubble["richText"])) ?? textOf(plainTextOf(bubble["initText"]));
  const images = [bubble["images"], bubble["selectedImages"], recordOf(bubble["context"])?.["selectedImages"]];
  if (!images.some((list) => Array.isArray(list) && list.length > 0)) return text?.trim();
  return text === undefined ? "[image]" : `${text.trim()}\n\n[image]`;
}

function toolPart(tool: Fields, common: Omit<MessagePart, "text">): SourceEvent {
  const name = String(tool["name"]);
  const asked = textOf(tool["rawArgs"]) ?? textOf(tool["params"]) ?? shown(tool["params"]);
  const gave = shown(tool["result"]);
  const status = tool["status"] === "error" || tool["status"] === "cancelled" ? ` (${tool["status"]})` : "";
  const text = boundedText([`${name}${status} ${asked}`.trimEnd(), gave].filter((line) => line !== "").join("\n"));
  return part({ ...common, role: "assistant", tool: name, text, files: filesOf(tool) });
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

const PATH_IN_ARGUMENTS =
  /"(?:relativeWorkspacePath|targetFile|target_file|file_path|filePath|path|effectiveUri)"\s*:\s*("(?:[^"\\]|\\.){1,1000}")/g;

/** The files that a tool call reads or writes; its arguments may be cut off. */
function filesOf(tool: Fields): string[] {
  const asked = [tool["params"], tool["rawArgs"]].map(shown).join("\n");
  const named = [...asked.matchAll(PATH_IN_ARGUMENTS)].map((match) => textOf(parseJson(match[1]!)));
  const paths = named.map((path) => (path?.includes("://") ? folderOfUri(path) : path));
  return [...new Set(paths.filter((path) => path !== undefined))];
}

/** No conversation with Cursor is older; smaller numbers are relative to the start of the program. */
const OLDEST = Date.UTC(2022, 0);

function timeOfBubble(bubble: Fields): number | undefined {
  const timing = recordOf(bubble["timingInfo"]);
  const times = [
    bubble["createdAt"],
    timing?.["clientRpcSendTime"],
    timing?.["clientSettleTime"],
    timing?.["clientEndTime"],
  ];
  return times.map(timeOf).find((time) => time !== undefined && time >= OLDEST);
}

export interface Head {
  readonly title: string | undefined;
  readonly folder: string | undefined;
  readonly workspace: string | undefined;
  readonly branch: string | undefined;
  readonly created: number | undefined;
  readonly updated: number | undefined;
  readonly model: string | undefined;
  /** The conversation whose assistant started this one. */
  readonly parent: string | undefined;
}

/** A composer's own record, or its entry in the list of all. */
export function headOf(composer: Fields): Head {
  const identifier = recordOf(composer["workspaceIdentifier"]);
  const repository = recordsOf(composer["trackedGitRepos"])[0];
  return {
    title: textOf(composer["name"]),
    folder: folderIn(identifier?.["uri"]) ?? folderOfCodeWorkspace(identifier),
    workspace: textOf(identifier?.["id"]),
    branch: textOf(recordsOf(repository?.["branches"])[0]?.["branchName"]) ?? textOf(composer["createdOnBranch"]),
    created: timeOf(composer["createdAt"]),
    updated: timeOf(composer["lastUpdatedAt"]),
    model: modelOf(composer),
    parent: textOf(recordOf(composer["subagentInfo"])?.["parentComposerId"]),
  };
}

/** "default" is whichever Cursor chose. */
function modelOf(composer: Fields): string | undefined {
  const model = textOf(recordOf(composer["modelConfig"])?.["modelName"]);
  return model === "default" ? undefined : model;
}

/** A URI as text, or in VS Code's parts. */
function folderIn(uri: unknown): string | undefined {
  if (typeof uri === "string") return folderOfUri(uri);
  const parts = recordOf(uri);
  const external = textOf(parts?.["external"]);
  const path = textOf(parts?.["path"]);
  return (
    (external && folderOfUri(external)) ??
    textOf(parts?.["fsPath"]) ??
    (path && folderOfUri(`file://${path}`)) ??
    undefined
  );
}

function folderOfCodeWorkspace(identifier: Fields | undefined): string | undefined {
  const file = folderIn(identifier?.["configPath"]);
  return file?.endsWith(".code-workspace") ? file.replace(/[/\\][^/\\]*$/, "") : undefined;
}

/** Facts about a conversation. The records of different versions have different fields. */
export function factsOf(id: string, head: Head): SourceEvent {
  const created: KnownTime | undefined = head.created === undefined ? undefined : { at: head.created, known: "stored" };
  const updated: KnownTime | undefined =
    head.updated === undefined ? undefined : { at: Math.max(head.updated, head.created ?? 0), known: "stored" };
  return {
    kind: "conversation",
    facts: {
      id,
      ...(head.title !== undefined && { title: head.title }),
      ...(head.folder !== undefined && { folder: head.folder }),
      ...(head.workspace !== undefined && { workspace: head.workspace }),
      ...(head.branch !== undefined && { branch: head.branch }),
      ...(head.model !== undefined && { model: head.model }),
      ...(created !== undefined && { created }),
      // Without a time of its last change, that of its beginning: later messages extend it.
      ...(updated !== undefined
        ? { updated }
        : created !== undefined && { updated: { ...created, known: "inferred" } }),
    },
  };
}

/** Messages of sub-agents come after all others: their real position is not stored. */
const AFTER_ALL = 1e9;

export function standingAt(
  conversation: string,
  at: number,
  follows: string | undefined,
  isSubagent: boolean,
): Standing {
  return { conversation, order: isSubagent ? AFTER_ALL + at : at, follows, isSubagent };
}

/** Of a conversation that is stored in one value. */
export function* eventsOfAll(
  bubbles: readonly Fields[],
  conversation: string,
  isSubagent: boolean,
): Generator<SourceEvent> {
  let follows: string | undefined;
  for (const [at, bubble] of bubbles.entries()) {
    const id = bubbleId(bubble) ?? `${conversation}:${at}`;
    yield* eventsOfBubble(bubble, id, standingAt(conversation, at, follows, isSubagent));
    follows = id;
  }
}
