// commonplace redo: brings back what was undone.
import { journalStep } from "./journal-step.ts";

export const command = journalStep("redo", "Brings back what was undone last, or the change with this id.");
