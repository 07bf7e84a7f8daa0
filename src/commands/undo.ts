// commonplace undo: takes back a change, whoever made it.
import { journalStep } from "./journal-step.ts";

export const command = journalStep(
  "undo",
  "Takes back the vault's last change, or the one with this id ('commonplace history'\nshows them). Refused where the files have changed since.",
);
