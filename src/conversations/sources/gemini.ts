// Gemini CLI: one file a session below `tmp/<project>/chats/`. Once a JSON
// document that is written anew with each message, now a log: a line for each
// state of a message, `$set` for the session's facts, `$rewindTo` where the
// person went back. Folders of sub-agents lie beside.
import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readBytes, readText } from "../../files/open-file.ts";
import { parsedLine, readJsonLines, reasonOf } from "../json-lines.ts";
import { foundFile, listed, lookedInto } from "../looking.ts";
import {
  boundedText,
  timeOf,
  UnreadableUnit,
  type Batch,
  type ConversationSource,
  type Finding,
  type Home,
  type MessagePart,
  type Told,
  type Unit,
} from "../source.ts";
import { LARGEST_VALUE, recordOf, recordsOf, storedJson, textOf } from "../stored-json.ts";

export const gemini: ConversationSource = {
  name: "gemini",
  title: "Gemini CLI",
  find,
  read: (unit, checkpoint, signal) =>
    unit.path.endsWith(".jsonl") ? readLog(unit, checkpoint, signal) : readDocument(unit, checkpoint),
};

type Fields = Readonly<Record<string, unknown>>;

function* find({ folder, environment }: Home): Generator<Finding> {
  const root = join(environment["GEMINI_CLI_HOME"] || folder, ".gemini", "tmp");
  for (const project of yield* lookedInto(root)) {
    if (!project.isDirectory()) continue;
    const chats = join(root, project.name, "chats");
    for (const entry of (yield* listed(chats)) ?? []) {
      if (entry.isDirectory()) {
        for (const { name } of (yield* listed(join(chats, entry.name))) ?? [])
          if (/\.jsonl?$/.test(name)) yield* foundFile(join(chats, entry.name, name));
      } else if (/^session-.*\.jsonl?$/.test(entry.name)) yield* foundFile(join(chats, entry.name));
    }
  }
}

/** A log is read from where the last reading stopped; which messages it held then is not needed. */
interface Checkpoint {
  readonly at: string;
  readonly id: string | undefined;
  readonly order: number;
}

async function* readLog(unit: Unit, text: string | undefined, signal: AbortSignal): AsyncGenerator<Batch> {
  const before = text === undefined ? undefined : (JSON.parse(text) as Checkpoint);
  const session = new Session(unit, before);
  for await (const { isAnew, lines, checkpoint } of readJsonLines(unit, before?.at, signal)) {
    const told: Told[] = isAnew ? [{ kind: "anew" }] : [];
    let skipped = 0;
    for (const line of lines) {
      const record = recordOf(parsedLine(line));
      if (record === undefined) skipped++;
      else told.push(...session.toldByRecord(record));
    }
    if (skipped > 0) told.push({ kind: "skipped", count: skipped, reason: "lines that are no records" });
    const after: Checkpoint = { at: checkpoint, id: session.id, order: session.order };
    yield [...told, { kind: "checkpoint", checkpoint: JSON.stringify(after) }];
  }
}

/** The whole document at once: parts that are known by their ids stay as they are. */
async function* readDocument(unit: Unit, checkpoint: string | undefined): AsyncGenerator<Batch> {
  let bytes: Buffer;
  try {
    if (statSync(unit.path).size > LARGEST_VALUE) throw new UnreadableUnit("larger than 64 MB");
    bytes = readBytes(unit.path, { followsLinks: true });
  } catch (error) {
    if (error instanceof UnreadableUnit) throw error;
    throw new UnreadableUnit(reasonOf(error));
  }
  const mark = createHash("sha256").update(bytes).digest("base64url").slice(0, 16);
  if (mark === checkpoint) return;
  const document = recordOf(storedJson(bytes));
  // It is written in place: half of one is finished soon.
  if (document === undefined) throw new UnreadableUnit("no JSON, or not finished");
  const session = new Session(unit, undefined);
  const told: Told[] = [...session.toldByRecord(document)];
  yield [...told, { kind: "checkpoint", checkpoint: mark }];
}

class Session {
  readonly #unit: Unit;
  /** Below the folder of the session that it is a sub-agent of. */
  readonly #parent: string | undefined;
  readonly #project: string;
  id: string | undefined;
  order: number;
  #follows: string | undefined;
  /** Of each message that this reading told: a later state of it stays in its place. */
  readonly #orders = new Map<string, number>();
  readonly #before = new Map<string, string | undefined>();

  constructor(unit: Unit, before: Checkpoint | undefined) {
    this.#unit = unit;
    const folder = dirname(unit.path);
    const isBelow = basename(folder) !== "chats";
    this.#parent = isBelow ? basename(folder) : undefined;
    this.#project = dirname(isBelow ? dirname(folder) : folder);
    this.id = before?.id;
    this.order = before?.order ?? 0;
  }

