// Reads the events of one Copilot CLI session, in their order. Used by
// copilot-cli.ts.
import type { LogReader, SessionLog } from "../formats/session-log.ts";
import { recordOf, recordsOf, textOf } from "../formats/stored-json.ts";
import { boundedText, timeOf, type MessagePart, type SourceEvent, type Said } from "../source.ts";
import { usageOf } from "../formats/token-counts.ts";
import { callOf, folderInPrompt, isSilent, outputOf, tokensOf, totalOf, typedIn, type Fields } from "./events.ts";
import { legacySession } from "./legacy-session.ts";

interface State {
  readonly conversation: string;
  readonly isSubagent: boolean;
  readonly events: number;
  readonly start?: number | undefined;
  readonly hasFolder: boolean;
  readonly calls: readonly (readonly [id: string, tool: string])[];
  readonly answer?: string | undefined;
  readonly countsRequests?: boolean;
}

/** Calls without a result yet: more than ever run at the same time. */
const MOST_CALLS = 50;
/** Between the start of a session and that of its workspace, in milliseconds: longer in a fork. */
const SOON = 60_000;

export class Session implements LogReader {
  readonly #log: SessionLog;
  readonly #workspaceCreated: number | undefined;
  /** Of another session if this one runs in its background. */
  #conversation: string;
  #isSubagent: boolean;
  #events: number;
  #start: number | undefined;
  #hasFolder: boolean;
  /** By call, the name of the tool, for its result. */
  readonly #calls: Map<string, string>;
  /** What was last said: `session.task_complete` may repeat it. */
  #answer: string | undefined;
  #reasoning: string | undefined;
  /** Whether each request is counted in a record of its own. Older versions only sum them up when the session ends. */
  #countsRequests: boolean;

  constructor(id: string, workspaceCreated: number | undefined, log: SessionLog, state: unknown) {
    this.#log = log;
    this.#workspaceCreated = workspaceCreated;
    const before = state as State | undefined;
    this.#conversation = before?.conversation ?? id;
    this.#isSubagent = before?.isSubagent ?? false;
    this.#events = before?.events ?? 0;
    this.#start = before?.start;
    this.#hasFolder = before?.hasFolder ?? false;
    this.#calls = new Map(before?.calls);
    this.#answer = before?.answer;
    this.#countsRequests = before?.countsRequests ?? false;
  }

