import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { operatingSystem } from "../../kernel/kernel.ts";
import { shellWords } from "./shell-words.ts";

const WORDS = [
  "connect",
  "--vault",
  "/home/me/My Notes",
  "it's",
  "back\\slash",
  "$HOME",
  "a;b",
  "a,b",
  "",
  "ü 🗂",
  "(x)",
  "*",
  '"q"',
];

describe("shellWords", () => {
  it.skipIf(process.platform === "win32")("quotes words so that sh passes them on unchanged", () => {
    const program = "process.stdout.write(JSON.stringify(process.argv.slice(1)))";
    const command = shellWords([process.execPath, "-e", program, "--", ...WORDS], operatingSystem("linux"));
    expect(JSON.parse(execFileSync("/bin/sh", ["-c", command], { encoding: "utf8" }))).toEqual(WORDS);
  });

  it.each([
    ["C:\\Notes", "C:\\Notes"],
    ["C:\\My Notes", '"C:\\My Notes"'],
    ["C:\\My Notes\\", '"C:\\My Notes\\\\"'],
    ["Z:\\", "Z:\\"],
    ["vault,memory", '"vault,memory"'],
    ["C:\\a;D:\\b", '"C:\\a;D:\\b"'],
    ["C:\\me & you", '"C:\\me & you"'],
    ["C:\\it's", '"C:\\it\'s"'],
    ["C:\\$me's", "'C:\\$me''s'"],
    ["", '""'],
  ])("writes %j as %s on Windows", (word, written) => {
    expect(shellWords([word], operatingSystem("win32"))).toBe(written);
  });
});
