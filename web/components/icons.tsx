// The icons of the page, in the colour of the surrounding text. Screen readers
// skip them, since there is always text beside them.
import type { FileKind } from "../format/format.ts";

const PATHS = {
  today: "M4 6h16v14H4zM4 10.500h16M8.500 3.500V7M15.500 3.500V7M8 14.500h3v2.500H8z",
  search: "M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.300 15.300 20 20",
  note: "M6 3.500h8.500L18.500 7.500v13H6zM14 3.500V8h4.500M9 12h6.500M9 15.500h6.500",
  file: "M6 3.500h8.500L18.500 7.500v13H6zM14 3.500V8h4.500",
  canvas: "M4 5h7v6H4zM13 13h7v6h-7zM7.500 11v5H13",
  base: "M4 5h16v14H4zM4 10h16M4 14.500h16M10 10v9",
  audio:
    "M9 18V6l10-2v12M9 18a2.500 2.500 0 1 1-5 0 2.500 2.500 0 0 1 5 0zM19 16a2.500 2.500 0 1 1-5 0 2.500 2.500 0 0 1 5 0z",
  video: "M4 6h11v12H4zM15 10.500l5-3v9l-5-3",
  folder: "M3.500 6.500h6l2 2.500h9v10.500h-17z",
  outline: "M4.500 6h.01M4.500 12h.01M8.500 18h.01M8 6h12M8 12h12M12 18h8",
  conversation: "M4 5h16v11h-9l-4.500 4v-4H4z",
  activity: "M3.500 13h4l2.500-7 4 12 2.500-5h4",
  light:
    "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 3v1.500M12 19.500V21M3 12h1.500M19.500 12H21M5.600 5.600l1.100 1.100M17.300 17.300l1.100 1.100M5.600 18.400l1.100-1.100M17.300 6.700l1.100-1.100",
  dark: "M19.500 14.500A8 8 0 0 1 9.500 4.500a8 8 0 1 0 10 10z",
  system: "M4 5h16v11H4zM9 20h6M12 16v4",
  keyboard: "M3.500 6.500h17v11h-17zM7 10h.01M10.300 10h.01M13.600 10h.01M17 10h.01M8 14h8",
  undo: "M8.500 5 4.500 9l4 4M5 9h9a5 5 0 0 1 0 10h-3",
  redo: "M15.500 5l4 4-4 4M19 9h-9a5 5 0 0 0 0 10h3",
  copy: "M9 9h10.500v10.500H9zM15 9V4.500H4.500V15H9",
  done: "M5 12.500l4.500 4.500L19 7.500",
  fold: "M9 6l6 6-6 6",
  close: "M6 6l12 12M18 6 6 18",
  pin: "M9 4h6l-1 6 3 3H7l3-3zM12 13v7",
  leave: "M13.500 4.500H5v15h8.500M10 12h10M16.500 8.500 20 12l-3.500 3.500",
  external: "M14 4.500h5.500V10M19.500 4.500 11 13M17 14v5.500H4.500V7H10",
  image: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.500 9h.01",
  tasks: "M4 5.500h4v4H4zM11 7.500h9M4 14.500h4v4H4zM11 16.500h9M5 7.500l1 1 2-2.500",
  status: "M12 3.500a8.500 8.500 0 1 1 0 17 8.500 8.500 0 0 1 0-17zM8 12l3 3 5-6",
  warning: "M12 4 3 19.500h18zM12 10v4.500M12 17h.01",
  down: "M6 9l6 6 6-6",
  up: "M6 15l6-6 6 6",
  add: "M12 5v14M5 12h14",
  terminal: "M4 5h16v14H4zM7.500 9.500l3 2.500-3 2.500M13 15h4",
  thought:
    "M9.500 18h5M10.500 20.500h3M12 3.500a5.500 5.500 0 0 0-3.200 10c.5.4.7.9.7 1.500h5c0-.6.2-1.100.7-1.500a5.500 5.500 0 0 0-3.200-10z",
  graph:
    "M6.500 4.500a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM17.500 7a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM9.500 15.500a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM8.500 7l7 1.500M7 8.500l2 7M16.300 10.600l-5.300 5.500",
  more: "M6 12h.01M12 12h.01M18 12h.01",
  edit: "M4.500 19.500l1-4.500L16 4.500l3.500 3.500L9 18.500zM13.500 7l3.500 3.500",
  indent: "M4 5h16M11 10h9M11 14h9M4 19h16M4 9.500l3 2.500-3 2.500",
  outdent: "M4 5h16M11 10h9M11 14h9M4 19h16M7.500 9.500l-3 2.500 3 2.500",
  delete: "M5 7h14M9.500 7V4.500h5V7M7 7l1 13h8l1-13M10.500 11v5.500M13.500 11v5.500",
  diff: "M12 4v7M8.500 7.500h7M8.500 17h7M4 20.500h16",
  tool: "M14.500 6.500a4 4 0 0 1 5-1.500l-3 3 1.500 1.500 3-3a4 4 0 0 1-5.500 5L7 20l-3-3 8.500-8.500a4 4 0 0 1 2-2z",
  link: "M10 14a4 4 0 0 0 5.700 0l3-3A4 4 0 0 0 13 5.300l-1 1M14 10a4 4 0 0 0-5.700 0l-3 3A4 4 0 0 0 11 18.700l1-1",
} as const;

export type IconName = keyof typeof PATHS;

/** The icon of a kind of file. */
export const FILE_ICONS: Readonly<Record<FileKind, IconName>> = {
  note: "note",
  canvas: "canvas",
  base: "base",
  text: "file",
  image: "image",
  audio: "audio",
  video: "video",
  pdf: "file",
  other: "file",
};

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
