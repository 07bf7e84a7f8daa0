// Reads the memories of assistants, and the rules that people write for them:
// Markdown files in the home folder and in projects. Only read, never stored. Used
// by conversation-library.ts.
import { statSync } from "node:fs";
import { join } from "node:path";
import { realPath } from "../files/files.ts";
import { pathWithin } from "../kernel/kernel.ts";
import { isStopWord, parseQuery, snippetOf, termsOf } from "../search/search.ts";
import { textAt } from "./sources/kit/json-document.ts";
import { listed } from "./sources/kit/transcript-search.ts";
import type { Home } from "./sources/source.ts";

export interface HostMemory {
  /** The assistant that reads the file, or several of them. */
  readonly host: string;
  readonly path: string;
  /** When the file was last changed, in milliseconds. */
  readonly updated: number;
  readonly snippet: string;
  /** The part of the words that the passage has. */
  readonly share: number;
}

interface Kept {
  readonly host: string;
  readonly path: string;
  /** Outside of which it may not lead. */
  readonly project?: string;
}

/** A rule or memory is short; a file that is larger is something else. */
const MAX_SIZE = 256_000;
const MAX_FILES = 500;
const MAX_SNIPPET = 280;

interface MemoryOptions {
  readonly isHidden: (path: string) => boolean;
  /** Takes the whole text: what stands before a secret may tell that it is one. */
  readonly redact: (text: string) => string;
  readonly most: number;
}

/** The passages about a question, the best and then the newest first, one of each file. */
export function memoriesAbout(
  question: string,
  home: Home,
  projects: readonly string[],
  { isHidden, redact, most }: MemoryOptions,
): HostMemory[] {
  const asked = termsIn(question);
  if (asked.length === 0) return [];
  const wanted = parseQuery(question);
  const found = [...filesOf(home, projects)].slice(0, MAX_FILES).flatMap(({ host, path }) => {
    const updated = changedAt(path);
    if (updated === undefined || isHidden(path)) return [];
    const text = textAt(path) ?? "";
    const best = bestPassage(text, asked) && bestPassage(redact(text), asked);
    if (best === undefined) return [];
    return [{ host, path, updated, snippet: snippetOf(best.text, wanted, MAX_SNIPPET).text, share: best.share }];
  });
  const shown = new Map<string, HostMemory>();
  // The same rules may be there for several hosts, or behind a link.
  for (const one of found.toSorted((a, b) => b.share - a.share || b.updated - a.updated))
    if (!shown.has(one.snippet)) shown.set(one.snippet, one);
  return [...shown.values()].slice(0, most);
}

function termsIn(text: string): string[] {
  return [...new Set(termsOf(text))].filter((term) => !isStopWord(term));
}

function changedAt(path: string): number | undefined {
  try {
    const { size, mtimeMs } = statSync(path);
    return size > MAX_SIZE ? undefined : Math.round(mtimeMs);
  } catch {
    return undefined;
  }
}

/** Two words have to be there both, of more most. */
const ENOUGH = 0.6;

function bestPassage(
  text: string,
  asked: readonly string[],
): { readonly text: string; readonly share: number } | undefined {
  let heading = "";
  let best: { text: string; share: number } | undefined;
  for (const block of text.replaceAll("\r\n", "\n").split(/\n(?=\n|#|[-*] )/)) {
    const passage = block.trim();
    if (passage.startsWith("#")) heading = passage.split("\n", 1)[0]!;
    const terms = new Set(termsOf(`${heading} ${passage}`));
    const share = asked.filter((term) => terms.has(term)).length / asked.length;
    if (share < (asked.length > 2 ? ENOUGH : 1) || share <= (best?.share ?? 0)) continue;
    best = { text: passage.startsWith(heading) ? passage : `${heading}\n${passage}`, share };
  }
  return best;
}

function* filesOf(home: Home, projects: readonly string[]): Generator<Kept> {
  const { folder, environment } = home;
  const seen = new Set<string>();
  for (const kept of [...inHome(folder, environment), ...projects.flatMap((project) => [...inProject(project)])]) {
    let real: string;
    try {
      real = realPath(kept.path);
      // A repository may come with a link to any file of the person.
      if (kept.project !== undefined && pathWithin(realPath(kept.project), real) === undefined) continue;
    } catch {
      continue;
    }
    if (!seen.has(real)) yield kept;
    seen.add(real);
  }
}

function* inHome(folder: string, environment: Home["environment"]): Generator<Kept> {
  const claude = environment["CLAUDE_CONFIG_DIR"] || join(folder, ".claude");
  yield { host: "Claude Code", path: join(claude, "CLAUDE.md") };
  for (const project of namesIn(join(claude, "projects")))
    yield* markdownIn("Claude Code", join(claude, "projects", project, "memory"));
  const codex = environment["CODEX_HOME"] || join(folder, ".codex");
  yield { host: "Codex CLI", path: join(codex, "AGENTS.md") };
  yield* markdownIn("Codex CLI", join(codex, "memories"));
  yield { host: "Gemini CLI", path: join(folder, ".gemini", "GEMINI.md") };
  yield { host: "Qwen Code", path: join(folder, ".qwen", "QWEN.md") };
  yield* markdownIn("Windsurf", join(folder, ".codeium/windsurf/memories"));
}

function* inProject(project: string): Generator<Kept> {
  const files = [
    ["Claude Code", "CLAUDE.md"],
    ["Claude Code", "CLAUDE.local.md"],
    ["Claude Code", join(".claude", "CLAUDE.md")],
    ["Codex CLI and others", "AGENTS.md"],
    ["Gemini CLI", "GEMINI.md"],
    ["Qwen Code", "QWEN.md"],
    ["GitHub Copilot", join(".github", "copilot-instructions.md")],
    ["Cursor", ".cursorrules"],
    ["Windsurf", ".windsurfrules"],
  ] as const;
  for (const [host, name] of files) yield { host, path: join(project, name), project };
  yield* markdownIn("Cursor", join(project, ".cursor", "rules"), project);
  yield* markdownIn("Windsurf", join(project, ".windsurf", "rules"), project);
  yield* markdownIn("GitHub Copilot", join(project, ".github", "instructions"), project);
}

function* markdownIn(host: string, folder: string, project?: string): Generator<Kept> {
  const within = project === undefined ? {} : { project };
  for (const name of namesIn(folder)) if (/\.mdc?$/.test(name)) yield { host, path: join(folder, name), ...within };
}

/** None if the folder does not exist, or may not be read. */
function namesIn(folder: string): string[] {
  const entries = listed(folder);
  for (let step = entries.next(); ; step = entries.next())
    if (step.done === true) return (step.value ?? []).map(({ name }) => name);
}