  state(): State {
    return {
      conversation: this.#conversation,
      isSubagent: this.#isSubagent,
      events: this.#events,
      start: this.#start,
      hasFolder: this.#hasFolder,
      calls: [...this.#calls].slice(-MOST_CALLS),
      answer: this.#answer,
      countsRequests: this.#countsRequests,
    };
  }

  ended(): Iterable<SourceEvent> {
    return this.#log.ended(this.#conversation, (message) => message);
  }

  *eventsOf(event: Fields): Generator<SourceEvent> {
    const at = this.#events++;
    const type = textOf(event["type"]);
    const data = recordOf(event["data"]);
    if (type === undefined || data === undefined) return this.#log.skip("lines that are no records");
    const time = timeOf(event["timestamp"]);
    if (at === 1 && this.#start !== undefined && time !== undefined && time < this.#start)
      yield this.#fact({ copiedAt: this.#start });
    const id = textOf(event["id"]) ?? `${this.#conversation}:${at}`;
    const isSubagent =
      this.#isSubagent || textOf(event["agentId"]) !== undefined || textOf(data["parentToolCallId"]) !== undefined;
    switch (type) {
      case "session.start":
        return yield* this.#started(data);
      case "session.resume":
        return yield* this.#context(recordOf(data["context"]));
      case "session.context_changed":
        return isSubagent ? undefined : yield* this.#context(data);
      case "session.model_change":
        return isSubagent ? undefined : yield* this.#model(data["newModel"]);
      case "session.title_changed":
        return yield this.#fact({ title: textOf(data["title"]) });
      case "session.import_legacy":
        return yield* this.#imported(data);
      case "session.usage_record":
        this.#countsRequests = true;
        return yield* usageOf(tokensOf(recordOf(data["usage"])), { conversation: this.#conversation });
      case "session.shutdown":
        return this.#countsRequests
          ? undefined
          : yield* usageOf(totalOf(data), { conversation: this.#conversation, isTotal: true });
      case "system.message":
        return isSubagent ? undefined : yield* this.#prompted(data);
      default: {
        if (isSilent(type)) return;
        const said = this.#saidBy(type, data, isSubagent);
        if (said === undefined) return this.#log.skip(`events of the unknown type ${type.slice(0, 40)}`);
        if (type === "assistant.message" && !isSubagent) yield* this.#model(data["model"]);
        yield* this.#parts(said, id, messageOf(data) ?? id, time, isSubagent);
      }
    }
  }

  *#started(data: Fields): Generator<SourceEvent> {
    const parent = textOf(data["detachedFromSpawningParentSessionId"]);
    if (parent !== undefined) {
      this.#conversation = parent;
      this.#isSubagent = true;
      return;
    }
    this.#conversation = textOf(data["sessionId"]) ?? this.#conversation;
    this.#start = timeOf(data["startTime"]);
    const start = this.#start;
    if (start !== undefined) yield this.#fact({ created: { at: start, known: "stored" } });
    // Version 1.0.40 left the start of a fork as it was in the original.
    const workspace = this.#workspaceCreated;
    if (start !== undefined && workspace !== undefined && workspace > start + SOON)
      yield this.#fact({ copiedAt: workspace });
    yield* this.#context(recordOf(data["context"]));
    yield* this.#model(data["selectedModel"]);
  }

  *#context(context: Fields | undefined): Generator<SourceEvent> {
    const folder = textOf(context?.["cwd"]);
    if (folder === undefined || this.#isSubagent) return;
    this.#hasFolder = true;
    yield* this.#log.changedFacts(this.#conversation, { folder, branch: textOf(context?.["branch"]) });
  }

  *#model(model: unknown): Generator<SourceEvent> {
    if (!this.#isSubagent) yield* this.#log.changedFacts(this.#conversation, { model: textOf(model) });
  }

  *#prompted(data: Fields): Generator<SourceEvent> {
    const folder = this.#hasFolder ? undefined : folderInPrompt(data["content"]);
    if (folder !== undefined) yield* this.#context({ cwd: folder });
  }

  /** A session of 2025 that was resumed by a newer version. */
  *#imported(data: Fields): Generator<SourceEvent> {
    const session = recordOf(data["legacySession"]);
    if (session !== undefined) yield* legacySession({ ...session, sessionId: this.#conversation }, this.#conversation);
  }

  #fact(facts: object): SourceEvent {
    return { kind: "conversation", facts: { id: this.#conversation, ...facts } };
  }

  /** Undefined for an unknown event. */
  #saidBy(type: string, data: Fields, isSubagent: boolean): Said[] | undefined {
    switch (type) {
      case "user.message": {
        const isOfAgent = isSubagent || textOf(data["source"])?.startsWith("agent-") === true;
        const text = isOfAgent ? (textOf(data["content"]) ?? "") : typedIn(data);
        return [{ role: "user", kind: isOfAgent ? "subagent" : "prose", text }];
      }
      case "assistant.message":
        return this.#answered(data);
      case "assistant.reasoning":
        this.#reasoning = textOf(data["content"]);
        return [{ role: "assistant", kind: "thinking", text: this.#reasoning ?? "" }];
      case "tool.user_requested":
      case "tool.execution_start": {
        const call = textOf(data["toolCallId"]) ?? "";
        if (this.#calls.has(call)) return [];
        const said = callOf(data["toolName"], data["arguments"]);
        this.#calls.set(call, said.tool!);
        return [type === "tool.user_requested" ? { ...said, role: "user" } : said];
      }
      case "tool.execution_complete": {
        const call = textOf(data["toolCallId"]) ?? "";
        const tool = this.#calls.get(call) ?? "tool";
        this.#calls.delete(call);
        return [outputOf(data, tool)];
      }
      case "session.compaction_complete":
        return [{ role: "assistant", kind: "summary", text: textOf(data["summaryContent"]) ?? "" }];
      case "session.handoff":
        return [{ role: "assistant", kind: "summary", text: textOf(data["summary"]) ?? "" }];
      case "session.task_complete": {
        const text = textOf(data["summary"])?.trim() ?? "";
        return [{ role: "assistant", kind: "prose", text: text === this.#answer ? "" : text }];
      }
      default:
        return undefined;
    }
  }

  #answered(data: Fields): Said[] {
    const thinking = textOf(data["reasoningText"]);
    const isRepeated = thinking !== undefined && thinking === this.#reasoning;
    this.#reasoning = undefined;
    const text = textOf(data["content"])?.trim() ?? "";
    if (text !== "") this.#answer = text.length > 10_000 ? undefined : text;
    const calls = recordsOf(data["toolRequests"]).map((call): Said => {
      const said = callOf(call["name"], call["arguments"]);
      this.#calls.set(textOf(call["toolCallId"]) ?? "", said.tool!);
      return said;
    });
    return [
      ...(isRepeated ? [] : [{ role: "assistant", kind: "thinking", text: thinking ?? "" } as const]),
      { role: "assistant", kind: "prose", text },
      ...calls,
    ];
  }

  *#parts(
    said: readonly Said[],
    id: string,
    message: string,
    time: number | undefined,
    isSubagent: boolean,
  ): Generator<SourceEvent> {
    for (const [at, one] of said.entries()) {
      if (one.text === "") continue;
      const kind = isSubagent ? "subagent" : one.kind;
      const part: MessagePart = {
        ...one,
        conversation: this.#conversation,
        key: kind === "prose" ? id : `${id}:${at}`,
        message,
        order: this.#log.nextOrder(time),
        kind,
        text: kind === "prose" ? one.text : boundedText(one.text),
        time,
      };
      yield { kind: "part", part };
    }
  }
}

/** A response of a model may be split into several events. */
function messageOf(data: Fields): string | undefined {
  return typeof data["chunkIndex"] === "number" ? textOf(data["apiCallId"]) : undefined;
}
