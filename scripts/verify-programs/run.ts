// npm run verify-programs [NAME…]: installs the newest release of each assistant
// that has a package, runs it against a stub model in a network of its own, and
// checks what our readers make of its files. Writes docs/internals/verified-programs.md.
// `--in FOLDER` keeps packages and homes there, and installs nothing again.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { installSystemPackages } from "../system-packages.mjs";
import { install } from "./install.ts";
import { PROGRAMS } from "./programs/programs.ts";
import { linesOf, type Report, type Row, writeTable } from "./report.ts";

/** Seconds that a program may take altogether. */
const MAX_PROGRAM_LENGTH = 900;
const TABLE = join(import.meta.dirname, "..", "..", "docs", "internals", "verified-programs.md");

const { values, positionals } = parseArgs({ allowPositionals: true, options: { in: { type: "string" } } });
const unknown = positionals.filter((name) => PROGRAMS[name] === undefined);
if (unknown.length > 0) {
  console.error(`There is no program ${unknown.join(", ")}. There are ${Object.keys(PROGRAMS).join(", ")}.`);
  process.exit(2);
}
if (process.platform !== "linux") {
  console.error("Programs can be given a network of their own only on Linux.");
  process.exit(2);
}
if (!existsSync("/usr/bin/tmux")) installSystemPackages("programs in a terminal", ["tmux", "iproute2"]);

const folder = values.in === undefined ? mkdtempSync(join(tmpdir(), "commonplace-verify-")) : resolve(values.in);
const rows: Row[] = [];
let problems = 0;
for (const name of positionals.length > 0 ? positionals : Object.keys(PROGRAMS)) {
  try {
    rows.push(await verify(name));
  } catch (error) {
    problems++;
    console.log(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
writeTable(TABLE, rows);
if (values.in === undefined) rmSync(folder, { recursive: true, force: true });
console.log(problems === 0 ? "\nEverything was read right." : `\n${problems} problems.`);
process.exitCode = problems === 0 ? 0 : 1;

async function verify(name: string): Promise<Row> {
  const program = PROGRAMS[name]!;
  const place = join(folder, name);
  mkdirSync(place, { recursive: true });
  const { version, missing } = install(program, place);
  console.log(`\n== ${program.title} ${version}`);
  await runInside(name, place);
  const report = JSON.parse(readFileSync(join(place, "report.json"), "utf8")) as Report;
  const lines = linesOf(program, report);
  for (const { check, state, notes } of lines) {
    if (state === "FAILED" || state === "did not run") problems++;
    console.log(`${state.padEnd(11)} ${check}${notes.map((note) => `\n              ${note}`).join("")}`);
  }
  return {
    title: program.title,
    version,
    date: new Date().toISOString().slice(0, 10),
    lines,
    notes:
      missing === undefined
        ? []
        : [`${missing.release} could not be installed: the registry does not have ${missing.package}`],
  };
}

/**
 * In namespaces of its own: it reaches nothing but loopback, and everything that it started ends with it.
 * As root or not, it is root in there: loopback must be switched on.
 */
function runInside(name: string, place: string): Promise<void> {
  rmSync(join(place, "report.json"), { force: true });
  const isRoot = process.getuid?.() === 0;
  const args = ["--net", "--pid", "--fork", "--kill-child", "--mount-proc", ...(isRoot ? [] : ["--map-root-user"])];
  const inside = join(import.meta.dirname, "inside.ts");
  return new Promise((done, fail) => {
    const child = spawn("unshare", [...args, process.execPath, ...process.execArgv, inside, name, place], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), MAX_PROGRAM_LENGTH * 1000);
    child.on("error", fail).on("exit", (code, signal) => {
      clearTimeout(timer);
      if (code === 0) done();
      else fail(new Error(`it could not be verified (${signal ?? code})`));
    });
  });
}
