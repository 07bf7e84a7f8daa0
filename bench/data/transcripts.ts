// Claude Code transcripts of any size with the shape of real ones: of 351 MB
// 2.8 % was prose, 43 % what tools returned in full, 20 % progress; quotes and
// escapes are as dense as in real ones. Made up, and the same each time. Used by
// the benchmark of recall.
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Chance } from "./chance.ts";
import { WORDS } from "./words.ts";

export interface Store {
  readonly files: readonly string[];
  readonly bytes: number;
  readonly prose: number;
}

/** Sessions of about 330 kB in `<home>/.claude/projects`, until there are so many bytes. */
export function makeTranscripts(home: string, bytes: number): Store {
  const files: string[] = [];
  let written = 0;
  let prose = 0;
  for (let i = 0; written < bytes; i++) {
    const project = join(home, ".claude", "projects", `-work-project-${i % 20}`);
    mkdirSync(project, { recursive: true });
    const session = makeSession(i);
    const path = join(project, `${session.id}.jsonl`);
    const file = openSync(path, "w");
    for (const line of session.lines) written += writeSync(file, `${line}\n`);
    closeSync(file);
    prose += session.prose;
    files.push(path);
  }
  return { files, bytes: written, prose };
}

function makeSession(i: number) {
  const chance = new Chance(i);
  const id = chance.uuid();
  const lines: string[] = [];
  let prose = 0;
  let parent: string | null = null;
  let clock = Date.now() - (i % 50) * 24 * 60 * 60 * 1000 - 3_600_000;
  const record = (type: string, rest: object, end: object = {}): string => {
    const uuid = chance.uuid();
    const head = {
      parentUuid: parent,
      isSidechain: false,
      userType: "external",
      cwd: `/code/project/${i % 20}`,
      sessionId: id,
      version: "2.1.17",
      gitBranch: "main",
      slug: "dynamic-sleeping-manatee",
      type,
    };
    clock += 900;
    parent = uuid;
    return JSON.stringify({ ...head, ...rest, uuid, timestamp: new Date(clock).toISOString(), ...end });
  };
  const assistant = (message: string, block: object) =>
    record("assistant", {
      message: {
        model: "claude-opus-4-5",
        id: message,
        type: "message",
        role: "assistant",
        content: [block],
        stop_reason: null,
        usage: { input_tokens: 9, cache_read_input_tokens: 23_000, output_tokens: 4, service_tier: "standard" },
      },
      requestId: `req_${message}`,
    });
  for (let turn = 0; turn < 3; turn++) {
    const prompt = chance.prose(500);
    prose += prompt.length;
    lines.push(record("user", { message: { role: "user", content: prompt } }));
    for (let step = 0; step < 7; step++) {
      const message = `msg_${chance.uuid()}`;
      if (chance.next() < 0.5) {
        const thinking = { type: "thinking", thinking: chance.prose(350), signature: chance.uuid().repeat(8) };
        lines.push(assistant(message, thinking));
      }
      if (chance.next() < 0.6) {
        const said = chance.prose(600);
        prose += said.length;
        lines.push(assistant(message, { type: "text", text: said }));
      }
      const file = `/code/project/${i % 20}/src/${WORDS[chance.below(400)]}.ts`;
      const input = { file_path: file, old_string: chance.code(150), new_string: chance.code(150) };
      lines.push(assistant(message, { type: "tool_use", id: chance.uuid(), name: "Edit", input }));
      const output = chance.code(chance.next() < 0.1 ? 25_000 : 300);
      lines.push(record("progress", { data: { type: "bash_progress", output, elapsedTimeSeconds: 3 } }));
      const [short, long] = chance.sizesOfResult();
      const result = { tool_use_id: chance.uuid(), type: "tool_result", content: chance.code(short) };
      const asked = { role: "user", content: [result] };
      lines.push(record("user", { message: asked }, { toolUseResult: fullResult(chance, file, long) }));
    }
  }
  return { id, lines, prose };
}

/** As edits and commands leave it. */
function fullResult(chance: Chance, filePath: string, length: number): object {
  if (chance.next() < 0.2) return { stdout: chance.code(length), stderr: "", interrupted: false, isImage: false };
  const lines = chance.code(length * 0.7).split("\n");
  return {
    filePath,
    oldString: lines[0],
    newString: lines[1],
    originalFile: chance.code(length * 0.2),
    structuredPatch: [{ oldStart: 1, oldLines: lines.length, newStart: 1, newLines: lines.length, lines }],
    userModified: false,
    replaceAll: false,
  };
}
