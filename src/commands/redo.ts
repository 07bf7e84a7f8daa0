// commonplace redo: applies an undone change again.
import { journalStep } from "./journal-step.ts";

export const command = journalStep("redo", "Applies the change that was undone last, or the one with this id, again.");