  *toldByRecord(record: Fields): Generator<Told> {
    const facts = recordOf(record["$set"]) ?? (textOf(record["sessionId"]) === undefined ? undefined : record);
    if (facts !== undefined) {
      yield* this.#toldByFacts(facts);
      for (const message of recordsOf(facts["messages"])) yield* this.#toldByMessage(message);
      return;
    }
    const back = textOf(record["$rewindTo"]);
    // What follows takes the place of that message: its prompt follows the one before it.
    if (back !== undefined) this.#follows = this.#before.get(back);
    else yield* this.#toldByMessage(record);
  }

  *#toldByFacts(facts: Fields): Generator<Told> {
    this.id ??= textOf(facts["sessionId"]);
    if (this.#parent !== undefined || facts["kind"] === "subagent") return;
    const created = timeOf(facts["startTime"]);
    const updated = timeOf(facts["lastUpdated"]);
    const directories = facts["directories"];
    yield {
      kind: "conversation",
      facts: {
        id: this.#conversation,
        title: textOf(facts["summary"]),
        folder: (Array.isArray(directories) ? textOf(directories[0]) : undefined) ?? folderOfProject(this.#project),
        workspace: textOf(facts["projectHash"]) ?? basename(this.#project),
        ...(created !== undefined && { created: { at: created, known: "stored" as const } }),
        ...(updated !== undefined && { updated: { at: updated, known: "stored" as const } }),
      },
    };
  }

  get #conversation(): string {
    return this.#parent ?? this.id ?? basename(this.#unit.path).replace(/\.jsonl?$/, "");
  }

  *#toldByMessage(message: Fields): Generator<Told> {
    const isUser = message["type"] === "user";
    // Notices of the program: info, warning, error.
    if (!isUser && message["type"] !== "gemini") return;
    const id = textOf(message["id"]) ?? `${this.#conversation}:${this.order}`;
    const order = this.#orders.get(id) ?? this.order++;
    if (!this.#before.has(id)) this.#before.set(id, this.#follows);
    this.#orders.set(id, order);
    const conversation = this.#conversation;
    const role = isUser ? ("user" as const) : ("assistant" as const);
    const common = { conversation, message: id, order, role, time: timeOf(message["timestamp"]) };
    const thoughts = recordsOf(message["thoughts"]).map(({ subject, description }) =>
      `${textOf(subject) ?? ""}\n${textOf(description) ?? ""}`.trim(),
    );
    if (thoughts.length > 0)
      yield part({ ...common, key: `${id}:thinking`, kind: "thinking", text: boundedText(thoughts.join("\n\n")) });
    const text = textIn(message["displayContent"]) || textIn(message["content"]);
    if (text !== "" && this.#parent !== undefined)
      yield part({ ...common, key: id, kind: "subagent", text: boundedText(text) });
    else if (text !== "") {
      const follows = this.#before.get(id) ?? conversation;
      yield part({ ...common, key: id, kind: "prose", text, ...(isUser && { follows }) });
    }
    for (const [at, call] of recordsOf(message["toolCalls"]).entries())
      yield toolPart(call, { ...common, key: `${id}:tool:${at}` });
    this.#follows = id;
  }
}

function part(one: MessagePart): Told {
  return { kind: "part", part: one };
}

/** Text, or parts of which some are text. */
function textIn(content: unknown): string {
  if (typeof content === "string") return content.trim();
  const parts = Array.isArray(content) ? content : [content];
  const texts = parts.map((one) => {
    if (typeof one === "string") return one.trim();
    const fields = recordOf(one);
    return fields?.["inlineData"] === undefined && fields?.["fileData"] === undefined
      ? (textOf(fields?.["text"])?.trim() ?? "")
      : "[image]";
  });
  return texts.filter((text) => text !== "").join("\n\n");
}

function toolPart(call: Fields, common: Omit<MessagePart, "kind" | "text">): Told {
  const tool = textOf(call["name"]) ?? "tool";
  const args = recordOf(call["args"]);
  const gave = recordsOf(call["result"]).map((one) => recordOf(recordOf(one["functionResponse"])?.["response"]));
  const output = gave.map(
    (response) => textOf(response?.["output"]) ?? (response === undefined ? "" : JSON.stringify(response)),
  );
  const text = boundedText(
    [`${tool} ${JSON.stringify(args ?? {})}`, ...output].filter((line) => line !== "").join("\n"),
  );
  const files = ["file_path", "absolute_path", "path"]
    .map((name) => textOf(args?.[name]))
    .filter((file) => file !== undefined);
  return part({ ...common, role: "assistant", kind: "tool", tool, text, ...(files.length > 0 && { files }) });
}

/** The folder's name is a hash, or a short name; the path is written down in it, or in the list of all projects. */
function folderOfProject(project: string): string | undefined {
  const root = textOf(textAt(join(project, ".project_root")))?.trim();
  if (root !== undefined) return root;
  const projects = recordOf(
    recordOf(storedJson(textAt(join(dirname(dirname(project)), "projects.json"))))?.["projects"],
  );
  const name = basename(project);
  return Object.entries(projects ?? {}).find(
    ([folder, short]) => short === name || createHash("sha256").update(folder).digest("hex") === name,
  )?.[0];
}

function textAt(path: string): string | undefined {
  try {
    return readText(path, { followsLinks: true });
  } catch {
    return undefined;
  }
}
