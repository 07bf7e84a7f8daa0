// The front door of writing/: dialogs that write from anywhere in the page.
export { CaptureDialog } from "./capture-dialog.tsx";
export { NewNoteDialog } from "./new-note-dialog.tsx";
