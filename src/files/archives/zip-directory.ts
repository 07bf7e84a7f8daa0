// The central directory of a zip archive: what it says of each member. Pure; used
// for archives of any size (conversations/imports/zip-file.ts), and for outlines
// in memory (outline/formats/archives/zip.ts).

const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const [END64, LOCATOR64] = [0x06064b50, 0x07064b50] as const;
/** A field that does not fit: its value is in the extra field of Zip64. */
const ELSEWHERE = 0xffffffff;
const ZIP64 = 1;

export const [STORED, DEFLATED] = [0, 8] as const;
/** Flags of a member: encrypted; sizes follow the content. */
export const [ENCRYPTED, DESCRIPTOR] = [0x0001, 0x0008] as const;
/** The end of the directory, and the longest comment that may follow it. */
export const MAX_END_LENGTH = 22 + 0xffff;
/** Length of the record that locates the end of a Zip64 directory; it stands right before the other end. */
const LOCATOR_BYTES = 20;

export interface ZipEntry {
  readonly name: string;
  /** Its offset in the directory. */
  readonly at: number;
  readonly flags: number;
  readonly method: number;
  readonly checksum: number;
  readonly packed: number;
  readonly size: number;
  /** The offset of its local header in the archive. */
  readonly header: number;
}

/** The offset of the record that ends the directory; undefined if there is none. */
export function directoryEnd(bytes: Buffer): number | undefined {
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - MAX_END_LENGTH); at--)
    if (bytes.readUInt32LE(at) === END && at + 22 + bytes.readUInt16LE(at + 20) === bytes.length) return at;
  return undefined;
}

export interface DirectoryPlace {
  readonly count: number;
  readonly size: number;
  readonly start: number;
}

/**
 * Returns the place of the directory, from the record that ends it.
 * @param read bytes of the archive, for the directories of large ones
 */
export function directoryPlace(
  tail: Buffer,
  end: number,
  read: (offset: number, length: number) => Buffer,
): DirectoryPlace | undefined {
  const place = {
    count: tail.readUInt16LE(end + 10),
    size: tail.readUInt32LE(end + 12),
    start: tail.readUInt32LE(end + 16),
  };
  if (place.count !== 0xffff && place.size !== ELSEWHERE && place.start !== ELSEWHERE) return place;
  const locator = end - LOCATOR_BYTES;
  if (locator < 0 || tail.readUInt32LE(locator) !== LOCATOR64) return place;
  const record = read(Number(tail.readBigUInt64LE(locator + 8)), 56);
  if (record.length < 56 || record.readUInt32LE(0) !== END64) return undefined;
  const [count, size, start] = [32, 40, 48].map((at) => Number(record.readBigUInt64LE(at))) as [number, number, number];
  return { count, size, start };
}

/** Undefined if it is damaged. */
export function zipEntries(directory: Buffer, count: number): ZipEntry[] | undefined {
  const entries: ZipEntry[] = [];
  let at = 0;
  for (let number = 0; number < count; number++) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== CENTRAL) return undefined;
    const [name, extra, comment] = [28, 30, 32].map((field) => directory.readUInt16LE(at + field)) as Three;
    const end = at + 46 + name + extra + comment;
    if (end > directory.length) return undefined;
    const [checksum, ...sizes] = [16, 20, 24, 42].map((field) => directory.readUInt32LE(at + field)) as Four;
    const extras = directory.subarray(at + 46 + name, at + 46 + name + extra);
    const [packed, size, header] = largeValues(sizes, extras);
    const [flags, method] = [8, 10].map((field) => directory.readUInt16LE(at + field)) as [number, number];
    const text = directory.toString("utf8", at + 46, at + 46 + name);
    entries.push({ name: text, at, flags, method, checksum, packed, size, header });
    at = end;
  }
  return at === directory.length ? entries : undefined;
}

type Three = [number, number, number];
type Four = [number, number, number, number];

/** With the values of the extra field for those that do not fit into 32 bits: only these, size before packed size. */
function largeValues([packed, size, header]: Three, extras: Buffer): Three {
  for (let at = 0; at + 4 <= extras.length; at += 4 + extras.readUInt16LE(at + 2)) {
    if (extras.readUInt16LE(at) !== ZIP64) continue;
    const field = extras.subarray(at + 4, at + 4 + extras.readUInt16LE(at + 2));
    let read = 0;
    const large = (value: number): number => {
      if (value !== ELSEWHERE || read + 8 > field.length) return value;
      read += 8;
      return Number(field.readBigUInt64LE(read - 8));
    };
    const [first, second] = [large(size), large(packed)];
    return [second, first, large(header)];
  }
  return [packed, size, header];
}
