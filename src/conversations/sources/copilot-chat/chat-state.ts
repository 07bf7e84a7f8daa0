// A chat session as VS Code would load it, from the bytes of its file. Until
// version 1.108 that is one document; since then a log, whose first entry is the
// whole session and whose others change it: set a value, push to a list after
// cutting it, delete. Values stay bytes: a session may have a hundred megabytes,
// nearly all of which is tool output, edits and prompts for the model, and is
// never parsed. Pure; used by copilot-chat.ts.
import { elementsIn, fieldsIn, topLevelText } from "../kit/json-bytes.ts";
import { recordOf, storedJson, textOf } from "../kit/stored-json.ts";

/** Its bytes are looked into when it is needed: a session may have hundreds. */
export class ChatRequest {
  readonly id: string;
  readonly #bytes: Buffer;
  #fields: Map<string, Buffer> | undefined;
  #response: { readonly parts: Buffer[] | undefined } | undefined;
  /** By name, a field that was looked into. */
  readonly #inner = new Map<string, { readonly of: Buffer | undefined; readonly fields: Map<string, Buffer> }>();

  /** @param id for one that has none: the oldest have none */
  constructor(bytes: Buffer, id: string) {
    this.#bytes = bytes;
    this.id = topLevelText(bytes, "requestId") || textOf(valueOf(this.fields.get("requestId"))) || id;
  }

  /** About how much work it is to read. */
  get size(): number {
    return this.#bytes.length;
  }

  get fields(): Map<string, Buffer> {
    this.#fields ??= fieldsOf(this.#bytes);
    return this.#fields;
  }

  /** The fields in a field, found once: the result has most of a session. */
  fieldsIn(name: string): Map<string, Buffer> {
    const of = this.fields.get(name);
    const known = this.#inner.get(name);
    if (known !== undefined && known.of === of) return known.fields;
    const fields = fieldsOf(of);
    this.#inner.set(name, { of, fields });
    return fields;
  }

  /** Undefined if it is no list: very old ones are text. */
  get response(): Buffer[] | undefined {
    this.#response ??= { parts: elementsOf(this.fields.get("response")) };
    return this.#response.parts;
  }

  set response(parts: Buffer[] | undefined) {
    this.#response = { parts };
  }
}

/** Far more than any program writes: damaged or made-up files must not fill the memory. */
const MAX_FIELDS = 10_000;
const MAX_ELEMENTS = 100_000;

export function fieldsOf(value: Buffer | undefined): Map<string, Buffer> {
  const fields = new Map<string, Buffer>();
  if (value === undefined) return fields;
  for (const [name, { start, end }] of fieldsIn(value, 0, MAX_FIELDS) ?? [])
    fields.set(name, value.subarray(start, end));
  return fields;
}

/** Undefined if it is no list. */
export function elementsOf(value: Buffer | undefined): Buffer[] | undefined {
  return value === undefined
    ? undefined
    : elementsIn(value, 0, MAX_ELEMENTS)?.map(({ start, end }) => value.subarray(start, end));
}

/** The value; long texts in one of many megabytes are cut. */
export function valueOf(value: Buffer | undefined): unknown {
  return value === undefined ? undefined : storedJson(value);
}

/** Text, or the text of a Markdown string. */
export function markdownOf(value: unknown): string | undefined {
  return textOf(value) ?? textOf(recordOf(value)?.["value"]);
}

/** What an entry of a log does. */
const INITIAL = 0;
const SET = 1;
const PUSH = 2;
const DELETE = 3;

export class ChatState {
  fields = new Map<string, Buffer>();
  requests: ChatRequest[] = [];
  /** Every request that there was, in the order of their appearance. */
  readonly seen = new Map<string, ChatRequest>();
  /** Lines that are damaged, or change what is not there. */
  damaged = 0;
  isLoaded = false;
  readonly #session: string;

  /** @param session its id, as the file is named */
  constructor(session: string) {
    this.#session = session;
  }

