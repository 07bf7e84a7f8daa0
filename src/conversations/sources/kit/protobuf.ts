// Reads protobuf messages whose definitions are not published: field by field,
// by the wire format alone. Pure; used for Windsurf's cached trajectories and
// for the blobs of Cursor's agent.

export interface ProtobufField {
  readonly number: number;
  /** An integer (varint, fixed), or the bytes of a text, a message or another length-delimited value. */
  readonly value: number | Uint8Array;
}

/** The fields of a message in order; undefined if the bytes are no message. */
export function fieldsOf(bytes: Uint8Array): ProtobufField[] | undefined {
  const fields: ProtobufField[] = [];
  const reader = { bytes, at: 0 };
  while (reader.at < bytes.length) {
    const tag = varint(reader);
    const field = tag === undefined || tag < 8 ? undefined : fieldOf(reader, Math.floor(tag / 8), tag % 8);
    if (field === undefined) return undefined;
    fields.push(field);
  }
  return fields;
}

interface Reader {
  readonly bytes: Uint8Array;
  at: number;
}

function fieldOf(reader: Reader, number: number, kind: number): ProtobufField | undefined {
  switch (kind) {
    case 0: {
      const value = varint(reader);
      return value === undefined ? undefined : { number, value };
    }
    case 1:
      return fixed(reader, number, 8);
    case 2: {
      const length = varint(reader);
      if (length === undefined || length > reader.bytes.length - reader.at) return undefined;
      const value = reader.bytes.subarray(reader.at, reader.at + length);
      reader.at += length;
      return { number, value };
    }
    case 5:
      return fixed(reader, number, 4);
    default:
      return undefined;
  }
}

function fixed(reader: Reader, number: number, length: number): ProtobufField | undefined {
  if (length > reader.bytes.length - reader.at) return undefined;
  let value = 0;
  for (let i = length - 1; i >= 0; i--) value = value * 256 + reader.bytes[reader.at + i]!;
  reader.at += length;
  return { number, value };
}

/** Up to ten bytes of seven bits, the lowest first. Inexact beyond 53 bits, which no used field has. */
function varint(reader: Reader): number | undefined {
  let value = 0;
  for (let i = 0; i < 10; i++) {
    const byte = reader.bytes[reader.at++];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return value;
  }
  return undefined;
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** The bytes as text; undefined if they are no UTF-8. */
export function textOfBytes(value: number | Uint8Array | undefined): string | undefined {
  if (!(value instanceof Uint8Array)) return undefined;
  try {
    return UTF8.decode(value);
  } catch {
    return undefined;
  }
}

export function valuesOf(fields: readonly ProtobufField[], number: number): (number | Uint8Array)[] {
  return fields.filter((field) => field.number === number).map(({ value }) => value);
}

/** The first message in a field; undefined if there is none. */
export function messageIn(fields: readonly ProtobufField[], number: number): ProtobufField[] | undefined {
  const value = valuesOf(fields, number)[0];
  return value instanceof Uint8Array ? fieldsOf(value) : undefined;
}

/** `{1 seconds, 2 nanoseconds}` in milliseconds. */
export function timestampOf(fields: readonly ProtobufField[] | undefined): number | undefined {
  const seconds = fields === undefined ? undefined : valuesOf(fields, 1)[0];
  if (typeof seconds !== "number" || seconds < 1.4e9 || seconds > 4.2e9) return undefined;
  const nanoseconds = valuesOf(fields!, 2)[0];
  return seconds * 1000 + (typeof nanoseconds === "number" ? Math.floor(nanoseconds / 1e6) : 0);
}
