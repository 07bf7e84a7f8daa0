// npm run verify-plugin: installs the newest release of each host that has a
// package, and has the host itself check and install the plugin, in a network that
// has loopback only. `--in FOLDER` keeps the packages there. Linux only.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { install } from "../verify-programs/install.ts";
import type { Program } from "../verify-programs/program.ts";
import { PROGRAMS } from "../verify-programs/programs/programs.ts";
import { PLUGIN, ROOT } from "./manifests.ts";

interface Check {
  readonly args: readonly string[];
  /** What the host says if it takes the plugin. */
  readonly says: RegExp;
}

const plugin = join(ROOT, PLUGIN);
const ID = "commonplace@commonplace";

const HOSTS: Readonly<
  Record<string, { readonly settings?: Readonly<Record<string, object>>; readonly checks: readonly Check[] }>
> = {
  "claude-code": {
    checks: [
      { args: ["plugin", "validate", plugin], says: /Validation passed/ },
      { args: ["plugin", "validate", ROOT], says: /Validation passed/ },
      { args: ["plugin", "marketplace", "add", "./"], says: /Successfully added/ },
      { args: ["plugin", "install", ID], says: /Successfully installed/ },
      { args: ["mcp", "list"], says: /plugin:commonplace:commonplace: .*Connected/ },
    ],
  },
  codex: {
    checks: [
      { args: ["plugin", "marketplace", "add", "./"], says: /Added marketplace/ },
      { args: ["plugin", "add", ID], says: /Added plugin/ },
      { args: ["mcp", "list"], says: /commonplace +node .*run\.mjs serve .*enabled/ },
    ],
  },
  "copilot-cli": {
    checks: [
      { args: ["plugin", "marketplace", "add", "./"], says: /added successfully/ },
      { args: ["plugin", "install", ID], says: /Installed 5 skills/ },
      { args: ["mcp", "list"], says: /commonplace \(local\)/ },
    ],
  },
  gemini: {
    // It asks whether the folder is trusted, and there is nobody to answer.
    settings: { ".gemini/settings.json": { security: { folderTrust: { enabled: false } } } },
    checks: [
      { args: ["extensions", "validate", plugin], says: /successfully validated/ },
      { args: ["extensions", "install", plugin, "--consent"], says: /installed successfully/ },
      { args: ["mcp", "list"], says: /commonplace.*Connected/ },
    ],
  },
};

const { values } = parseArgs({ options: { in: { type: "string" } } });
const folder = values.in === undefined ? mkdtempSync(join(tmpdir(), "commonplace-hosts-")) : resolve(values.in);
let failures = 0;
for (const [name, { settings = {}, checks }] of Object.entries(HOSTS)) {
  const place = join(folder, name);
  const { version } = install(PROGRAMS[name]!, place);
  const home = join(place, "home");
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  for (const [path, content] of Object.entries(settings)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), JSON.stringify(content));
  }
  console.log(`\n== ${PROGRAMS[name]!.title} ${version}`);
  for (const { args, says } of checks) {
    const printed = alone([...commandOf(PROGRAMS[name]!, place), ...args], home);
    const isRight = says.test(printed);
    if (!isRight) failures++;
    console.log(
      `${isRight ? "ok    " : "FAILED"} ${args.join(" ").replaceAll(ROOT, ".")}${isRight ? "" : `\n${printed.trim()}`}`,
    );
  }
}
if (values.in === undefined) rmSync(folder, { recursive: true, force: true });
console.log(failures === 0 ? "\nEvery host takes the plugin." : `\n${failures} failures.`);
process.exitCode = failures === 0 ? 0 : 1;

function commandOf({ executable }: Program, place: string): string[] {
  const path = join(place, "node_modules", executable);
  return /\.[cm]?js$/.test(executable) ? [process.execPath, path] : [path];
}

/** Runs a command that reaches nothing but loopback. @returns what it printed */
function alone(command: readonly string[], home: string): string {
  const isRoot = process.getuid?.() === 0;
  const apart = ["--net", "--pid", "--fork", "--kill-child", "--mount-proc", ...(isRoot ? [] : ["--map-root-user"])];
  const { stdout, stderr } = spawnSync(
    "unshare",
    [...apart, "sh", "-c", 'ip link set lo up; exec "$@"', "sh", ...command],
    {
      // As docs/guide/install.md says: in the checkout.
      cwd: ROOT,
      encoding: "utf8",
      timeout: 120_000,
      env: {
        HOME: home,
        PATH: `${dirname(process.execPath)}:/usr/bin:/bin:/sbin:/usr/sbin`,
        LANG: "C.UTF-8",
        NO_COLOR: "1",
      },
    },
  );
  return stdout + stderr;
}
