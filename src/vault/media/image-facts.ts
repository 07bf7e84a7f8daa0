// Reads the header of an image: its true type, its size in pixels, and whether
// its end is there. A name may lie, and a host whose model gets an image of another
// type than announced, or half of one, refuses the whole conversation. Pure; used
// by media-content.ts and new-attachment.ts.

export interface ImageFacts {
  /** The type by the content, not by the name. */
  readonly type: string;
  readonly width?: number;
  readonly height?: number;
  /** True if the end of the image is missing. */
  readonly isCut?: true;
}

/** Some bytes of a file; fewer at its end. */
export interface ReadableBytes {
  readonly size: number;
  readonly read: (at: number, length: number) => Buffer;
}

interface Format {
  readonly type: string;
  readonly isIt: (start: Buffer) => boolean;
  readonly size: (
    file: ReadableBytes,
    start: Buffer,
  ) => { readonly width: number; readonly height: number } | undefined;
  readonly isWhole?: (file: ReadableBytes, start: Buffer) => boolean;
}

const START_BYTES = 64;
/** A large photo of a phone has a preview, and data of its maker, before its size. */
const MAX_SEGMENTS = 1_000;
/** How much of the description of an AVIF image or of an SVG file is read. */
const MAX_HEADER = 64 * 1024;
/** Cameras add data of their own after the end of a JPEG image. */
const TAIL_BYTES = 64 * 1024;

const ascii = (bytes: Buffer, at: number, length: number) => bytes.toString("latin1", at, at + length);
const little24 = (bytes: Buffer, at: number) => bytes.readUIntLE(at, 3);

const FORMATS: readonly Format[] = [
  {
    type: "image/png",
    isIt: (start) => ascii(start, 0, 8) === "\x89PNG\r\n\x1a\n" && ascii(start, 12, 4) === "IHDR",
    size: (_, start) => ({ width: start.readUInt32BE(16), height: start.readUInt32BE(20) }),
    isWhole: (file) => tailOf(file).includes("IEND"),
  },
  {
    type: "image/gif",
    isIt: (start) => /^GIF8[79]a$/.test(ascii(start, 0, 6)),
    size: (_, start) => ({ width: start.readUInt16LE(6), height: start.readUInt16LE(8) }),
    isWhole: (file) => tailOf(file).includes(0x3b),
  },
  {
    type: "image/jpeg",
    isIt: (start) => start[0] === 0xff && start[1] === 0xd8 && start[2] === 0xff,
    size: jpegSize,
    isWhole: (file) => tailOf(file).includes(Buffer.of(0xff, 0xd9)),
  },
  {
    type: "image/webp",
    isIt: (start) => ascii(start, 0, 4) === "RIFF" && ascii(start, 8, 4) === "WEBP",
    size: webpSize,
    isWhole: ({ size }, start) => start.readUInt32LE(4) + 8 <= size,
  },
  {
    type: "image/avif",
    isIt: (start) => ascii(start, 4, 4) === "ftyp" && /avi[fs]/.test(ascii(start, 8, START_BYTES - 8)),
    size: boxedSize,
  },
  {
    type: "image/heic",
    isIt: (start) => ascii(start, 4, 4) === "ftyp" && /hei[cx]|mif1/.test(ascii(start, 8, START_BYTES - 8)),
    size: boxedSize,
  },
  {
    type: "image/bmp",
    isIt: (start) => ascii(start, 0, 2) === "BM" && start.readUInt32LE(6) === 0,
    size: (_, start) =>
      start.readUInt32LE(14) === 12
        ? { width: start.readUInt16LE(18), height: start.readUInt16LE(20) }
        : { width: start.readInt32LE(18), height: Math.abs(start.readInt32LE(22)) },
  },
];

/** Undefined for anything but an image. */
export function imageFacts(file: ReadableBytes): ImageFacts | undefined {
  const start = Buffer.alloc(START_BYTES);
  file.read(0, START_BYTES).copy(start);
  const format = FORMATS.find(({ isIt }) => isIt(start));
  if (format === undefined) return svgFacts(file);
  const { type, isWhole } = format;
  const size = sizeIn(format, file, start);
  const isCut = size === undefined || (isWhole !== undefined && !isWhole(file, start));
  return { type, ...size, ...(isCut && { isCut }) };
}

/** Undefined if the header is damaged. */
function sizeIn({ size }: Format, file: ReadableBytes, start: Buffer) {
  try {
    const found = size(file, start);
    return found !== undefined && found.width > 0 && found.height > 0 ? found : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function tailOf({ size, read }: ReadableBytes): Buffer {
  return read(Math.max(0, size - TAIL_BYTES), TAIL_BYTES);
}

/** The markers C0 to CF begin a frame with its size, except for three. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function jpegSize({ read }: ReadableBytes) {
  let at = 2;
  for (let i = 0; i < MAX_SEGMENTS; i++) {
    const segment = read(at, 9);
    if (segment[0] !== 0xff) return undefined;
    // Fill bytes may stand before a marker.
    if (segment[1] === 0xff) at++;
    else if (isFrame(segment[1]!)) return { width: segment.readUInt16BE(7), height: segment.readUInt16BE(5) };
    else at += 2 + segment.readUInt16BE(2);
  }
  return undefined;
}

function webpSize(_: ReadableBytes, start: Buffer) {
  switch (ascii(start, 12, 4)) {
    case "VP8 ":
      return { width: start.readUInt16LE(26) & 0x3fff, height: start.readUInt16LE(28) & 0x3fff };
    case "VP8L": {
      const bits = start.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { width: little24(start, 24) + 1, height: little24(start, 27) + 1 };
    default:
      return undefined;
  }
}

/** The largest `ispe` box: the others are previews and tiles. */
function boxedSize({ read }: ReadableBytes) {
  const header = read(0, MAX_HEADER);
  let largest: { width: number; height: number } | undefined;
  for (let at = header.indexOf("ispe"); at !== -1; at = header.indexOf("ispe", at + 4)) {
    const [width, height] = [header.readUInt32BE(at + 8), header.readUInt32BE(at + 12)];
    if (largest === undefined || width * height > largest.width * largest.height) largest = { width, height };
  }
  return largest;
}

const UNIT = /^\s*(\d+(?:\.\d+)?)(?:px)?\s*$/;

/** The size of an SVG image is that of its root element, or that of its view box. */
function svgFacts({ read }: ReadableBytes): ImageFacts | undefined {
  const text = read(0, MAX_HEADER).toString("utf8");
  const [, attributes] = /^(?:\uFEFF)?\s*(?:<[?!][^>]*>\s*)*<svg\b([^>]*)>/.exec(text) ?? [];
  if (attributes === undefined) return undefined;
  const valueOf = (name: string) => new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(attributes)?.[1];
  const [, , boxWidth, boxHeight] =
    valueOf("viewBox")
      ?.trim()
      .split(/[\s,]+/) ?? [];
  const lengthIn = (name: string, box: string | undefined) =>
    Number(UNIT.exec(valueOf(name) ?? "")?.[1] ?? box ?? Number.NaN);
  const [width, height] = [lengthIn("width", boxWidth), lengthIn("height", boxHeight)];
  return { type: "image/svg+xml", ...(width > 0 && height > 0 && { width, height }) };
}
