import { describe, expect, it } from "vitest";
import { redact } from "../redaction/redaction.ts";
import { randomFrom } from "../../test/redaction/random.ts";
import { LinesBefore, redactPrinted } from "./printed-secrets.ts";

const random = randomFrom(39);
const tool = (text: string) => ({ kind: "tool", text }) as const;

/** The text of the last of several, as it is stored. */
function stored(...texts: readonly string[]): string {
  const lines = new LinesBefore();
  return texts.map((text) => redactPrinted(text, lines.of(tool(text)), redact)).at(-1)!;
}

describe("what a tool printed", () => {
  it.each([
    "terraform output -raw db_password",
    "op read op://Private/db/password",
    "pass show work/db",
    "gcloud secrets versions access latest --secret=db",
    "echo $COHERE_API_KEY",
    "printenv MISTRAL_API_KEY",
  ])("is redacted if the call of another message is %s", (command) => {
    for (let round = 0; round < 20; round++) {
      const secret = random.mixed(28);
      for (const call of [command, `Bash: ${command}`, `Bash: cd x\n${command}\nPrint it`, `shell ${command}`])
        for (const output of [secret, `${secret}\n`, `\n${secret}\nand more\n`])
          expect(stored(call, output), call).not.toContain(secret);
      expect(stored(`Bash: ${command}`, "Bash: git status", `${secret}\n`)).not.toContain(secret);
    }
  });

  it("stays as it is below any other call, in a sentence, and after the person spoke", () => {
    const hash = "7f3c9a1e5b8d2f4a6c0e7f3c9a1e5b8d2f4a6c0e";
    expect(stored("Bash: git rev-parse HEAD", hash)).toBe(hash);
    expect(stored("Bash: pass show work/db", "Error: work/db is not in the password store.")).toContain(
      "Error: work/db",
    );
    const lines = new LinesBefore();
    lines.of(tool("Bash: op read op://Private/db/password"));
    lines.of({ kind: "prose", text: "now the hash" });
    expect(lines.of(tool(hash))).toEqual([]);
  });
});
