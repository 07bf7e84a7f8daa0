// Runs test files against mutants, in one process with one vitest: a mutant is
// never written, it replaces its file's source while that is loaded. A child of
// ../mutate.ts, which ends it if a mutant does not end.
import { join } from "node:path";
import { createVitest, type TestSpecification } from "vitest/node";
import config from "../../vitest.config.ts";

export interface Order {
  readonly file: string;
  /** The whole source with the mutant in it; undefined runs the tests as they are. */
  readonly source: string | undefined;
  readonly tests: readonly string[];
}

export interface Report {
  /** The first file of tests that failed; undefined if all passed. */
  readonly failed?: string | undefined;
  /** Why none could be run. */
  readonly broken?: string;
}

const root = join(import.meta.dirname, "..", "..");
let order: Order | undefined;

const mutant = {
  name: "mutant",
  enforce: "pre" as const,
  load: (id: string) =>
    order?.source !== undefined && id.split("?")[0] === join(root, order.file) ? order.source : undefined,
};

/** The nearest first. */
class InOrder {
  shard = (files: TestSpecification[]) => files;
  sort = (files: TestSpecification[]) => files;
}

const PROJECTS = new Set(["unit", "isolated"]);
const LIMITS = { testTimeout: 90_000, hookTimeout: 90_000 };
const { projects = [], setupFiles = [], expect = {} } = config.test ?? {};
const vitest = await createVitest("test", {
  root,
  config: false,
  watch: false,
  bail: 1,
  silent: true,
  reporters: [{ onTestCaseResult: () => void process.send!("alive") }],
  sequence: { sequencer: InOrder },
  projects: projects.flatMap((project) => {
    if (typeof project !== "object" || !("test" in project)) return [];
    const { test } = project;
    if (typeof test?.name !== "string" || !PROJECTS.has(test.name)) return [];
    // A test may wait for what never comes. The cache of files would give the source without
    // the mutant, and keep the one with it.
    const own = { ...test, setupFiles, expect, ...LIMITS, fsModuleCache: false, maxWorkers: 1, bail: 1 };
    return [{ root, plugins: [mutant], define: config.define ?? {}, test: own }];
  }),
});
await vitest.standalone();

async function run(next: Order): Promise<Report> {
  order = next;
  vitest.invalidateFile(join(root, next.file));
  const specifications = (await vitest.globTestSpecifications(next.tests.map((test) => join(root, test)))).toSorted(
    (a, b) => placeOf(a) - placeOf(b),
  );
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  // The results of earlier orders are among them.
  const [failed] = testModules
    .filter((one) => placeOf(one) !== -1 && !one.ok())
    .toSorted((a, b) => placeOf(a) - placeOf(b));
  vitest.invalidateFile(join(root, next.file));
  order = undefined;
  return { failed: failed?.relativeModuleId ?? (unhandledErrors.length > 0 ? "an unhandled error" : undefined) };
}

const placeOf = ({ moduleId }: Pick<TestSpecification, "moduleId">) =>
  order!.tests.findIndex((test) => moduleId.endsWith(`/${test}`));

process.on("message", (next: Order) => {
  void run(next).then(
    (report) => process.send!(report),
    (error: unknown) => process.send!({ broken: String(error) } satisfies Report),
  );
});
process.on("disconnect", () => process.exit());
process.send!("ready");
