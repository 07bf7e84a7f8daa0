// What was said in one request of a chat session and in the response to it.
// Pure; used by chat-events.ts.
import { recordOf, textOf } from "../kit/stored-json.ts";
import { boundedText, timeOf, type Role } from "../source.ts";
import { elementsOf, fieldsOf, markdownOf, requestValue, valueOf, type ChatRequest } from "./chat-state.ts";
import { shownBy, type Said } from "./response-parts.ts";
import { ToolCalls } from "./tool-invocations.ts";

export interface SaidBy extends Said {
  readonly role: Role;
  /** It was said after the point to which the person went back. */
  readonly isUndone?: true;
}

export interface ReadRequest {
  readonly said: readonly SaidBy[];
  /** Kinds of parts that are not known. */
  readonly unknown: readonly string[];
}

export function readRequest(request: ChatRequest): ReadRequest {
  const prompt = typedIn(request);
  const metadata = fieldsOf(request.fieldsIn("result").get("metadata"));
  const answer = requestValue(request, "hiddenFromTranscript") === true ? NOTHING : readResponse(request, metadata);
  const summary = textOf(recordOf(valueOf(metadata.get("summary")))?.["text"]);
  const said: SaidBy[] = [
    ...(prompt === "" ? [] : [{ role: "user", kind: "prose", text: prompt } as const]),
    ...answer.said,
    ...(summary === undefined ? [] : [{ role: "assistant", kind: "summary", text: boundedText(summary) } as const]),
  ];
  return { said, unknown: answer.unknown };
}

const NOTHING: ReadRequest = { said: [], unknown: [] };

/** Requests that the editor, or a click on a button, sent in the person's place. */
const UNTYPED = [
  "confirmation",
  "isSystemInitiated",
  "requestSource",
  "hiddenFromTranscript",
  "requestHiddenFromTranscript",
] as const;

function typedIn(request: ChatRequest): string {
  if (UNTYPED.some((name) => Boolean(requestValue(request, name)))) return "";
  const message = textOf(requestValue(request, "message", "text")) ?? textOf(requestValue(request, "message"));
  const variables = elementsOf(request.fieldsIn("variableData").get("variables")) ?? [];
  const images = variables.filter((variable) => {
    const fields = fieldsOf(variable);
    return valueOf(fields.get("kind")) === "image" || valueOf(fields.get("isImage")) === true;
  });
  return [message?.trim() ?? "", ...images.map(() => "[image]")].filter((text) => text !== "").join("\n\n");
}

function readResponse(request: ChatRequest, metadata: Map<string, Buffer>): ReadRequest {
  const calls = new ToolCalls(metadata);
  const parts = request.response ?? asList(request.fields.get("response"));
  const undoneAfter = textOf(recordOf(requestValue(request, "shouldBeRemovedOnSend"))?.["afterUndoStop"]);
  const said: SaidBy[] = [];
  const unknown: string[] = [];
  /** Where text is added: it goes on behind edits, but not behind tools and thoughts. */
  let open: number | undefined;
  let isUndone = false;
  const add = (one: Said): number =>
    said.push({ role: "assistant", ...bounded(one), ...(isUndone && { isUndone }) }) - 1;
  for (const bytes of parts) {
    const part = valueOf(bytes);
    const fields = recordOf(part);
    if (undoneAfter !== undefined && fields?.["kind"] === "undoStop" && fields["id"] === undoneAfter) {
      isUndone = true;
      open = undefined;
    }
    const shown = shownBy(part, calls);
    if (shown === "unknown") unknown.push(String(fields?.["kind"]).slice(0, 40));
    else if (shown === "silent") continue;
    else if ("inline" in shown) {
      if (open === undefined && shown.inline.trim() !== "") open = add({ kind: "prose", text: shown.inline });
      else if (open !== undefined) said[open] = { ...said[open]!, text: said[open]!.text + shown.inline };
    } else if (shown.text !== "") {
      if (shown.tool !== "edit") open = undefined;
      add(shown);
    }
  }
  return {
    said: said.map((one) => (one.kind === "prose" ? { ...one, text: withoutEmptyCode(one.text) } : one)),
    unknown,
  };
}

/** At once: edits and output may be most of a session. */
function bounded(said: Said): Said {
  return said.kind === "prose" ? said : { ...said, text: boundedText(said.text) };
}

/** Before 2024 a response was one text. */
function asList(response: Buffer | undefined): Buffer[] {
  return markdownOf(valueOf(response)) === undefined ? [] : [response!];
}

/** Code that was applied to a file leaves its fences behind. */
function withoutEmptyCode(text: string): string {
  return text.replaceAll(/(^|\n)(`{3,})[^\n`]*\n\s*\2(?=\s*(?:\n|$))/g, "$1").trim();
}

/** A day: a response that claims to have taken longer was completed by a later version of the editor, when it was loaded. */
const LONGEST = 86_400_000;

/** When it was asked, and when it was answered. */
export function timesOf(request: ChatRequest): {
  readonly asked: number | undefined;
  readonly answered: number | undefined;
} {
  const asked = timeOf(requestValue(request, "timestamp"));
  const completed = timeOf(requestValue(request, "modelState", "completedAt"));
  if (asked === undefined) return { asked, answered: completed };
  const timings = recordOf(requestValue(request, "result", "timings"));
  const elapsed = requestValue(request, "elapsedMs") ?? timings?.["totalElapsed"];
  const answered = typeof elapsed === "number" && elapsed >= 0 && elapsed < LONGEST ? asked + elapsed : completed;
  return {
    asked,
    answered: answered !== undefined && answered >= asked && answered < asked + LONGEST ? answered : asked,
  };
}

/** Returns whether the person went back before it. */
export function isUndone(request: ChatRequest): boolean {
  const removal = recordOf(requestValue(request, "shouldBeRemovedOnSend"));
  const isPartly = textOf(removal?.["afterUndoStop"]) !== undefined;
  return requestValue(request, "isHidden") === true || (removal !== undefined && !isPartly);
}

export function modelOf(request: ChatRequest): string | undefined {
  return textOf(requestValue(request, "modelId"))?.replace(/^(?:copilot|github\.copilot-chat)\//, "");
}

/** Variables that were attached are not looked at again: they may be images of megabytes. */
export function changesWith(request: ChatRequest): Buffer[] {
  const fields = [...request.fields].filter(
    ([name]) =>
      !/^(?:variableData|response|usedContext|contentReferences|followups|agent|editedFileEvents|codeCitations)\b/.test(
        name,
      ),
  );
  const response = request.response ?? [request.fields.get("response") ?? Buffer.alloc(0)];
  return [...fields.flatMap(([name, value]) => [Buffer.from(name), value]), ...response];
}
