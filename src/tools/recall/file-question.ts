// The argument `file` of recall_conversations: a file of the project or a note,
// with a line, or an outline row; and what is said of each conversation that
// changed it.
import { existsSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import type { AskedFile, Author } from "../../conversations/conversations.ts";
import { pathWithin, Problem, shortened } from "../../kernel/kernel.ts";
import type { Call, Services } from "../definition/define-tool.ts";
import { folderWorkedIn } from "./fields.ts";
import { holdsInWords } from "./holds-in-words.ts";

/** Beyond this a file is data. */
const MAX_BYTES = 4 << 20;

const UNKNOWN = "No conversation is known to have written this: it may be older, or written by hand.";

/** A conversation's changes to the file. */
export interface Change {
  /** The message before its newest edit. */
  readonly message_id?: string;
  /** Lines that it wrote last: `3-5, 9`. */
  readonly changed_lines?: string;
  readonly commit?: string;
  /** Says whether its edits still stand; see standing.ts. */
  readonly holds?: string;
}

export interface FileAnswer {
  /** The rows of the conversations, the newest change first. */
  readonly rows: readonly number[];
  readonly of: (row: number) => Change;
  /** True if it is in a project: then every conversation that changed it is listed, whatever its folder. */
  readonly isInProject: boolean;
  /** A note about the file for the person. */
  readonly note?: string;
}

/**
 * @param everyone all that ever wrote it, with what became of that
 * @param project the one that has the file, by its name or folder; undefined for the one that is worked in
 */
export async function authorsOfFile(
  sent: string,
  { project, everyone }: { readonly project: string | undefined; readonly everyone: boolean },
  call: Call,
): Promise<FileAnswer> {
  if (!call.services.hasDisk)
    throw new Problem("denied", "Which conversation changed a file is known on the machine that has the file.");
  const conversations = await call.services.conversations();
  const [, row] = /^row:(.+)$/.exec(sent.trim()) ?? [];
  if (row !== undefined) {
    const authors = await conversations.authorsOfRow(row, { complete: true, signal: call.signal });
    return { ...answerOf(authors, new Map(), false), ...(authors.length === 0 && { note: UNKNOWN }) };
  }
  const roots = project === undefined ? [await folderWorkedIn(call)] : await rootsOf(project, call);
  const wanted = wantedFile(sent, roots, call);
  const here = await fileHere(wanted, call);
  const files =
    here?.text === undefined ? await filesElsewhere(wanted, project === undefined ? undefined : roots, call) : [];
  const asked = files.length > 0 ? files : here === undefined ? [] : [here];
  if (asked.length === 0) throw nowhere(wanted.path);
  const answers: Answered[] = [];
  for (const file of asked) {
    const asking = { complete: true, signal: call.signal };
    const authors =
      everyone && file.text !== undefined
        ? await conversations.everyAuthorOf({ ...file, text: file.text }, asking)
        : await conversations.authorsOf(file, asking);
    if (authors.length > 0 || asked.length === 1)
      answers.push({ file, authors, commits: await commitsOf(authors, file, call.signal) });
  }
  if (answers.length === 0) answers.push({ file: asked[0]!, authors: [], commits: new Map() });
  const authors = answers.flatMap((answer) => answer.authors).toSorted((a, b) => b.time - a.time);
  const commits = new Map(answers.flatMap((answer) => [...answer.commits]));
  const note = noteAbout(sent, answers, files.length > 0);
  return {
    ...answerOf(authors, commits, answers[0]!.file.inProject !== undefined || files.length > 0),
    ...(note !== undefined && { note }),
  };
}

interface Answered {
  readonly file: AskedFile;
  readonly authors: readonly Author[];
  readonly commits: ReadonlyMap<number, string>;
}

/** Words the note for unusual answers. @param isElsewhere the files were found by the end of their path */
function noteAbout(sent: string, answers: readonly Answered[], isElsewhere: boolean): string | undefined {
  const [{ file, authors }, ...others] = answers as [Answered, ...Answered[]];
  if (others.length > 0) {
    const paths = answers.map((answer) => answer.file.path).join(", ");
    return `${answers.length} files are called so: ${paths}. Send more of the path for one of them.`;
  }
  const { path, text, line } = file;
  if (text === undefined && authors.length === 0) return `${sent} is not there, and no conversation has written it.`;
  if (text === undefined) return `${isElsewhere ? path : sent} is not there: these conversations have written it.`;
  const lines = text.split("\n").length;
  if (line !== undefined && line > lines) return `The file has ${lines} lines only.`;
  if (authors.length === 0) return UNKNOWN;
  return isElsewhere ? `Taken for ${path}.` : undefined;
}

function answerOf(authors: readonly Author[], commits: ReadonlyMap<number, string>, isInProject: boolean): FileAnswer {
  const byRow = new Map<number, Author>();
  for (const author of authors) if (!byRow.has(author.row)) byRow.set(author.row, author);
  return {
    isInProject,
    rows: [...byRow.keys()],
    of: (row) => {
      const author = byRow.get(row)!;
      const commit = commits.get(row);
      return {
        ...(author.message !== "" && { message_id: author.message }),
        ...(author.lines.length > 0 && { changed_lines: rangesOf(author.lines) }),
        ...(commit !== undefined && { commit }),
        ...(author.standing !== undefined && { holds: holdsInWords([author.standing], author.changedIn) }),
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

/** A path as it was sent, without its line, and where it is if it belongs to the project. */
interface WantedFile {
  readonly path: string;
  readonly line: number | undefined;
  readonly root: string;
  readonly absolute: string;
}

function wantedFile(sent: string, roots: readonly string[], call: Call): WantedFile {
  const [, path = "", line] = /^(.*?)(?:(?::|#L)(\d+)(?:[:-]\d+)?)?$/s.exec(sent.trim()) ?? [];
  if (path === "" || path.includes("\0"))
    throw new Problem("invalid", "file must be a path, such as src/x.ts or src/x.ts:42");
  const root =
    roots.find((one) => (isAbsolute(path) ? path.startsWith(one) : existsSync(join(one, path)))) ?? roots[0]!;
  const absolute = isAbsolute(path) ? path : join(root, path);
  // A project may contain a vault, and who wrote a hidden note is not to be known either.
  if (call.services.isHiddenFile?.(absolute)) throw nowhere(path);
  return { path, line: line === undefined ? undefined : Number(line), root, absolute };
}

/** The file of the project or the note of that path; without a text if the project has none there, undefined if neither can. */
async function fileHere({ path, line, root, absolute }: WantedFile, call: Call): Promise<AskedFile | undefined> {
  const within = pathWithin(root, absolute);
  const text = within ? await projectText(root, absolute) : undefined;
  const inProject = within ? { root, path: within } : undefined;
  if (text !== undefined) return { path: absolute, inProject, text, line };
  const note = await noteNamed(path, call.services);
  if (note !== undefined) return { ...note, line };
  return inProject && { path: absolute, inProject, text: undefined, line: undefined };
}

/**
 * The files of any project whose recorded path is this one or ends in it. They are opened only below the recorded root
 * of their project. @param roots those of the project that was named
 */
async function filesElsewhere(
  { path, line }: WantedFile,
  roots: readonly string[] | undefined,
  call: Call,
): Promise<AskedFile[]> {
  const { isHiddenFile } = call.services;
  const recorded = await (
    await call.services.conversations()
  ).recordedFiles(path, { complete: true, signal: call.signal });
  const asked: AskedFile[] = [];
  for (const file of recorded) {
    const { inProject } = file;
    if (isHiddenFile?.(file.path)) continue;
    if (roots !== undefined && (inProject === undefined || !roots.includes(inProject.root))) continue;
    const text = inProject && (await textIfAllowed(inProject.root, file.path));
    asked.push({ ...file, text, line: text === undefined ? undefined : line });
  }
  return asked;
}

/** Undefined as well for a file that a link leads to from outside of the project. */
async function textIfAllowed(root: string, path: string): Promise<string | undefined> {
  try {
    return await projectText(root, path);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
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
    return readBytes(real, undefined, MAX_BYTES).toString("utf8");
  } catch (error) {
    if (/^(?:ENOENT|ENOTDIR|EISDIR)$/.test(codeOf(error))) return undefined;
    throw error;
  }
}

/** The note of the first vault that has it. A path that no vault allows may be one of a project. */
export async function noteNamed(path: string, services: Pick<Services, "vaults">): Promise<AskedFile | undefined> {
  const { readNote } = await import("../../vault/vault.ts");
  for (const { folder, vault } of services.vaults) {
    const sent = isAbsolute(path) ? relative(folder, path).split(sep).join("/") : path;
    if (sent.startsWith("../") || isAbsolute(sent)) continue;
    try {
      const { path: note, note: content } = await readNote(await vault(), sent);
      return { path: join(folder, note), note, text: content.text };
    } catch (error) {
      if (!(error instanceof Problem && NOT_A_NOTE.has(error.code))) throw error;
    }
  }
  return undefined;
}

/** Codes of problems with the path, not with the vault. */
const NOT_A_NOTE = new Set(["invalid", "denied", "not_found"]);

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
