// Budgets of the results of tools for conversations and projects: on samples of
// our own, and on real data where it is. Used by budgets.ts.
import { cpSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { budgetOf, type Budget, type MeasuredCall } from "./budget.ts";
import { COMMON, fillSampleHome, fillSampleProject, FOLDER, LONG } from "./sample-conversations.ts";

const REAL = join(import.meta.dirname, "..", "..", "..", "shared", "data", "conversations");
const CHECKOUT = join(import.meta.dirname, "..", "..");

/** All, read to the end first: a server answers its first question before it has read everything. */
const ALL = { fast_mode: false, since: "all", min_score: 0, project: "all" };

const CONVERSATION_CALLS: readonly MeasuredCall[] = [
  { name: "recall, by default", tool: "recall_conversations", sent: { fast_mode: false }, below: 6_000 },
  {
    name: "recall of 60 hits",
    tool: "recall_conversations",
    sent: { fast_mode: false, search_query: COMMON },
    below: 6_200,
  },
  { name: "recall of 10 hits", tool: "recall_conversations", sent: { search_query: COMMON, limit: 10 }, below: 1_700 },
  { name: "read_conversation, first page", tool: "read_conversation", sent: { id: LONG }, below: 4_000 },
  {
    name: "read_conversation, second page",
    tool: "read_conversation",
    sent: { id: LONG },
    isSecondPage: true,
    below: 4_000,
  },
  {
    name: "export of 20 conversations",
    tool: "export_individual_conversations",
    sent: { format: "md" },
    below: 1_000,
  },
];

const PROJECT_CALLS: readonly MeasuredCall[] = [
  { name: "list_project_files, 800 paths at 8 tokens", tool: "list_project_files", below: 6_400 },
  { name: "get_project_info", tool: "get_project_info", below: 1_000 },
];

const REAL_CALLS: readonly MeasuredCall[] = [
  { name: "recall, all", tool: "recall_conversations", sent: ALL, below: 6_000 },
  {
    name: "recall of session",
    tool: "recall_conversations",
    sent: { ...ALL, search_query: "session" },
    below: 6_000,
  },
  {
    name: "read_conversation",
    tool: "read_conversation",
    sent: { id: "53ea19c1-6d29-4ebf-952b-ddbb27af25bb", includeTools: true },
    below: 4_000,
  },
];

export const RECALL_BUDGETS: readonly Budget[] = [
  ...CONVERSATION_CALLS.map((call) =>
    budgetOf(call, (servers) => [
      "--conversations",
      servers.sample("conversations", fillSampleHome),
      "--project",
      FOLDER,
    ]),
  ),
  ...PROJECT_CALLS.map((call) =>
    budgetOf(call, (servers) => ["--project", servers.sample("project", fillSampleProject)]),
  ),
  budgetOf({ name: "get_project_info of this checkout", tool: "get_project_info", below: 1_000 }, () => [
    "--project",
    CHECKOUT,
  ]),
  ...REAL_CALLS.map((call) =>
    budgetOf({ ...call, name: `${call.name} (real data)` }, (servers) =>
      existsSync(REAL) ? ["--conversations", servers.sample("real-home", fillRealHome)] : undefined,
    ),
  ),
];

/** The conversations of all programs in one home folder. */
function fillRealHome(home: string): void {
  const programs = readdirSync(join(REAL, "programs")).map((name) => join(REAL, "programs", name));
  for (const folder of [join(REAL, "home"), ...programs]) cpSync(folder, home, { recursive: true });
}
