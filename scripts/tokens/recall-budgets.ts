// Budgets of the results of tools for conversations and projects. Used by
// budgets.ts.
import type { Budget } from "./budget.ts";

export const RECALL_BUDGETS: readonly Budget[] = [];
