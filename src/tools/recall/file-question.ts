// The argument `file` of recall_conversations: a file of the project or a note,
// with a line, or an outline row; and what is said of each conversation that
// changed it.
import { existsSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import type { AskedFile, Author, Conversations } from "../../conversations/conversations.ts";
import { pathWithin, Problem, shortened } from "../../kernel/kernel.ts";
import type { Call, NamedVault } from "../definition/define-tool.ts";
import { folderWorkedIn } from "./fields.ts";

/** Beyond this a file is data. */
const MOST_BYTES = 4 << 20;

const UNKNOWN = "No conversation is known to have written this: it may be older, or written by hand.";

/** What a conversation did to the file. */
export interface Change {
  /** The message before its newest edit. */
  readonly message_id?: string;
  /** Lines that it wrote last: `3-5, 9`. */
  readonly changed_lines?: string;
  readonly commit?: string;
}

export interface FileAnswer {
  /** The rows of the conversations, the newest change first. */
  readonly rows: readonly number[];
  readonly of: (row: number) => Change;
  /** Whether it is in a project: then every conversation that changed it is listed, whatever its folder. */
  readonly isInProject: boolean;
  /** What the person should know about the file. */
  readonly note?: string;
}

/** @param project the one that has the file, by its name or folder; undefined for the one that is worked in */
export async function authorsOfFile(sent: string, project: string | undefined, call: Call): Promise<FileAnswer> {
  if (!call.services.hasDisk)
    throw new Problem("denied", "Which conversation changed a file is known on the machine that has the file.");
  const conversations = await call.services.conversations();
  const [, row] = /^row:(.+)$/.exec(sent.trim()) ?? [];
  if (row !== undefined) {
    const authors = await conversations.authorsOfRow(row, { complete: true, signal: call.signal });
    return { ...answerOf(authors, new Map(), false), ...(authors.length === 0 && { note: UNKNOWN }) };
  }
  const roots = project === undefined ? [await folderWorkedIn(call)] : await rootsOf(project, call);
  const asked = await fileNamed(sent, roots, call);
  const authors = await conversations.authorsOf(asked, { complete: true, signal: call.signal });
  const commits = await commitsOf(authors, asked, call.signal);
  const note = noteAbout(sent, asked, authors.length);
  return { ...answerOf(authors, commits, asked.inProject !== undefined), ...(note !== undefined && { note }) };
}

/** What is to be known where the answer is not the plain one. */
function noteAbout(sent: string, { text, line }: AskedFile, found: number): string | undefined {
  if (text === undefined)
    return found > 0
      ? `${sent} is not there: these conversations have written it.`
      : `${sent} is not there, and no conversation has written it.`;
  const lines = text.split("\n").length;
  if (line !== undefined && line > lines) return `The file has ${lines} lines only.`;
  return found === 0 ? UNKNOWN : undefined;
}

function answerOf(
  authors: Awaited<ReturnType<Conversations["authorsOf"]>>,
  commits: ReadonlyMap<number, string>,
  isInProject: boolean,
): FileAnswer {
  const byRow = new Map(authors.map((author) => [author.row, author]));
  return {
    isInProject,
    rows: authors.map(({ row }) => row),
    of: (row) => {
      const author = byRow.get(row)!;
      const commit = commits.get(row);
      return {
        ...(author.message !== "" && { message_id: author.message }),
        ...(author.lines.length > 0 && { changed_lines: rangesOf(author.lines) }),
        ...(commit !== undefined && { commit }),
      };
    },
  };
}

/** Only folders of projects that conversations were in: no others may be read by this name. */
async function rootsOf(project: string, { services, signal }: Call): Promise<readonly string[]> {
  const { roots, folders, similar } = await (
    await services.conversations()
  ).project(project, { complete: true, signal });
  if (roots.length > 0) return roots;
  throw folders.length > 0
    ? new Problem("not_found", `The folder of the project ${project} is not there.`)
    : new Problem("not_found", ...unknownProject(project, similar));
}

export function unknownProject(project: string, similar: readonly string[]): [sentence: string, hint: string] {
  return [
    `No conversation was in a project called ${shortened(project)}.`,
    similar.length > 0 ? `Similar names: ${similar.join(", ")}.` : "The field project of any result has its name.",
  ];
}

async function fileNamed(sent: string, roots: readonly string[], call: Call): Promise<AskedFile> {
  const [, path = "", line] = /^(.*?)(?:(?::|#L)(\d+)(?:[:-]\d+)?)?$/s.exec(sent.trim()) ?? [];
  if (path === "" || path.includes("\0"))
    throw new Problem("invalid", "file must be a path, such as src/x.ts or src/x.ts:42");
  const at = line === undefined ? undefined : Number(line);
  const root =
    roots.find((one) => (isAbsolute(path) ? path.startsWith(one) : existsSync(join(one, path)))) ?? roots[0]!;
  const absolute = isAbsolute(path) ? path : join(root, path);
  const within = pathWithin(root, absolute);
  // A project may contain a vault, and who wrote a hidden note is not to be known either.
  if (call.services.isHiddenFile?.(absolute)) throw nowhere(path);
  const text = within ? await projectText(root, absolute) : undefined;
  const inProject = within ? { root, path: within } : undefined;
  if (text !== undefined) return { path: absolute, inProject, text, line: at };
  const note = await noteNamed(path, call);
  if (note !== undefined) return { ...note, line: at };
  if (inProject === undefined) throw nowhere(path);
  return { path: absolute, inProject, text: undefined, line: undefined };
}

function nowhere(path: string): Problem {
  return new Problem("denied", `${path} is neither in the project nor in the vault.`, "Send a path in one of them.");
}

/** Undefined if it is not there. A link that leads out of the project is not followed. */
async function projectText(root: string, path: string): Promise<string | undefined> {
  const { codeOf, readBytes, realPath } = await import("../../files/files.ts");
  try {
    const real = realPath(path);
    if (pathWithin(realPath(root), real) === undefined)
      throw new Problem("denied", "The file is outside of the project.", "Send a path in the project or the vault.");
    return readBytes(real, undefined, MOST_BYTES).toString("utf8");
  } catch (error) {
    if (/^(?:ENOENT|ENOTDIR|EISDIR)$/.test(codeOf(error))) return undefined;
    throw error;
  }
}

/** The note of the first vault that has it. */
async function noteNamed(path: string, { services }: Call): Promise<AskedFile | undefined> {
  let failure: unknown;
  for (const vault of services.vaults) {
    try {
      const found = await noteIn(vault, path);
      if (found !== undefined) return found;
    } catch (error) {
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return undefined;
}

async function noteIn({ folder, vault }: NamedVault, path: string): Promise<AskedFile | undefined> {
  const { readNote } = await import("../../vault/vault.ts");
  const sent = isAbsolute(path) ? relative(folder, path).split(sep).join("/") : path;
  if (sent.startsWith("../") || isAbsolute(sent)) return undefined;
  try {
    const { path: note, note: content } = await readNote(await vault(), sent);
    return { path: join(folder, note), note, text: content.text };
  } catch (error) {
    if (error instanceof Problem && error.code === "not_found") return undefined;
    throw error;
  }
}

/** By the conversation's row: the commit of the first line that it wrote. */
async function commitsOf(
  authors: readonly Author[],
  { inProject, line }: AskedFile,
  signal: AbortSignal,
): Promise<Map<number, string>> {
  const commits = new Map<number, string>();
  if (inProject === undefined) return commits;
  const { commitOfLine } = await import("../../project/project.ts");
  for (const { row, lines } of authors.slice(0, 20)) {
    const [first = undefined] = line === undefined ? lines : [line];
    const found = first === undefined ? undefined : await commitOfLine(inProject.root, inProject.path, first, signal);
    if (found !== undefined) commits.set(row, `${found.commit.slice(0, 12)} ${found.subject}`);
  }
  return commits;
}

/** `3-5, 9` */
function rangesOf(lines: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last !== undefined && line <= last[1] + 1) last[1] = line;
    else ranges.push([line, line]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(", ");
}
