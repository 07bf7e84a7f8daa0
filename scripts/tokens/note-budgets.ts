// Budgets of the results of tools for notes and outlines, and of the search over
// everything. Used by budgets.ts.
import type { Budget } from "./budget.ts";

export const NOTE_BUDGETS: readonly Budget[] = [];
