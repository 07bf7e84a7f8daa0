// Whether "still holds" is right: transcripts are made of the commits of real repositories,
// one session for each change of a file, and the built program says of each whether its
// change still stands. Truth comes from git: the lines of a commit that blame still gives
// it, and hunks that stand as a whole, white space and moves aside. Repositories are this checkout's own, and those of
// BENCH_REPOSITORIES (folders, separated like PATH), clones with their history.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { Chance } from "./data/chance.ts";
import { goal, inNewFolder, table } from "./measurement/measure.ts";
import { serveRecall } from "./measurement/recall-client.ts";

const REPOSITORIES = [
  join(import.meta.dirname, ".."),
  ...(process.env["BENCH_REPOSITORIES"] ?? "").split(delimiter).filter(Boolean),
];
const MAX_FILES = 60;
const MAX_COMMITS = 8;
const MAX_BLAMED_LINES = 5_000;
const TEXTS = /\.(?:[cm]?[jt]sx?|py|md|rst|go|rs|css|html|json|toml|ya?ml)$/;
/** Of a line that tells, as the program counts it. */
const TELLING = 4;

type Truth = "holds" | "part" | "gone";

/** A change of one file by one commit, and the session that was made of it. */
interface Change {
  readonly session: string;
  readonly word: string;
  readonly time: number;
  readonly truth: Truth;
  readonly file: string;
}

