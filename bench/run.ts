// npm run bench [NAME…]: what is fast, against what, and how it grows. Ratios
// within one run are what counts; times alone mean little on a shared machine.
// The goals of each benchmark replace its section of docs/internals/performance.md, unless
// BENCH_MB makes it a quick look with less data.
import { readdirSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { collectedGoals } from "./measurement/measure.ts";
import { writePerformance } from "./measurement/performance.ts";
import { PROGRAM_CONSTANTS } from "../scripts/program-constants.ts";

// The bundler defines this in a build, and includes files as texts; here the modules run as they are.
Object.assign(globalThis, PROGRAM_CONSTANTS);
registerHooks({
  load: (url, context, next) =>
    url.endsWith("?raw")
      ? {
          format: "module",
          source: `export default ${JSON.stringify(readFileSync(new URL(url.slice(0, -"?raw".length)), "utf8"))}`,
          shortCircuit: true,
        }
      : next(url, context),
});

// Every file of this folder is a benchmark; what they share is in folders.
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".ts") && file !== "run.ts")
  .map((file) => file.replace(/\.ts$/, ""));
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(", ")}. There are ${names.join(", ")}.`);
  process.exit(2);
}
for (const name of wanted.length > 0 ? wanted : names) {
  console.log(`\n== ${name}`);
  const benchmark = (await import(join(import.meta.dirname, `${name}.ts`))) as { run: () => Promise<void> };
  await benchmark.run();
  const goals = collectedGoals();
  if (process.env["BENCH_MB"] === undefined) writePerformance(name, goals);
}
