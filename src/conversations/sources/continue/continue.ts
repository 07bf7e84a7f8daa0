// Continue, in editors and as a CLI: a document for each session, written again
// as a whole, and a list of all sessions, which has the only times. A prompt that
// is edited in an editor removes what followed it; a compaction of the CLI
// removes everything before it. Messages of editors have ids, those of the CLI
// are known by what they say.
import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { cutIf, type CutKeys } from "../kit/brief-json.ts";
import { jsonDocument, listAt, listDocument } from "../kit/json-document.ts";
import { textOf } from "../kit/stored-json.ts";
import { folderOfUri } from "../kit/workspace-uri.ts";
import { storedTimes } from "../kit/stored-times.ts";
import { foundFile, lookedInto } from "../kit/transcript-search.ts";
import {
  timeOf,
  type Batch,
  type ConversationFacts,
  type ConversationSource,
  type Finding,
  type Home,
  type SourceEvent,
  type TranscriptFile,
  type Wanted,
} from "../source.ts";
import { DocumentTokens } from "../kit/token-counts.ts";
import { partsOfItem, saidIn, tokensOf, type Fields, type Said } from "./items.ts";

export const continueSource: ConversationSource = {
  name: "continue",
  reader: 2,
  title: "Continue",
  find,
  read,
};

const LIST = "sessions.json";

function* find({ folder, environment }: Home): Generator<Finding> {
  const sessions = join(environment["CONTINUE_GLOBAL_DIR"] || join(folder, ".continue"), "sessions");
  for (const { name } of yield* lookedInto(sessions))
    if (name.endsWith(".json") && name !== LIST) yield* foundFile(join(sessions, name));
}

interface Checkpoint {
  readonly mark: string;
  /** The messages of all readings, and the order of each. */
  readonly known: readonly (readonly [message: string, order: number])[];
}

const ITEMS_AT_ONCE = 100;

/** What tools gave, what was attached to a prompt, and what was sent to the model. */
const TOOL_OUTPUT: CutKeys = [{ key: "output", depth: 5 }, { key: "contextItems" }, { key: "promptLogs" }];

async function* read(
  transcript: TranscriptFile,
  text: string | undefined,
  signal: AbortSignal,
  wanted: Wanted,
): AsyncGenerator<Batch> {
  const before = text === undefined ? undefined : (JSON.parse(text) as Checkpoint);
  const { bytes, mark } = jsonDocument(transcript);
  if (mark === before?.mark) return;
  const { records, fieldOf } = listDocument(bytes, "history", cutIf(wanted, TOOL_OUTPUT));
  const id = basename(transcript.path, ".json");
  const field = (name: string) => textOf(fieldOf(name));
  const messages = new Messages(before?.known);
  let events: SourceEvent[] = [{ kind: "conversation", facts: factsOf(id, transcript, field) }];
  const tokens = new DocumentTokens();
  let skipped = 0;
  let count = 0;
  for (const item of records) {
    const said = item === undefined ? undefined : saidIn(item);
    if (item === undefined || said === undefined) skipped++;
    else {
      events.push(...eventsOf(item, said, id, messages));
      tokens.add(tokensOf(item));
    }
    if (++count % ITEMS_AT_ONCE !== 0) continue;
    yield events;
    if (signal.aborted) return;
    events = [];
  }
  events.push(...tokens.total(id));
  if (skipped > 0 && before === undefined)
    events.push({ kind: "skipped", count: skipped, reason: "messages in a form that is not known" });
  for (const message of messages.removed())
    events.push({ kind: "abandoned", conversation: id, abandoned: { message: `${id}:${message}` } });
  const checkpoint: Checkpoint = { mark, known: messages.known };
  yield [...events, { kind: "checkpoint", checkpoint: JSON.stringify(checkpoint) }];
}

function factsOf(
  id: string,
  transcript: TranscriptFile,
  field: (name: string) => string | undefined,
): ConversationFacts {
  const listed = listAt(join(dirname(transcript.path), LIST)).get(id);
  const created = timeOf(listed?.["dateCreated"] ?? listed?.["date_created"]);
  const title = field("title");
  const folder = field("workspaceDirectory");
  return {
    id,
    // What it is called before anything is known.
    title: title === undefined || /^(?:Untitled|New) Session$/.test(title) ? undefined : title,
    folder: folder === undefined ? undefined : folderOfUri(folder),
    model: field("chatModelTitle"),
    ...storedTimes(created),
    updated: { at: transcript.changed, known: "file" },
  };
}

function* eventsOf(item: Fields, said: Said, id: string, messages: Messages): Generator<SourceEvent> {
  if (said.role === "system") return;
  const { key, order } = messages.add(said);
  if (said.model !== undefined && said.model !== messages.model) {
    messages.model = said.model;
    yield { kind: "conversation", facts: { id, model: said.model } };
  }
  for (const part of partsOfItem(item, said, { conversation: id, message: `${id}:${key}`, order }))
    yield { kind: "part", part };
}

/** The messages of a session over all readings. */
class Messages {
  readonly #known: Map<string, number>;
  readonly #before: readonly string[];
  readonly #present = new Set<string>();
  /** Of the summary that the CLI left in place of everything before: what is repeated after it is new. */
  #compaction = "";
  model: string | undefined;

  constructor(known: Checkpoint["known"] = []) {
    this.#known = new Map(known);
    this.#before = known.map(([message]) => message);
  }

  get known(): Checkpoint["known"] {
    return [...this.#known];
  }

  /** Its key stays the same at every reading, and so does its order. */
  add(said: Said): { readonly key: string; readonly order: number } {
    const hash = createHash("sha256")
      .update(`${said.role} ${said.text}\n${said.calls}`)
      .digest("base64url")
      .slice(0, 12);
    if (said.isCompaction && this.#present.size === 0) this.#compaction = `${hash}.`;
    const own = said.id ?? `${this.#compaction}${hash}`;
    let key = own;
    for (let i = 2; this.#present.has(key); i++) key = `${own}.${i}`;
    this.#present.add(key);
    const order = this.#known.get(key) ?? this.#known.size;
    this.#known.set(key, order);
    return { key, order };
  }

  /** Messages of the last reading that an edit removed. Those that a compaction removed were said all the same. */
  removed(): string[] {
    if (this.#compaction !== "" || this.#present.size === 0) return [];
    return this.#before.filter((message) => !this.#present.has(message));
  }
}
