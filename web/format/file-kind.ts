// The kind of file a path names, by its extension: its name for a person, how
// the page shows it, and in which language its source is. Pure.

export type FileKind = "note" | "canvas" | "base" | "text" | "image" | "audio" | "video" | "pdf" | "other";

interface KnownKind {
  readonly kind: FileKind;
  /** Its name for a person. */
  readonly name: string;
  /** For the colours of its source; empty if it is plain text. */
  readonly language: string;
}

const NAMES: Readonly<Record<FileKind, string>> = {
  note: "Note",
  canvas: "Canvas",
  base: "Base",
  text: "Text",
  image: "Image",
  audio: "Audio",
  video: "Video",
  pdf: "PDF",
  other: "File",
};

const EXTENSIONS: Readonly<Record<Exclude<FileKind, "other">, string>> = {
  note: "md markdown",
  canvas: "canvas",
  base: "base",
  text: "txt text log csv tsv json jsonc jsonl yaml yml toml ini conf xml html htm css js mjs cjs ts tsx jsx py rb rs go java kt c h cpp cs php sh bash sql tex bib opml ooutline srt vtt",
  image: "png jpg jpeg gif webp avif bmp svg",
  audio: "mp3 wav m4a ogg oga opus flac 3gp aac",
  video: "mp4 m4v webm mov mkv ogv",
  pdf: "pdf",
};

const KINDS = new Map(
  Object.entries(EXTENSIONS).flatMap(([kind, list]) => list.split(" ").map((one) => [one, kind as FileKind] as const)),
);

/** Languages whose name is not the extension. */
const LANGUAGES: Readonly<Record<string, string>> = {
  base: "yaml",
  canvas: "json",
  yml: "yaml",
  jsonc: "json",
  jsonl: "json",
  htm: "html",
  opml: "xml",
  mjs: "js",
  cjs: "js",
  text: "",
  txt: "",
  log: "",
  srt: "",
  vtt: "",
};

/** A name without an extension, such as LICENSE, is text. */
export function fileKind(path: string): KnownKind {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const [, extension = ""] = /[^.]\.([^.]+)$/.exec(name) ?? [];
  const key = extension.toLowerCase();
  const kind = key === "" ? "text" : (KINDS.get(key) ?? "other");
  const language = kind === "text" || kind === "base" || kind === "canvas" ? (LANGUAGES[key] ?? key) : "";
  return { kind, name: NAMES[kind], language };
}
