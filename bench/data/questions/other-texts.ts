// Rows of an outline and conversations made of notes that no written question is about,
// so that the search of these kinds is asked for the same sort of text. Used by the
// benchmark of the quality of the search.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Texts } from "./questions.ts";
import { nameOf } from "./questions.ts";
import { Chance } from "../chance.ts";

/** How many of each. */
const MADE = 64;
const MAX_ROW_LENGTH = 300;
const MAX_MESSAGE_LENGTH = 700;

/** @returns the rows by their topic @param file of the outline, which is written */
export function makeRows(notes: Texts, used: ReadonlySet<string>, file: string): Texts {
  const rows = new Map(
    someOf(notes, used, 0).map(([path, text]) => [nameOf(path), proseOf(text).slice(0, MAX_ROW_LENGTH)]),
  );
  const lines = [...rows].map(([topic, note]) => `<outline text="${escaped(topic)}" _note="${escaped(note)}"/>`);
  const body = `<head><title>Bench</title></head>\n<body>\n${lines.join("\n")}\n</body>`;
  writeFileSync(file, `<?xml version="1.0" encoding="UTF-8"?>\n<opml version="2.0">\n${body}\n</opml>\n`);
  return rows;
}

/** Of Claude Code. @returns the conversations by their session @param home in which they are written */
export function makeConversations(notes: Texts, used: ReadonlySet<string>, home: string): Texts {
  const folder = join(home, ".claude", "projects", "-home-ann-bench");
  mkdirSync(folder, { recursive: true });
  return new Map(
    someOf(notes, used, 1).map(([, text], i) => {
      const chance = new Chance(i);
      const session = chance.uuid();
      const [asked, answered] = [0, 1].map((part) =>
        proseOf(text).slice(part * MAX_MESSAGE_LENGTH, (part + 1) * MAX_MESSAGE_LENGTH),
      ) as [string, string];
      const first = chance.uuid();
      const time = (minute: number) => new Date(Date.UTC(2026, 5, 1, 9, i, minute)).toISOString();
      const common = {
        isSidechain: false,
        userType: "external",
        cwd: "/home/ann/bench",
        sessionId: session,
        version: "2.1.17",
      };
      const lines = [
        {
          ...common,
          parentUuid: null,
          type: "user",
          message: { role: "user", content: asked },
          uuid: first,
          timestamp: time(0),
        },
        {
          ...common,
          parentUuid: first,
          type: "assistant",
          message: {
            id: `msg_${session}`,
            type: "message",
            role: "assistant",
            model: "claude-opus-4-5",
            content: [{ type: "text", text: answered || "I do not know more about it." }],
          },
          uuid: chance.uuid(),
          timestamp: time(1),
        },
      ];
      writeFileSync(join(folder, `${session}.jsonl`), `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
      return [session, `${asked} ${answered}`];
    }),
  );
}

/** Long enough for a question, and no two of the same name. */
function someOf(notes: Texts, used: ReadonlySet<string>, offset: number): [string, string][] {
  const names = new Set<string>();
  const good = [...notes]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .filter(([path, text]) => {
      const isNew = !used.has(path) && !names.has(nameOf(path)) && proseOf(text).length > MAX_ROW_LENGTH;
      if (isNew) names.add(nameOf(path));
      return isNew;
    });
  return Array.from({ length: MADE }, (_, i) => good[(2 * i + offset) * Math.floor(good.length / (2 * MADE))]!);
}

function proseOf(text: string): string {
  return text
    .replace(/^---[\s\S]*?\n---\n/, "")
    .replace(/^#.*$/m, "")
    .replace(/\s+/g, " ")
    .trim();
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
