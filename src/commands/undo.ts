// commonplace undo: takes back a change, whoever made it.
import { journalStep } from "./journal-step.ts";

export const command = journalStep(
  "undo",
  "Takes back the last change of the vault or the outline, or the one with this id (the command history\nshows them). Refused where the files have changed since.",
);
