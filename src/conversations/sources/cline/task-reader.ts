// Reads one task of Cline, Roo Code or Kilo Code. Its file is written again as a
// whole with every row; a restored checkpoint and an edited prompt remove the
// rows behind them. Those that an earlier reading emitted are abandoned. Used by
// the three sources.
import { basename, dirname, join } from "node:path";
import { jsonDocument, listDocument } from "../kit/json-document.ts";
import { recordOf, storedJson, textOf } from "../kit/stored-json.ts";
import { transcriptFileAt, type Batch, type SourceEvent, type TranscriptFile } from "../source.ts";
import { readSent } from "./sent-messages.ts";
import { factsOfTask, folderSentIn } from "./task-facts.ts";
import { DocumentTokens } from "../kit/token-counts.ts";
import { TaskRows, tokensOfRequest, type Fields } from "./task-rows.ts";

interface Checkpoint {
  readonly mark: string;
  /** Ids of the messages that were emitted. */
  readonly messages: readonly string[];
}

const ROWS_AT_ONCE = 200;

export async function* readTask(
  transcript: TranscriptFile,
  text: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  const before = text === undefined ? undefined : (JSON.parse(text) as Checkpoint);
  const { bytes, mark } = jsonDocument(transcript);
  if (mark === before?.mark) return;
  const task = dirname(transcript.path);
  const id = basename(task);
  const { folder, model, givenByTask } = factsOfTask(task);
  const rows = new TaskRows(id, givenByTask !== undefined);
  const said = { folder, model };
  let events: SourceEvent[] = [{ kind: "conversation", facts: { id, folder, model, title: givenByTask } }];
  const tokens = new DocumentTokens();
  let sent = 0;
  let count = 0;
  for (const row of listDocument(bytes).records) {
    if (isSent(row)) sent++;
    else events.push(...rows.eventsOf(row));
    if (row !== undefined) events.push(...factsIn(row, id, said));
    if (row?.["say"] === "api_req_started") tokens.add(tokensOfRequest(row));
    if (++count % ROWS_AT_ONCE !== 0) continue;
    yield events;
    if (signal.aborted) return;
    events = [];
  }
  // Rows were never written, or were lost: what was sent to the model says the same in other words.
  const other = sent > 0 ? transcript : count === 0 ? sentBeside(task) : undefined;
  if (other !== undefined) events.push(...readSent(jsonDocument(other).bytes, id));
  events.push(...tokens.total(id));
  const messages = [...rows.messages];
  if (rows.skipped > 0 && before === undefined)
    events.push({ kind: "skipped", count: rows.skipped, reason: "rows in a form that is not known" });
  // A file without rows is damaged rather than rewound.
  const gone = count === 0 ? [] : (before?.messages ?? []).filter((message) => !rows.messages.has(message));
  for (const message of gone)
    events.push({ kind: "abandoned", conversation: id, abandoned: { message: `${id}:${message}` } });
  const checkpoint: Checkpoint = { mark, messages: count === 0 ? (before?.messages ?? []) : messages };
  yield [...events, { kind: "checkpoint", checkpoint: JSON.stringify(checkpoint) }];
}

/** A message as it is sent to the model, in a file that should have rows. */
function isSent(row: Fields | undefined): boolean {
  return row !== undefined && row["type"] === undefined && row["role"] !== undefined;
}

function sentBeside(task: string): TranscriptFile | undefined {
  try {
    return transcriptFileAt(join(task, "api_conversation_history.json"));
  } catch {
    return undefined;
  }
}

/** The model that a row is from, and the folder in the request, where nothing else names them. */
function* factsIn(
  row: Fields,
  id: string,
  said: { folder: string | undefined; model: string | undefined },
): Generator<SourceEvent> {
  const model = textOf(recordOf(row["modelInfo"])?.["modelId"]);
  if (model !== undefined && model !== said.model) {
    said.model = model;
    yield { kind: "conversation", facts: { id, model } };
  }
  if (said.folder !== undefined || row["say"] !== "api_req_started") return;
  const request = textOf(recordOf(storedJson(row["text"]))?.["request"]);
  said.folder = request === undefined ? undefined : folderSentIn(request);
  if (said.folder !== undefined) yield { kind: "conversation", facts: { id, folder: said.folder } };
}
