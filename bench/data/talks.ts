// Conversations of Claude Code that are nearly all prose, and short: many of them are
// made, stored and pushed quickly. Made up, and the same each time. Used by the
// benchmark of the shared store, and by the test that both stores rank alike.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Chance } from "./chance.ts";
import { queryAt, wordAt } from "./words.ts";

/** In `<home>/.claude/projects`, all of the project `/code/shop`. */
export function makeTalks(home: string, count: number): void {
  const folder = join(home, ".claude", "projects", "-code-shop");
  mkdirSync(folder, { recursive: true });
  for (let i = 0; i < count; i++) {
    const chance = new Chance(i);
    const id = chance.uuid();
    let clock = Date.now() - 3_600_000 - i * 600_000;
    const lines: string[] = [];
    const record = (type: "user" | "assistant", text: string) => {
      clock += 1_000;
      const uuid = chance.uuid();
      const message =
        type === "user"
          ? { role: "user", content: text }
          : {
              model: "claude-opus-4-5",
              id: `msg_${uuid}`,
              type: "message",
              role: "assistant",
              content: [{ type: "text", text }],
            };
      const head = { parentUuid: null, isSidechain: false, userType: "external", cwd: "/code/shop", sessionId: id };
      const rest = {
        version: "2.1.17",
        gitBranch: "main",
        type,
        message,
        uuid,
        timestamp: new Date(clock).toISOString(),
      };
      lines.push(JSON.stringify({ ...head, ...rest }));
    };
    for (let turn = 0; turn < 1 + chance.below(5); turn++) {
      record("user", chance.prose(60 + chance.below(400)));
      record("assistant", chance.prose(200 + chance.below(2_000)));
    }
    writeFileSync(join(folder, `${id}.jsonl`), `${lines.join("\n")}\n`);
  }
}

/** Queries of all kinds: words, phrases, beginnings, typing errors, exclusions, questions in whole sentences. */
export function talkQueryAt(i: number): string {
  const common = wordAt(20 + i);
  const rare = wordAt(900 + i * 13);
  switch (i % 8) {
    case 3:
      return `"${common} ${wordAt(5 + (i % 40))}"`;
    case 4:
      return `how did we ${common} the ${rare} with ${wordAt(300 + i)} and ${wordAt(60 + i)}?`;
    case 5:
      return `${rare.slice(0, -1)}`;
    case 6:
      return `${rare.slice(0, 2)}${rare.slice(3, 4)}${rare.slice(2, 3)}${rare.slice(4)} ${common}`;
    case 7:
      return `${common} -${wordAt(30 + i)}`;
    default:
      return queryAt(i);
  }
}
