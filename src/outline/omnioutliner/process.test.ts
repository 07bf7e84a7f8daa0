// The osascript process behind every request: its input, its time limit and its
// failures. Each osascript here is a small shell script.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openOmniOutliner } from "./process.ts";

const PATH = process.env["PATH"];
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "commonplace-osascript-"));
  process.env["PATH"] = `${folder}${delimiter}${PATH}`;
});
afterEach(() => {
  process.env["PATH"] = PATH;
  rmSync(folder, { recursive: true, force: true });
});

function osascript(lines: string): void {
  writeFileSync(join(folder, "osascript"), `#!/bin/sh\ncd '${folder}'\n${lines}\n`);
  chmodSync(join(folder, "osascript"), 0o755);
}

const READ = { do: "read", paths: null } as const;
const CHANGE = { do: "change", paths: null, edits: [], expects: [] } as const;

describe("a request to OmniOutliner", () => {
  it("is passed on standard input, with no text of the user in the arguments", async () => {
    osascript(`printf '%s\\n' "$@" > arguments; cat > input; echo '{"isRunning":false}'`);
    const edits = [{ kind: "delete", id: 'it\'s "secret" 👋' }] as const;
    expect(await openOmniOutliner().ask({ ...CHANGE, edits })).toEqual({ isRunning: false });
    expect(JSON.parse(readFileSync(join(folder, "input"), "utf8"))).toMatchObject({ do: "change", edits });
    const given = readFileSync(join(folder, "arguments"), "utf8");
    expect(given).toMatch(/^-l\nJavaScript\n-e\n/);
    expect(given).not.toContain("secret");
  });

  it("waits for the one before it", async () => {
    osascript(`mkdir busy || exit 1; sleep 0.2; rmdir busy; echo '{"isRunning":false}'`);
    const { ask } = openOmniOutliner();
    const answers = await Promise.all([ask(READ), ask(CHANGE), ask(READ)]);
    expect(answers).toEqual([{ isRunning: false }, { isRunning: false }, { isRunning: false }]);
  });

  it("does not prevent the next one if it fails", async () => {
    osascript(`if [ -e second ]; then echo '{"isRunning":false}'; else touch second; exit 1; fi`);
    const { ask } = openOmniOutliner();
    const [first, second] = await Promise.allSettled([ask(READ), ask(READ)]);
    expect([first!.status, second!.status]).toEqual(["rejected", "fulfilled"]);
  });

  it("ends at its time limit, and says that a change may have been made", async () => {
    osascript("exec sleep 60");
    const { ask, close } = openOmniOutliner({ timeLimit: 300 });
    await expect(ask(CHANGE)).rejects.toMatchObject({
      code: "timeout",
      message: "OmniOutliner did not answer within 0.3 seconds.",
      hint: expect.stringContaining("may have been done"),
    });
    await expect(ask(READ)).rejects.toMatchObject({ code: "timeout", hint: expect.not.stringContaining("done") });
    await close();
  });

  it("ends when the caller aborts, unless it is a change", async () => {
    osascript(`touch begun; sleep 0.5; touch done; echo '{"isRunning":false}'`);
    const { ask } = openOmniOutliner();
    const givingUp = new AbortController();
    const reading = ask(READ, givingUp.signal);
    while (!existsSync(join(folder, "begun"))) await new Promise((resolve) => setTimeout(resolve, 10));
    givingUp.abort(new Error("given up"));
    await expect(reading).rejects.toThrow("given up");
    rmSync(join(folder, "begun"));
    const again = new AbortController();
    const changing = ask(CHANGE, again.signal);
    while (!existsSync(join(folder, "begun"))) await new Promise((resolve) => setTimeout(resolve, 10));
    again.abort(new Error("given up"));
    expect(await changing).toEqual({ isRunning: false });
  });

  it("may have a long answer with characters of several bytes", async () => {
    const name = "日本語👋".repeat(500_000);
    writeFileSync(join(folder, "long"), JSON.stringify({ facts: { name }, answer: {} }));
    osascript("cat long");
    const answer = await openOmniOutliner().ask(READ);
    expect("facts" in answer && answer.facts.name === name).toBe(true);
  });

  it("fails if the answer is not JSON", async () => {
    osascript("echo what");
    await expect(openOmniOutliner().ask(READ)).rejects.toThrow("no JSON");
  });

  it.each([
    ["Not authorized to send Apple events to OmniOutliner. (-1743)", "denied", "System Settings"],
    ["Application isn't running. (-600)", "app_not_running", "Launch"],
    ["Can't get object. (-1728)", "row_not_found", "Read the document again"],
    ["AppleEvent timed out. (-1712)", "timeout", "dialog"],
    ["AppleScript support is a Pro feature. (-10000)", "pro_required", "Pro"],
    ["Application can't be found. (-2700)", "app_not_running", "launch"],
  ])("that fails with '%s' becomes a problem with the code %s", async (words, code, hint) => {
    osascript(`echo "execution error: Error: Error: ${words}" >&2; exit 1`);
    await expect(openOmniOutliner().ask(READ)).rejects.toMatchObject({ code, hint: expect.stringContaining(hint) });
  });

  it("reports the message of any other failure", async () => {
    osascript("echo 'execution error: ReferenceError: x (-2700)' >&2; exit 1");
    await expect(openOmniOutliner().ask(READ)).rejects.toMatchObject({
      code: "internal",
      message: "OmniOutliner could not do this: ReferenceError: x (-2700)",
    });
  });

  it("fails without osascript", async () => {
    process.env["PATH"] = folder;
    await expect(openOmniOutliner().ask(READ)).rejects.toMatchObject({ code: "app_not_running" });
  });
});
