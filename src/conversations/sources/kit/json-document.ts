// A file that is one JSON document, which its program writes again as a whole with
// every change. Used by sources whose programs keep conversations like that.
import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { FileTooLarge, readBytes, readText, reasonOf, UnreadableFile } from "../../../files/files.ts";
import type { TranscriptFile } from "../source.ts";
import type { CutKeys } from "./brief-json.ts";
import { elementsIn, fieldsIn, parsedAt, type Span } from "./json-bytes.ts";
import { LARGE, MAX_VALUE_SIZE, recordOf, recordsOf, storedJson, textOf } from "./stored-json.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface JsonDocument {
  readonly bytes: Buffer;
  /** Differs if the content does: for a checkpoint. */
  readonly mark: string;
  /** Parsed when it is asked for; undefined if it is no JSON. Of a large one, texts are cut: `listDocument` cuts none. */
  readonly value: unknown;
}

/**
 * Throws `UnreadableFile` if it cannot be read, or is larger than 64 MB.
 * @param cut keys below which long texts are cut: see brief-json.ts
 */
export function jsonDocument({ path }: Pick<TranscriptFile, "path">, cut: CutKeys = []): JsonDocument {
  let bytes: Buffer;
  try {
    bytes = readBytes(path, { followsLinks: true }, MAX_VALUE_SIZE);
  } catch (error) {
    if (error instanceof FileTooLarge) throw new UnreadableFile("larger than 64 MB");
    throw new UnreadableFile(reasonOf(error));
  }
  const mark = createHash("sha256").update(bytes).digest("base64url").slice(0, 16);
  return {
    bytes,
    mark,
    get value() {
      return storedJson(bytes, cut);
    },
  };
}

/** Of a document whose program writes it in place: an incomplete one is complete soon. */
export const INCOMPLETE = "no JSON, or not finished";

/** A document that is a list, or has one in a field. */
export interface ListDocument {
  /** The elements of the list; undefined for one that is no record. */
  readonly records: Iterable<Fields | undefined>;
  /** Another field of the document. */
  readonly fieldOf: (name: string) => unknown;
}

/**
 * Parsed at once; one element at a time if the document is large, since screenshots and tool output make documents of
 * tens of megabytes, of which the prose must not be cut, or if an element of it is damaged. Throws `UnreadableFile` if
 * there is no list.
 * @param field that has the list, unless it is the document itself
 * @param cut keys below which long texts may be cut: see brief-json.ts
 */
export function listDocument(bytes: Buffer, field?: string, cut: CutKeys = []): ListDocument {
  const document = bytes.length > LARGE ? undefined : storedJson(bytes, cut);
  const fields = recordOf(document);
  const list = field === undefined ? document : fields?.[field];
  if (Array.isArray(list)) return { records: list.map(recordOf), fieldOf: (name) => fields?.[name] };
  const spans = field === undefined ? undefined : fieldsIn(bytes);
  const start = field === undefined ? firstSign(bytes) : spans?.get(field)?.start;
  const elements = start === undefined ? undefined : elementsIn(bytes, start);
  if (elements === undefined) throw new UnreadableFile(INCOMPLETE);
  return { records: elementsAt(bytes, elements), fieldOf: (name) => parsedAt(bytes, spans?.get(name)) };
}

function* elementsAt(bytes: Buffer, elements: readonly Span[]): Generator<Fields | undefined> {
  for (const { start, end } of elements) yield recordOf(storedJson(bytes.subarray(start, end)));
}

/** Behind a byte order mark and white space. */
function firstSign(bytes: Buffer): number {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (bytes[at]! <= 0x20) at++;
  return at;
}

/** The object in a small file beside a transcript; undefined if there is none. */
export function recordAt(path: string): Fields | undefined {
  return recordOf(storedJson(textAt(path)));
}

/** The list that was read last, by path, size and time: a first reading asks for hundreds of conversations. */
let lastList: { readonly stamp: string; readonly records: ReadonlyMap<string, Fields> } | undefined;

/**
 * A program's own list of its conversations, by id (`id`, `sessionId` or `session_id`); empty if there is none. The list
 * may be the document, or in its field `entries`.
 */
export function listAt(path: string): ReadonlyMap<string, Fields> {
  const stamp = stampOf(path);
  if (stamp === undefined) return new Map();
  if (lastList?.stamp !== stamp) {
    const value = storedJson(textAt(path));
    const records = recordsOf(recordOf(value)?.["entries"] ?? value).flatMap((record): [string, Fields][] => {
      const id = textOf(record["id"]) ?? textOf(record["sessionId"]) ?? textOf(record["session_id"]);
      return id === undefined ? [] : [[id, record]];
    });
    lastList = { stamp, records: new Map(records) };
  }
  return lastList.records;
}

function stampOf(path: string): string | undefined {
  try {
    const { size, mtimeMs } = statSync(path);
    return `${path} ${size} ${mtimeMs}`;
  } catch {
    return undefined;
  }
}

/** The text of a small file beside a transcript; undefined if it cannot be read. */
export function textAt(path: string): string | undefined {
  try {
    return readText(path, { followsLinks: true });
  } catch {
    return undefined;
  }
}
