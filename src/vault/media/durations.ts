// How long audio and video are, and the size of a video, where a header says so
// without decoding anything. Pure; used by media-content.ts.
import type { ReadableBytes } from "./image-facts.ts";

export interface Playing {
  /** In seconds. */
  readonly duration?: number;
  readonly width?: number;
  readonly height?: number;
}

const ascii = (bytes: Buffer, at: number, length: number) => bytes.toString("latin1", at, at + length);

/** How many parts of a file are looked at for the one with its length. */
const MAX_PARTS = 1_000;
/** How much of the index of a video is read. */
const MAX_HEADER = 1024 * 1024;
const TAIL_BYTES = 64 * 1024;

export function playingFacts(file: ReadableBytes): Playing {
  const start = Buffer.alloc(64);
  file.read(0, start.length).copy(start);
  try {
    const facts = factsIn(file, start);
    const { duration } = facts;
    if (duration === undefined) return facts;
    // To the tenth: nobody needs more.
    return duration > 0 && Number.isFinite(duration) ? { ...facts, duration: Math.round(duration * 10) / 10 } : {};
  } catch (error) {
    // A damaged header says nothing.
    if (error instanceof RangeError) return {};
    throw error;
  }
}

function factsIn(file: ReadableBytes, start: Buffer): Playing {
  if (ascii(start, 0, 4) === "RIFF" && ascii(start, 8, 4) === "WAVE") return { duration: wavDuration(file) };
  if (ascii(start, 0, 4) === "fLaC") return { duration: flacDuration(start) };
  if (ascii(start, 0, 4) === "OggS") return { duration: oggDuration(file, start) };
  if (ascii(start, 4, 4) === "ftyp") return movieFacts(file);
  if (ascii(start, 0, 3) === "ID3" || (start[0] === 0xff && (start[1]! & 0xe0) === 0xe0))
    return { duration: mp3Duration(file, start) };
  return {};
}

function wavDuration({ read, size }: ReadableBytes): number {
  let rate = 0;
  let at = 12;
  for (let i = 0; i < MAX_PARTS && at < size; i++) {
    const part = read(at, 24);
    const length = part.readUInt32LE(4);
    if (ascii(part, 0, 4) === "fmt ") rate = part.readUInt32LE(16);
    if (ascii(part, 0, 4) === "data") return Math.min(length, size - at - 8) / rate;
    at += 8 + length + (length % 2);
  }
  return Number.NaN;
}

function flacDuration(start: Buffer): number {
  const rate = start.readUIntBE(18, 3) >>> 4;
  const samples = (start[21]! & 0x0f) * 2 ** 32 + start.readUInt32BE(22);
  return samples / rate;
}

/** The last page of an Ogg file has the number of samples up to it. */
function oggDuration({ read, size }: ReadableBytes, start: Buffer): number {
  const isOpus = ascii(start, 28, 8) === "OpusHead";
  if (!isOpus && ascii(start, 29, 6) !== "vorbis") return Number.NaN;
  const rate = isOpus ? 48_000 : start.readUInt32LE(40);
  const tail = read(Math.max(0, size - TAIL_BYTES), TAIL_BYTES);
  const last = tail.lastIndexOf("OggS");
  return last === -1 ? Number.NaN : Number(tail.readBigInt64LE(last + 6)) / rate;
}

/** The box of this name among those from `at` to `end`. */
function boxNamed({ read, size }: ReadableBytes, name: string, at: number, end = size) {
  for (let i = 0; i < MAX_PARTS && at + 8 <= end; i++) {
    const head = Buffer.alloc(16);
    read(at, 16).copy(head);
    const short = head.readUInt32BE(0);
    const isLong = short === 1;
    const length = isLong ? Number(head.readBigUInt64BE(8)) : short === 0 ? end - at : short;
    const headLength = isLong ? 16 : 8;
    if (length < headLength) return undefined;
    if (ascii(head, 4, 4) === name) return { start: at + headLength, end: Math.min(at + length, end) };
    at += length;
  }
  return undefined;
}

/** MP4, M4A, MOV, 3GP: `moov` has the length in `mvhd`, and the size of the picture in `tkhd` of a track. */
function movieFacts(file: ReadableBytes): Playing {
  const movie = boxNamed(file, "moov", 0);
  if (movie === undefined) return {};
  const bytes = file.read(movie.start, Math.min(movie.end - movie.start, MAX_HEADER));
  const within: ReadableBytes = { size: bytes.length, read: (at, length) => bytes.subarray(at, at + length) };
  const header = boxNamed(within, "mvhd", 0);
  const picture = pictureIn(within);
  if (header === undefined) return picture;
  const isLong = bytes[header.start] === 1;
  const scale = bytes.readUInt32BE(header.start + (isLong ? 20 : 12));
  const length = isLong ? Number(bytes.readBigUInt64BE(header.start + 24)) : bytes.readUInt32BE(header.start + 16);
  return { duration: length / scale, ...picture };
}

function pictureIn(movie: ReadableBytes): Pick<Playing, "width" | "height"> {
  let at = 0;
  for (let i = 0; i < MAX_PARTS; i++) {
    const track = boxNamed(movie, "trak", at);
    const header = track && boxNamed(movie, "tkhd", track.start, track.end);
    if (track === undefined) return {};
    if (header !== undefined) {
      // The last two fields, as fixed-point numbers; 0 for sound.
      const [width, height] = [8, 4].map((back) => movie.read(header.end - back, 4).readUInt32BE(0) / 65_536);
      if (width! > 0 && height! > 0) return { width: Math.round(width!), height: Math.round(height!) };
    }
    at = track.end;
  }
  return {};
}

/** Kilobits a second, by the index in a frame's header. */
const BIT_RATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const BIT_RATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const SAMPLE_RATES = [44_100, 48_000, 32_000];

/** By the number of frames if the first one has it (a varying bit rate), else by the bit rate. */
function mp3Duration({ read, size }: ReadableBytes, start: Buffer): number {
  // The size of a tag is written in four groups of seven bits.
  const tagLength =
    ascii(start, 0, 3) === "ID3" ? 10 + [6, 7, 8, 9].reduce((sum, at) => sum * 128 + (start[at]! & 0x7f), 0) : 0;
  const head = read(tagLength, 256);
  if (head[0] !== 0xff || (head[1]! & 0xe0) !== 0xe0 || ((head[1]! >> 1) & 3) !== 1) return Number.NaN;
  const version = (head[1]! >> 3) & 3;
  const isFirst = version === 3;
  const bitRate = (isFirst ? BIT_RATES_1 : BIT_RATES_2)[head[2]! >> 4];
  const rate = SAMPLE_RATES[(head[2]! >> 2) & 3]! / (isFirst ? 1 : version === 2 ? 2 : 4);
  const counted = ["Xing", "Info"].map((name) => head.indexOf(name)).find((at) => at > 0);
  if (counted !== undefined && (head.readUInt32BE(counted + 4) & 1) === 1)
    return (head.readUInt32BE(counted + 8) * (isFirst ? 1152 : 576)) / rate;
  return ((size - tagLength) * 8) / (bitRate! * 1000);
}
