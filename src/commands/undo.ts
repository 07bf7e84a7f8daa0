// commonplace undo: undoes a change, whichever client made it.
import { journalStep } from "./journal-step.ts";

export const command = journalStep(
  "undo",
  "Undoes the last change of the vault or the outlines, or the one with this id (the command history\nlists them). Fails if the files have changed since.",
);
