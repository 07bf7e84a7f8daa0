// Which tests run when. Used by vitest.config.ts and scripts/test.ts.
//
// Tier 1, `npm test`: all unit tests, and the program tests of TIER_1.
// Tier 2, `npm run test:all`: the other program tests, each for a reason of TIER_2.
// Tier 3, `npm run test:long`: the campaigns of campaign.ts in their long form.
//
// A new unit test is in tier 1, a new program test in tier 2. Put it into TIER_1
// if a usual change can break what no unit test sees, and it costs a few seconds
// of the processor: all of `npm test` may take 560.
import { matchesGlob } from "node:path";

/** Tests beside the source, and those that read the checkout. */
export const UNIT = ["{src,eval,web,scripts}/**/*.test.ts", "test/*.test.ts"];

/** Tests that start programs: ours, PostgreSQL, a browser, other releases of Node. */
export const PROGRAMS = ["test/*/**/*.test.ts"];

/** Those of the shared store, which need a running PostgreSQL. */
export const SHARED = "test/postgres/**/*.test.ts";

/** Program tests of tier 1, by what each proves there. */
export const TIER_1: Readonly<Record<string, string>> = {
  "test/contract/contract.test.ts":
    "the sentences of the vault's, memory's and recall's contract, over both protocol versions",
  "test/contract/outline.test.ts": "the sentences of the outline's contract, in every format",
  "test/processes/child.test.ts": "the programs that the other tests start",
  "test/e2e/package/package.test.ts": "what is published installs, starts and answers",
  "test/e2e/described-examples.test.ts": "every tool, by the examples of its description",
  "test/e2e/protocol/bad-input.test.ts": "input that is no protocol",
  "test/e2e/protocol/cursors.test.ts": "results that are continued",
  "test/e2e/protocol/http.test.ts": "the HTTP server, and who may use it",
  "test/e2e/commands/command-line.test.ts": "arguments, help and exit codes",
  "test/e2e/vault.test.ts": "notes over the program",
  "test/e2e/outline.test.ts": "outlines over the program",
  "test/e2e/memory.test.ts": "memory over the program",
  "test/e2e/recall.test.ts": "conversations over the program",
  "test/e2e/search.test.ts": "one search over everything",
  "test/e2e/undo-ids.test.ts": "undo by several clients",
  "test/e2e/tasks.test.ts": "tasks over the program",
  "test/e2e/queries.test.ts": "queries over the program",
  "test/e2e/project.test.ts": "the project of the user, and its files",
  "test/e2e/previews.test.ts": "what would be deleted or moved, before it is",
  "test/e2e/protocol/lenient-arguments.test.ts": "arguments as models send them",
  "test/e2e/commands/connect.test.ts": "the configurations of hosts, which are other programs' files",
  "test/e2e/commands/export.test.ts": "conversations written as files",
  "test/faults/killed.test.ts": "the campaign of kills: no byte is lost at any moment",
  "test/page/newcomer.test.ts": "Chromium, where it is there: the page opens and answers",
  "test/postgres/contract.test.ts": "PostgreSQL, where it is there: the contract over a shared store",
};

/**
 * Why a program test is left to tier 2; the first pattern that fits. The dearest
 * come first, and run last: what fails is known as cheaply as it can be.
 */
export const TIER_2: readonly { readonly files: string; readonly why: string }[] = [
  { files: "test/e2e/windows/**", why: "Wine and Windows' Node, 170 MB" },
  { files: "test/page/**", why: "a browser costs 5 to 40 s a file; tier 1 opens the page once" },
  {
    files: "test/postgres/**",
    why: "a server, members and their processes; tier 1 has the contract over a shared store",
  },
  { files: "test/faults/**", why: "campaigns and faults of the system; tier 1 has one campaign of kills" },
  { files: "test/**", why: "it starts the packed program, a second a start, for what unit tests prove in detail" },
];

/** How dear a test is, compared with others: by its place in TIER_2, of which unit tests have none. */
export function costOf(file: string): number {
  const place = TIER_2.findIndex(({ files }) => matchesGlob(file, files));
  return place === -1 ? -TIER_2.length : -place;
}

/** The tier that this run is limited to; undefined runs all files, as for `vitest run FILE`. */
export const TIER = process.env["COMMONPLACE_TIER"];

/** In tier 2 whatever tests need was installed, and in CI an untested part is a failure: its log may go unread. */
export const MUST_NOT_SKIP = process.env["CI"] !== undefined && TIER !== "1";