export async function run(): Promise<void> {
  const verdicts = new Map<string, number>();
  const wrong: string[] = [];
  for (const repository of REPOSITORIES) await inNewFolder((home) => judge(repository, home, verdicts, wrong));
  const count = (test: (truth: string, said: string) => boolean) =>
    [...verdicts].reduce((sum, [key, times]) => {
      const [truth = "", said = ""] = key.split(" ");
      return sum + (test(truth, said) ? times : 0);
    }, 0);
  const truths: readonly Truth[] = ["holds", "part", "gone"];
  const said = ["yes", "part", "no", "nothing"];
  table(
    "Changes of files by commits: what git says, and what the program says",
    ["", ...said],
    truths.map((truth) => [truth, ...said.map((one) => String(verdicts.get(`${truth} ${one}`) ?? 0))]),
  );
  for (const line of wrong) console.log(`         ${line}`);
  const all = count(() => true);
  const judged = count((_, one) => one !== "nothing");
  const right = judged - wrong.length;
  const falsely = count((truth, one) => truth !== "holds" && one === "yes");
  goal(all >= 200, `at least 200 changes: ${all}`);
  goal(judged >= 0.6 * all, `a verdict for at least 60 %: ${percent(judged, all)}`);
  goal(right >= 0.95 * judged, `at least 95 % of them right: ${percent(right, judged)}`);
  goal(falsely === 0, `none of those that were changed "still holds": ${falsely}`);
}

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} % of ${whole}`;

async function judge(repository: string, home: string, verdicts: Map<string, number>, wrong: string[]): Promise<void> {
  const folder = join(home, "code", basename(repository));
  mkdirSync(dirname(folder), { recursive: true });
  execFileSync("git", ["clone", "--quiet", "--no-hardlinks", repository, folder]);
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", folder, ...args], { encoding: "utf8", maxBuffer: 1 << 28 });
  const chance = new Chance(44);
  const files = git("ls-tree", "-r", "--name-only", "HEAD").split("\n");
  const texts = files.filter((file) => TEXTS.test(file) && !/(?:^|[/.-])lock\b|^dist\/|^plugin\//.test(file));
  const chosen = texts
    .map((file) => [chance.next(), file] as const)
    .toSorted(([a], [b]) => a - b)
    .slice(0, MAX_FILES);
  const changes = chosen.flatMap(([, file]) => changesOf(file, git, { chance, home, folder }));
  const client = await serveRecall(home, join(home, "ours"));
  await client.recall({ fast_mode: false });
  for (const { session, word, truth, file } of changes) {
    const { conversations } = await client.recall({ search_query: word, since: "all", project: "all", limit: 1 });
    const [row] = conversations;
    if (row?.id !== session) throw new Error(`The session about ${word} was not found.`);
    const said = saidBy(row.holds);
    verdicts.set(`${truth} ${said}`, (verdicts.get(`${truth} ${said}`) ?? 0) + 1);
    const isRight =
      said === "nothing" ||
      (said === "yes" && truth === "holds") ||
      (said === "part" && truth !== "holds") ||
      (said === "no" && truth === "gone");
    if (!isRight) wrong.push(`${truth}, and it said "${row.holds}": ${basename(repository)} ${file} ${session}`);
  }
  await client.close();
}

function saidBy(holds: string | undefined): string {
  if (holds === undefined) return "nothing";
  return holds === "yes" ? "yes" : holds.startsWith("no") ? "no" : "part";
}

type Git = (...args: string[]) => string;

interface Making {
  readonly chance: Chance;
  readonly home: string;
  readonly folder: string;
}

/** The changes of a file along the first parents: a merged branch is one commit, as it was taken in. */
function changesOf(file: string, git: Git, making: Making): Change[] {
  const log = git("log", "--first-parent", "-m", "--format=%H %ct", "HEAD", "--", file);
  const commits = log.split("\n").filter(Boolean).slice(0, MAX_COMMITS);
  if (commits.length < 2) return [];
  const owned = ownedLines(git("blame", "--first-parent", "-w", "-M", "--line-porcelain", "HEAD", "--", file));
  if (owned === undefined) return [];
  const present = packed(git("show", `HEAD:${file}`));
  return commits.flatMap((line) => {
    const [commit = "", time = ""] = line.split(" ");
    const change = changeIn(file, commit, git, making.chance);
    if (change === undefined) return [];
    const truth = truthOf(change, owned.get(commit) ?? [], present);
    const at = Number(time) * 1000;
    const made = { session: making.chance.uuid(), word: `mark${making.chance.uuid().replaceAll("-", "")}`, time: at };
    writeSession(making, { ...made, file, change });
    return [{ ...made, truth, file }];
  });
}

/** By commit, the lines that it still owns. */
function ownedLines(blame: string): Map<string, string[]> | undefined {
  const owned = new Map<string, string[]>();
  let commit = "";
  for (const line of blame.split("\n"))
    if (line.startsWith("\t")) owned.set(commit, [...(owned.get(commit) ?? []), line.slice(1).trim()]);
    else commit = /^([0-9a-f]{40,64}) \d+ \d+/.exec(line)?.[1] ?? commit;
  return [...owned.values()].flat().length > MAX_BLAMED_LINES ? undefined : owned;
}

interface FileChange {
  readonly isNew: boolean;
  readonly edits: readonly { readonly removed: string; readonly added: string }[];
  /** What they made of the file, with a line before and after. */
  readonly hunks: readonly string[];
  /** Telling lines that it wrote, white space aside. */
  readonly written: readonly string[];
}

/** The hunks of a commit in a file, or the first of them. */
function changeIn(file: string, commit: string, git: Git, chance: Chance): FileChange | undefined {
  const diff = (...how: string[]) => git("show", "--first-parent", "-m", "--format=", ...how, commit, "--", file);
  const plain = diff();
  if (/^(?:rename|copy|Binary|deleted)/m.test(plain)) return undefined;
  const isNew = /^new file/m.test(plain);
  const before = isNew ? "" : git("show", `${commit}^1:${file}`);
  const context = Math.floor(chance.next() * 3);
  const hunks = [context, 3, 6, 12]
    .map((lines) => hunksIn(diff(`-U${lines}`)))
    .find((all) => isNew || areUnique(all, before));
  if (hunks === undefined) return undefined;
  const taken = isNew || chance.next() < 0.5 ? hunks : hunks.slice(0, 1);
  const sent = new Set(
    taken
      .flat()
      .filter((line) => line.startsWith("+"))
      .map((line) => line.slice(1)),
  );
  const own = hunksIn(diff("-U1", "-w")).map((hunk) =>
    hunk.filter((line) => !line.startsWith("+") || sent.has(line.slice(1))),
  );
  const written = own
    .flat()
    .filter((line) => line.startsWith("+") && isTelling(line))
    .map((line) => line.slice(1).trim());
  if (written.length === 0) return undefined;
  return {
    isNew,
    edits: taken.map((hunk) => ({ removed: sideOf(hunk, "+"), added: sideOf(hunk, "-") })),
    hunks: own.filter((hunk) => hunk.some((line) => line.startsWith("+"))).map((hunk) => sideOf(hunk, "-")),
    written,
  };
}

/** A text that is replaced has to be in the file once: assistants send as much context as that takes. */
function areUnique(hunks: readonly (readonly string[])[], before: string): boolean {
  return hunks.every((hunk) => {
    const removed = sideOf(hunk, "+");
    return removed.trim() !== "" && before.split(removed).length === 2;
  });
}

/** A hunk without the lines of one sign. */
function sideOf(hunk: readonly string[], without: string): string {
  return hunk
    .filter((line) => !line.startsWith(without))
    .map((line) => line.slice(1))
    .join("\n");
}

function hunksIn(diff: string): string[][] {
  return diff
    .split(/^@@.*$/m)
    .slice(1)
    .map((hunk) => hunk.split("\n").filter((line) => /^[ +-]/.test(line)));
}

function isTelling(line: string): boolean {
  return line.replaceAll(/[^\p{L}\p{N}]/gu, "").length >= TELLING;
}

/** Of equal lines blame may give the wrong one to a commit: hunks that stand as a whole, among their neighbours, stand. */
function truthOf({ written, hunks }: FileChange, owned: readonly string[], present: string): Truth {
  if (hunks.every((hunk) => present.includes(packed(hunk)))) return "holds";
  const left = [...owned];
  const there = written.filter((line) => {
    const at = left.indexOf(line);
    if (at !== -1) left.splice(at, 1);
    return at !== -1;
  });
  return there.length === written.length ? "holds" : there.length === 0 ? "gone" : "part";
}

/** Without white space, line by line. */
function packed(text: string): string {
  return `\n${text
    .split("\n")
    .map((line) => line.trim())
    .join("\n")}\n`;
}

/** As Claude Code writes it. */
function writeSession(
  { home, folder, chance }: Making,
  { session, word, time, file, change }: Omit<Change, "truth"> & { readonly change: FileChange },
): void {
  const path = join(folder, file);
  const calls = change.isNew
    ? [["Write", { file_path: path, content: change.edits.map(({ added }) => added).join("\n") }]]
    : change.edits.map(({ removed, added }) => ["Edit", { file_path: path, old_string: removed, new_string: added }]);
  let parent: string | null = null;
  const record = (type: string, message: object) => {
    const uuid = chance.uuid();
    const line = { parentUuid: parent, isSidechain: false, cwd: folder, sessionId: session, version: "2.1.17", type };
    parent = uuid;
    return JSON.stringify({ ...line, message, uuid, timestamp: new Date(time - 60_000).toISOString() });
  };
  const answer = (block: object) =>
    record("assistant", { id: `msg_${chance.uuid()}`, type: "message", role: "assistant", content: [block] });
  const lines = [
    record("user", { role: "user", content: `Please make the change ${word}.` }),
    ...calls.flatMap(([name, input], i) => [
      answer({ type: "tool_use", id: `toolu_${i}`, name, input }),
      record("user", {
        role: "user",
        content: [{ tool_use_id: `toolu_${i}`, type: "tool_result", content: "The file has been updated." }],
      }),
    ]),
    answer({ type: "text", text: "That is done." }),
  ];
  const transcripts = join(home, ".claude", "projects", folder.replaceAll(/[^A-Za-z0-9]/g, "-"));
  mkdirSync(transcripts, { recursive: true });
  writeFileSync(join(transcripts, `${session}.jsonl`), lines.map((line) => `${line}\n`).join(""));
}
