// Aider: a log in each project, to which every chat is appended. By its published
// code (aider/io.py, base_coder.py), May 2026.
import { join } from "node:path";
import { writeStoreFile, type MadeConversation, type ProgramStore } from "./made-conversation.ts";

export const aiderStore: ProgramStore = {
  // The projects are below the home folder of the test, and files are relative to them.
  lacks: ["branch", "files", "folder", "times", "title"],
  write(home, conversations) {
    for (const conversation of conversations)
      writeStoreFile(join(home, conversation.folder, ".aider.chat.history.md"), logOf(conversation));
  },
};

const typed = (text: string): string => `\n#### ${text.split("\n").join("  \n#### ")}  \n`;
const told = (...lines: readonly string[]): string => lines.map((line) => `${`> ${line}`.trimEnd()}  \n`).join("");
const twoDigits = (value: number): string => String(value).padStart(2, "0");

function logOf({ model, turns }: MadeConversation): string {
  const tag = "thinking-content-7bbeb8e1441453ad999a0bbba8a46d4b";
  const announcements = ["Aider v0.86.1", `Main model: ${model} with diff edit format`, "Git repo: .git with 12 files"];
  return [
    `\n# aider chat started at ${localTime(turns[0]!.at)}\n\n`,
    told("/usr/bin/aider --no-stream", ...announcements, "Repo-map: using 4096 tokens, auto refresh"),
    ...turns.flatMap(({ prompt, thinking, tool, answer }) => [
      typed(prompt),
      told(`Running cat ${tool.file}`, ...tool.output.split("\n")),
      `\n<${tag}>\n\n${thinking}\n\n</${tag}>\n\n${answer.trim()}\n\n`,
      told("Tokens: 2.3k sent, 120 received. Cost: $0.01 message, $0.02 session."),
    ]),
  ].join("");
}

function localTime(at: number): string {
  const date = new Date(at);
  const day = `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
  return `${day} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}:${twoDigits(date.getSeconds())}`;
}
