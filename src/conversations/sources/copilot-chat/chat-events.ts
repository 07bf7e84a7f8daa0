// The events of a chat session, compared with what an earlier reading emitted of
// it: requests that have not changed since are not even parsed. Used by
// copilot-chat.ts.
import { hash } from "node:crypto";
import { recordOf, textOf } from "../kit/stored-json.ts";
import { folderOfUri } from "../kit/workspace-uri.ts";
import { storedTimes } from "../kit/stored-times.ts";
import { timeOf, type Batch, type ConversationFacts, type SourceEvent } from "../source.ts";
import { valueOf, type ChatRequest, type ChatState } from "./chat-state.ts";
import { changesWith, isUndone, modelOf, readRequest, timesOf, type ReadRequest, type SaidBy } from "./requests.ts";

/** A request as it was emitted: a mark of its bytes, a letter for each of its parts, and whether it was abandoned. */
type Emitted = readonly [mark: string, parts: string, isAbandoned: 0 | 1];

/** The checkpoint of a session. */
export interface Saved {
  readonly facts: string;
  readonly requests: Readonly<Record<string, Emitted>>;
  readonly damaged: number;
}

/** In milliseconds: less than between any two requests. */
const SHORTLY = 0.001;
/** Bytes of requests after which others may have their turn. */
const PIECE = 1 << 20;

const NEWLINE = Buffer.from("\n");

type Place = Pick<ConversationFacts, "folder" | "workspace">;

/** @returns the checkpoint after all batches */
export function* chatEvents(
  id: string,
  state: ChatState,
  place: Place,
  before: Saved | undefined,
): Generator<Batch, Saved> {
  const live = new Set(state.requests.map((request) => request.id));
  const requests = [...state.seen.values()];
  const known = new Map(Object.entries(before?.requests ?? {}));
  const facts = factsOf(id, state, place);
  const read: Reading[] = [];
  let size = 0;
  for (const request of requests) {
    read.push(new Reading(request, known.get(request.id)));
    size += request.size;
    if (size < PIECE) continue;
    size = 0;
    yield [];
  }
  const isRewritten = read.some((one) => one.isShorter);
  if (isRewritten) yield [{ kind: "rewritten" }];
  if (isRewritten || before?.facts !== JSON.stringify(facts)) yield [{ kind: "conversation", facts }];
  let events: SourceEvent[] = [];
  let order = Number.NEGATIVE_INFINITY;
  const emitted: Record<string, Emitted> = Object.create(null) as Record<string, Emitted>;
  for (const one of read) {
    const isAbandoned = !live.has(one.request.id) || isUndone(one.request);
    const first = Math.max(timesOf(one.request).asked ?? facts.created?.at ?? 0, order + SHORTLY);
    if (isRewritten || one.hasChanged) events.push(...one.events(id, first));
    events.push(...one.marks(id, isAbandoned));
    order = first + one.parts.length * SHORTLY;
    emitted[one.request.id] = [one.mark, one.parts, isAbandoned ? 1 : 0];
    size += one.request.size;
    if (size < PIECE) continue;
    size = 0;
    yield events;
    events = [];
  }
  // What the editor has removed from the file was undone by the person.
  for (const [request, [mark, parts, wasAbandoned]] of known) {
    if (state.seen.has(request) || isRewritten) continue;
    if (wasAbandoned === 0) events.push(...markedAs("abandoned", id, request));
    emitted[request] = [mark, parts, 1];
  }
  const damaged = state.damaged - (before?.damaged ?? 0);
  if (damaged > 0) events.push({ kind: "skipped", count: damaged, reason: "changes that are damaged or fit nothing" });
  yield events;
  return { facts: JSON.stringify(facts), requests: { ...emitted }, damaged: state.damaged };
}

