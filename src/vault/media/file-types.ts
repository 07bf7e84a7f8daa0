// The media types of files by their extensions. Used wherever a file that is not
// a note is read or shown.
import { extname } from "node:path";

export type MediaKind = "image" | "audio" | "video" | "pdf" | "other";

export interface FileType {
  readonly kind: MediaKind;
  readonly type: string;
}

/** Obsidian's accepted formats, and others that people attach. */
const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    png: "image/png",
    jpg: "image/jpeg",
    jpeg: "image/jpeg",
    gif: "image/gif",
    webp: "image/webp",
    avif: "image/avif",
    bmp: "image/bmp",
    svg: "image/svg+xml",
    ico: "image/x-icon",
    tif: "image/tiff",
    tiff: "image/tiff",
    heic: "image/heic",
    mp3: "audio/mpeg",
    m4a: "audio/mp4",
    aac: "audio/aac",
    wav: "audio/wav",
    flac: "audio/flac",
    ogg: "audio/ogg",
    oga: "audio/ogg",
    opus: "audio/ogg",
    "3gp": "audio/3gpp",
    mp4: "video/mp4",
    m4v: "video/mp4",
    mov: "video/quicktime",
    webm: "video/webm",
    ogv: "video/ogg",
    mkv: "video/x-matroska",
    pdf: "application/pdf",
    zip: "application/zip",
    epub: "application/epub+zip",
    docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  }),
);

export const UNKNOWN_TYPE = "application/octet-stream";

export function fileTypeOf(path: string): FileType {
  const type = TYPES.get(extname(path).slice(1).toLowerCase()) ?? UNKNOWN_TYPE;
  if (type === "application/pdf") return { kind: "pdf", type };
  const [kind] = type.split("/");
  return { kind: kind === "image" || kind === "audio" || kind === "video" ? kind : "other", type };
}

/** Returns whether a file is read as text unless its content says otherwise. An SVG image is text. */
export function isReadAsText(path: string): boolean {
  const { kind, type } = fileTypeOf(path);
  return kind === "other" || type === "image/svg+xml";
}

/** Returns whether files of this name have a format that is not text. An SVG image is text. */
export function hasOwnFormat(path: string): boolean {
  const { type } = fileTypeOf(path);
  return type !== UNKNOWN_TYPE && type !== "image/svg+xml";
}
