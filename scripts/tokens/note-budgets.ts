// Budgets of the results of tools for notes and outlines, and of the search over
// everything: on samples of our own, and on real data where it is. Used by
// budgets.ts.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { budgetOf, type Budget, type MeasuredCall } from "./budget.ts";
import { COMMON, fillSampleVault } from "./sample-vault.ts";

const REAL = join(import.meta.dirname, "..", "..", "..", "shared", "data");

/** In the sample vault; the queries have more hits than the limit. */
const SAMPLE_CALLS: readonly MeasuredCall[] = [
  { name: "search, 20 hits", tool: "search", sent: { query: COMMON }, below: 1_500 },
  {
    name: "listDirectory of 60 notes",
    tool: "vaultManager_listDirectory",
    sent: { depth: 100, includeFolders: false },
    below: 2_000,
  },
  { name: "tags of 60 notes", tool: "vaultLibrarian_tags", sent: {}, below: 2_000 },
  { name: "searchContent, 10 hits", tool: "vaultLibrarian_searchContent", sent: { query: COMMON }, below: 1_650 },
];

/** Ids of conversations and messages leave the least room for snippets. */
const CONVERSATIONS: MeasuredCall = {
  name: "search of conversations for file",
  tool: "search",
  sent: { query: "file", kinds: ["conversation"] },
  below: 1_500,
};

const REAL_CALLS: readonly MeasuredCall[] = ["river", "war and peace", "astronomy", "error"].flatMap((query) => [
  { name: `search for ${query}`, tool: "search", sent: { query }, below: 1_500 },
  {
    name: `searchContent for ${query}`,
    tool: "vaultLibrarian_searchContent",
    sent: { query },
    below: 1_450,
  },
]);

export const NOTE_BUDGETS: readonly Budget[] = [
  ...SAMPLE_CALLS.map((call) => budgetOf(call, (servers) => ["--vault", servers.sample("vault", fillSampleVault)])),
  ...[...REAL_CALLS, CONVERSATIONS].map((call) =>
    budgetOf({ ...call, name: `${call.name} (real data)` }, () =>
      existsSync(REAL)
        ? ["--vault", join(REAL, "vaults", "thousand-notes"), "--conversations", join(REAL, "conversations", "home")]
        : undefined,
    ),
  ),
];
