// Runs one program against the stub, in a network that has loopback only, and
// checks what our readers make of its home. Started by run.ts, which reads the
// report that this leaves behind.
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { dirname, join } from "node:path";
import "./define-version.ts";
import { checkHome } from "./check.ts";
import { type Place, type Program, STEPS, type Step } from "./program.ts";
import { PROGRAMS } from "./programs/programs.ts";
import { HomeReader } from "./reading.ts";
import type { Report } from "./report.ts";
import { Running } from "./running.ts";
import { startStub } from "./stub/server.ts";

const [name = "", folder = ""] = process.argv.slice(2);
const program = PROGRAMS[name]!;
spawnSync("ip", ["link", "set", "lo", "up"]);
if (Object.keys(networkInterfaces()).join() !== "lo") throw new Error("this network is not on its own");
writeFileSync(join(folder, "report.json"), JSON.stringify(await verify(program)));
process.exit(0);

async function verify({ source, model, tools, setUp, steps, keepsNo = [], without = {} }: Program): Promise<Report> {
  const log = (text: string) => appendFileSync(join(folder, "log.txt"), `${text}\n`);
  for (const leftover of ["home", "log.txt", "requests.jsonl"])
    rmSync(join(folder, leftover), { recursive: true, force: true });
  const home = join(folder, "home");
  const project = join(home, "shop");
  mkdirSync(project, { recursive: true });
  writeFileSync(
    join(home, ".gitconfig"),
    "[user]\nname = A Person\nemail = person@example.com\n[init]\ndefaultBranch = main\n",
  );
  const base = { HOME: home, PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, LANG: "C.UTF-8", TERM: "dumb" };
  writeFileSync(join(project, "README.md"), "A shop.\n");
  for (const args of [
    ["init", "-q"],
    ["add", "."],
    ["commit", "-q", "-m", "Begin"],
  ])
    spawnSync("git", args, { cwd: project, env: base });

  const stub = await startStub(tools, model, join(folder, "requests.jsonl"));
  const place: Place = { home, project, stub: `http://127.0.0.1:${stub.port}` };
  const environment = { ...base, ...setUp(place) };
  const running = new Running(place, commandOf(program), environment, log);
  const from = Date.now();
  const failed: Partial<Record<Step, string>> = {};
  const taken: Step[] = [];
  const grown = new HomeReader(home);
  for (const step of STEPS) {
    const work = steps[step];
    if (work === undefined) continue;
    log(`== ${step}`);
    try {
      await work(running);
      taken.push(step);
    } catch (error) {
      failed[step] = error instanceof Error ? error.message : String(error);
      log(`failed: ${failed[step]}`);
      if (step === "talk") break;
    }
    await grown.read();
  }
  stub.close();
  const whole = new HomeReader(home);
  const read = await whole.read();
  writeFileSync(join(folder, "read.json"), JSON.stringify(read, undefined, 1));
  const expected = {
    source,
    project,
    model,
    steps: taken,
    hasThinking: without.thinking === undefined,
    keepsNo,
    from,
    until: Date.now(),
  };
  const outcome = checkHome(read, await grown.read(), expected);
  await grown.close();
  await whole.close();
  return { outcome, failed };
}

function commandOf({ executable }: Program): string[] {
  const path = join(folder, "node_modules", executable);
  return /\.[cm]?js$/.test(executable) ? [process.execPath, path] : [path];
}
