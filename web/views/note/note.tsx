// The front door of note/: the parts of a note that Today shows for the note of a day,
// and the whole view, which is a file of its own: Today does without it.
export { clickedPlace } from "./clicked-place.ts";
export { withoutProperties } from "./embedded-file.tsx";
export { NoteEditor } from "./editor/note-editor.tsx";
export { asLines } from "./editor/use-saving.ts";
export { useRenderedNote } from "./use-rendered-note.tsx";

export const loadNoteView = () => import("./note-view.tsx");