function factsOf(id: string, { fields, requests }: ChatState, place: Place): ConversationFacts {
  const value = (name: string) => valueOf(fields.get(name));
  const created = timeOf(value("creationDate"));
  const updated = timeOf(value("lastMessageDate"));
  const first = requests[0] === undefined ? undefined : timesOf(requests[0]).asked;
  return {
    id,
    // By the program or the person, which it does not say. Version 2 computed it.
    title: textOf(value("customTitle")) ?? textOf(value("computedTitle")),
    workspace: place.workspace,
    folder: folderOfUri(textOf(value("workingDirectory")) ?? "") ?? place.folder,
    branch: textOf(recordOf(value("repoData"))?.["localBranch"]),
    model: requests.map(modelOf).findLast((model) => model !== undefined),
    ...storedTimes(created, updated),
    // An imported session has the requests of the exported one, with their ids and times.
    ...(created !== undefined && first !== undefined && first < created && { copiedAt: created }),
  };
}

/** One request, and what was emitted of it before. */
class Reading {
  readonly request: ChatRequest;
  readonly mark: string;
  readonly #before: Emitted | undefined;
  #read: ReadRequest | undefined;
  #parts: string | undefined;

  constructor(request: ChatRequest, before: Emitted | undefined) {
    this.request = request;
    this.#before = before;
    // In one piece: to add a hundred small ones to a hash takes longer than to compute it.
    const bytes = Buffer.concat(changesWith(request).flatMap((one) => [one, NEWLINE]));
    this.mark = hash("sha1", bytes, "base64url").slice(0, 12);
  }

  get hasChanged(): boolean {
    return this.#before?.[0] !== this.mark;
  }

  /** A letter for each part. */
  get parts(): string {
    this.#parts ??= this.hasChanged ? this.#said.map(letterOf).join("") : this.#before![1];
    return this.#parts;
  }

  /** Parts that were emitted are no longer there. */
  get isShorter(): boolean {
    return this.#before !== undefined && !this.parts.startsWith(this.#before[1]);
  }

  get #said(): readonly SaidBy[] {
    this.#read ??= readRequest(this.request);
    return this.#read.said;
  }

  /** Afterwards only the letters of its parts are kept. */
  *events(conversation: string, first: number): Generator<SourceEvent> {
    const { id } = this.request;
    const { asked, answered } = timesOf(this.request);
    for (const [at, { isUndone: isAfter, ...one }] of this.#said.entries()) {
      const message = one.role === "user" ? id : `${id}:answer${isAfter ? ":undone" : ""}`;
      const time = one.role === "user" ? asked : answered;
      yield {
        kind: "part",
        part: {
          ...one,
          conversation,
          key: one.role === "user" ? id : `${id}:${at}`,
          message,
          order: first + at * SHORTLY,
          ...(time !== undefined && { time }),
        },
      };
    }
    const { unknown } = this.#read!;
    this.#read = undefined;
    if (this.#before !== undefined) return;
    for (const kind of new Set(unknown))
      yield {
        kind: "skipped",
        count: unknown.filter((one) => one === kind).length,
        reason: `parts of the unknown kind ${kind}`,
      };
  }

  *marks(conversation: string, isAbandoned: boolean): Generator<SourceEvent> {
    const wasAbandoned = this.#before?.[2] === 1;
    if (isAbandoned !== wasAbandoned)
      yield* markedAs(isAbandoned ? "abandoned" : "revived", conversation, this.request.id);
    // Letters of parts that were undone are capitals.
    if (this.hasChanged && /[A-Z]/.test(this.parts))
      yield { kind: "abandoned", conversation, abandoned: { message: `${this.request.id}:answer:undone` } };
  }
}

const LETTERS = { prose: "p", tool: "t", thinking: "h", subagent: "a", summary: "s" } as const;

function letterOf({ role, kind, isUndone: isAfter }: SaidBy): string {
  const letter = role === "user" ? "u" : LETTERS[kind];
  return isAfter ? letter.toUpperCase() : letter;
}

function* markedAs(kind: "abandoned" | "revived", conversation: string, request: string): Generator<SourceEvent> {
  for (const message of [request, `${request}:answer`])
    yield kind === "abandoned" ? { kind, conversation, abandoned: { message } } : { kind, conversation, message };
}