  /** @returns false if it is no session */
  load(document: Buffer): boolean {
    const fields = fieldsOf(document);
    const requests = elementsOf(fields.get("requests"));
    if (requests === undefined) return false;
    this.fields = fields;
    this.isLoaded = true;
    return this.#replace(0, requests);
  }

  applyLine(line: Buffer): void {
    const entry = fieldsOf(line);
    const kind = valueOf(entry.get("kind"));
    const value = entry.get("v");
    if (kind === INITIAL) {
      if (value === undefined || !this.load(value)) this.damaged++;
      return;
    }
    const path = valueOf(entry.get("k"));
    if (!Array.isArray(path) || (kind !== SET && kind !== PUSH && kind !== DELETE)) {
      this.damaged++;
      return;
    }
    const cut = valueOf(entry.get("i"));
    if (!this.#change(kind, path, value, typeof cut === "number" ? cut : undefined)) this.damaged++;
  }

  /** @returns false if there is nothing to be changed there */
  #change(kind: number, path: readonly unknown[], value: Buffer | undefined, cut: number | undefined): boolean {
    const [name, at, ...inner] = path;
    if (typeof name !== "string") return false;
    if (name !== "requests") {
      if (path.length === 1) setIn(this.fields, name, kind, value);
      return true;
    }
    if (at === undefined)
      return this.#replace(kind === PUSH ? (cut ?? this.requests.length) : 0, elementsOf(value) ?? []);
    const request = typeof at === "number" ? this.requests[at] : undefined;
    if (request === undefined) return false;
    if (inner.length === 0) {
      this.requests[at as number] = this.#request(value ?? Buffer.alloc(0), at as number);
      return true;
    }
    return changeRequest(request, kind, inner, value, cut);
  }

  #replace(from: number, elements: readonly Buffer[]): boolean {
    if (!Number.isInteger(from) || from < 0 || from > this.requests.length) return false;
    this.requests.length = from;
    for (const element of elements) this.requests.push(this.#request(element, this.requests.length));
    return true;
  }

  #request(bytes: Buffer, at: number): ChatRequest {
    const request = new ChatRequest(bytes, `${this.#session}:${at}`);
    this.seen.set(request.id, request);
    return request;
  }
}

function setIn(fields: Map<string, Buffer>, name: string, kind: number, value: Buffer | undefined): void {
  if (kind === SET && value !== undefined) fields.set(name, value);
  else if (kind !== PUSH) fields.delete(name);
}

function changeRequest(
  request: ChatRequest,
  kind: number,
  [name, at, ...inner]: readonly unknown[],
  value: Buffer | undefined,
  cut: number | undefined,
): boolean {
  if (typeof name !== "string" || inner.length > 0) return true;
  if (name === "response" && at === undefined) {
    if (kind !== PUSH) request.response = elementsOf(value);
    else {
      const parts = (request.response ??= []);
      const from = cut ?? parts.length;
      if (!Number.isInteger(from) || from < 0 || from > parts.length) return false;
      parts.length = from;
      for (const part of elementsOf(value) ?? []) parts.push(part);
    }
  } else if (name === "response") {
    if (typeof at !== "number" || request.response?.[at] === undefined || value === undefined) return false;
    request.response[at] = value;
  } else if (at === undefined) {
    for (const known of request.fields.keys()) if (known.startsWith(`${name}.`)) request.fields.delete(known);
    setIn(request.fields, name, kind, value);
  } else if (typeof at === "string") setIn(request.fields, `${name}.${at}`, kind, value);
  return true;
}

/** The value of a field of a request, or of a field in it, which may have been changed alone. */
export function requestValue(request: ChatRequest, name: string, inner?: string): unknown {
  if (inner === undefined) return valueOf(request.fields.get(name));
  return valueOf(request.fields.get(`${name}.${inner}`) ?? request.fieldsIn(name).get(inner));
}
