// The result of reading a file that is not text: its facts, in fields and in words,
// and for an image that a host can show its bytes. Used by readContent.
import { byteCount } from "../../kernel/kernel.ts";
import { playingFacts } from "./durations.ts";
import { imageFacts, type ImageFacts } from "./image-facts.ts";
import type { MediaFile } from "./media-file.ts";

export interface MediaFacts {
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  /** In milliseconds. */
  readonly modified: number;
  /** In pixels. */
  readonly width?: number;
  readonly height?: number;
  /** In seconds. */
  readonly duration?: number;
  /** Of a PDF file. */
  readonly pages?: number;
}

export interface MediaContent {
  readonly facts: MediaFacts;
  /** The same facts as a sentence. */
  readonly words: string;
  /** The bytes of an image that hosts can show to a model. */
  readonly image?: { readonly bytes: Buffer; readonly type: string };
  /** Why an image is not shown, and what to do. */
  readonly hint?: string;
}

/**
 * Claude Desktop refuses results of more than 1,048,576 characters, and base64
 * makes four characters of three bytes; the rest is for the facts.
 */
export const MAX_SHOWN_BYTES = 750_000;
/** The API of Claude refuses larger ones, with the whole conversation. */
const MAX_PIXELS = 8_000;
/** Image types that models see; other formats are for browsers. */
const SHOWN_TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

export function mediaContent(file: MediaFile): MediaContent {
  const { size, modified } = file;
  const found = imageFacts(file);
  const played = found === undefined && (file.kind === "audio" || file.kind === "video") ? playingFacts(file) : {};
  const { type, isCut: _, ...pixels } = found ?? { type: file.type };
  const facts = { type, size, modified: Math.round(modified), ...pixels, ...played };
  const words = inWords(facts);
  if (file.kind !== "image") return { facts, words };
  const hint = whyNotShown(file, found);
  if (hint !== undefined) return { facts, words, hint };
  return { facts, words, image: { bytes: file.read(0, size), type } };
}

/** Undefined if nothing keeps the image from being shown. */
function whyNotShown({ path, size }: MediaFile, found: ImageFacts | undefined): string | undefined {
  if (found === undefined) return "Its content is not that of an image, so it is not shown.";
  if (!SHOWN_TYPES.has(found.type))
    return `Assistants are not shown images of the type ${found.type}; convert it to PNG or JPEG to have it seen.`;
  if (found.isCut) return "The image is damaged: its end is missing, so it is not shown.";
  const isTooLarge = size > MAX_SHOWN_BYTES || Math.max(found.width ?? 0, found.height ?? 0) > MAX_PIXELS;
  if (!isTooLarge) return undefined;
  const limit = `Images of up to ${byteCount(MAX_SHOWN_BYTES)} and ${MAX_PIXELS} pixels a side are shown`;
  return `${limit}. The person can attach a larger one as the resource note:///${encodeURI(path)}, or make it smaller.`;
}

function inWords({ type, size, width, height, duration }: MediaFacts): string {
  const parts = [
    type,
    ...(width === undefined ? [] : [`${width} × ${height} pixels`]),
    ...(duration === undefined ? [] : [`${clock(duration)} long`]),
    byteCount(size),
  ];
  return parts.join(", ");
}

const two = (number: number) => String(number).padStart(2, "0");

/** `0:07`, `12:30`, `1:02:30`. */
function clock(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
