// Everything that a host pays for and that has a budget. Used by
// scripts/tokens.ts, which prints it, and by test/e2e/tokens.test.ts, which fails
// above it.
import type { Budget } from "./budget.ts";
import { LIST_BUDGETS } from "./list-budgets.ts";
import { NOTE_BUDGETS } from "./note-budgets.ts";
import { RECALL_BUDGETS } from "./recall-budgets.ts";

export const BUDGETS: readonly Budget[] = [...LIST_BUDGETS, ...RECALL_BUDGETS, ...NOTE_BUDGETS];
