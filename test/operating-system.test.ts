// Which system this is, is asked in one module: everything else depends on the
// facts that it gives, which tests replace by those of another system.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const SOURCE = join(import.meta.dirname, "..", "src");
const ASKS =
  /process\.platform|\bplatform\b[^;=]*\} = process\b|os\.platform\(|import \{[^}]*\bplatform\b[^}]*\} from "node:os"/;

it("is asked for in kernel/system/operating-system.ts alone", () => {
  const asking = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .filter((name) => ASKS.test(readFileSync(join(SOURCE, name), "utf8")));
  expect(asking).toEqual([join("kernel", "system", "operating-system.ts")]);
});

it.each([
  "if (process.platform === 'win32') return;",
  "const { platform, env: environment } = process;",
  'import { homedir, platform } from "node:os";',
  "os.platform()",
])("is recognized when it is asked for: %s", (line) => {
  expect(ASKS.test(line)).toBe(true);
});
