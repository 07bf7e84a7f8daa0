// A process without permissions that tries to write all the same, and reports
// the errors.
import { openVaultRoot } from "../../../src/files/vault/vault-root.ts";
import { contentHash } from "../../../src/files/disk/atomic.ts";
import { parseVaultPath } from "../../../src/files/vault/vault-path.ts";
import { openJournal } from "../../../src/journal/journal.ts";
import type { Step } from "../../../src/journal/plan/step.ts";
import { Problem } from "../../../src/kernel/problem.ts";

const orders = JSON.parse(process.argv[2] ?? "{}") as { readonly folder: string; readonly journals: string };
const journal = openJournal(orders.journals, openVaultRoot(orders.folder), { log: () => {} });
const attempts: Step[] = [
  { kind: "create", path: parseVaultPath("closed/new.md"), bytes: Buffer.from("new") },
  { kind: "rename", path: parseVaultPath("closed/a.md"), to: parseVaultPath("open/a.md") },
  {
    kind: "replace",
    path: parseVaultPath("open/read-only.md"),
    before: contentHash(Buffer.from("r")),
    bytes: Buffer.from("written"),
  },
];
const answers: string[] = [];
for (const step of attempts) {
  try {
    await journal.change({ tool: "test" }, () => ({ message: "", steps: [step] }));
    answers.push("written");
  } catch (error) {
    answers.push(error instanceof Problem ? `${error.code} ${error.message}` : String(error));
  }
}
await journal.close();
process.stdout.write(JSON.stringify(answers));
