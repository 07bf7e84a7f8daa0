// The front door of project/: what a project is, and which of its files matter.
// One object per root. Used by the project's tools.
import { join } from "node:path";
import { describe, type Description } from "./description.ts";
import { rolesWith, type Role } from "./file-kinds.ts";
import { gitFactsOf, type GitFacts, type ProjectState } from "./git/git-facts.ts";
import { EMPTY_HISTORY, type History } from "./git/history.ts";
import { Repository } from "./git/repository.ts";
import { EMPTY_LISTING, listingOfGit, listingWithout, walkProject, type LeftOut } from "./listing.ts";
import { measureFiles, readBeginning } from "./project-files.ts";
import { groupOf, partsOf, rank, scoreOf, type Group, type Part, type Ranking } from "./ranking.ts";
import { checkReadable } from "./root.ts";
import { statisticsOf, type Statistics } from "./statistics.ts";

export { commitOfLine } from "./git/blame.ts";
export type { GitFacts } from "./git/git-facts.ts";
export type { LeftOut } from "./listing.ts";
export { asksClient, findProjectRoot, type ProjectRoot, type RootCandidates } from "./root.ts";
export type { Group } from "./ranking.ts";

/** Paths of files that recent conversations in a project touched, with a weight each. */
export type TouchedFiles = (root: string) => Promise<Touched>;
type Touched = ReadonlyMap<string, number>;

const NOTHING_TOUCHED: Touched = new Map();

export interface FilesRequest {
  /** Extensions in lower case, with the dot; empty for all files. */
  readonly endings: readonly string[];
  readonly most: number;
  readonly byScore: boolean;
  readonly signal?: AbortSignal;
}

export interface ScoredFile {
  readonly score: number;
  readonly group: Group;
  readonly parts: Readonly<Partial<Record<Part, number>>>;
}

export interface FilesAnswer {
  /** Best first, or by name. */
  readonly files: readonly string[];
  /** The number of all files with these extensions. */
  readonly total: number;
  readonly groups: Readonly<Record<Group, number>> | undefined;
  readonly scoreOf: (path: string) => ScoredFile | undefined;
  readonly leftOut: LeftOut;
  readonly isCut: boolean;
  readonly problem: string | undefined;
}

export interface Info {
  readonly description: Description;
  readonly git: GitFacts;
  readonly statistics: Statistics;
  readonly leftOut: LeftOut;
  readonly isCut: boolean;
}

/** Enough for any project, and bounded for a hostile one. */
const MAX_ATTRIBUTES_FILES = 20;
const MAX_ATTRIBUTES_BYTES = 64 * 1024;

export class Project {
  readonly root: string;
  readonly #repository: Repository;
  readonly #touchedFiles: TouchedFiles;
  readonly #isHiddenFile: ((absolute: string) => boolean) | undefined;

  /** @param isHiddenFile whether the settings hide a file: the project may be a vault, or contain one */
  constructor(root: string, touchedFiles: TouchedFiles, isHiddenFile?: (absolute: string) => boolean) {
    this.root = root;
    this.#repository = new Repository(root);
    this.#isHiddenFile = isHiddenFile;
    this.#touchedFiles = touchedFiles;
  }

  async files({ endings, most, byScore, signal }: FilesRequest): Promise<FilesAnswer> {
    // The files that conversations touched are looked up while git works.
    const [state, touched] = await Promise.all([
      this.#state(signal),
      byScore ? this.#touchedFiles(this.root) : NOTHING_TOUCHED,
    ]);
    const { listing } = state;
    const isWanted = (path: string) => {
      const lower = path.toLowerCase();
      return endings.some((ending) => lower.endsWith(ending));
    };
    const common = { leftOut: listing.leftOut, isCut: listing.isCut, problem: state.problem };
    if (!byScore) {
      const files = endings.length === 0 ? listing.files : listing.files.filter(isWanted);
      return {
        files: files.slice(0, most),
        total: files.length,
        groups: undefined,
        scoreOf: () => undefined,
        ...common,
      };
    }
    const { ranked: all, parts } = await this.#rank(state, touched, signal);
    const ranked = endings.length === 0 ? all : all.filter(({ path }) => isWanted(path));
    const groups = { high: 0, medium: 0, low: 0 };
    for (const { score } of ranked) groups[groupOf(score)]++;
    return {
      files: ranked.slice(0, most).map(({ path }) => path),
      total: ranked.length,
      groups,
      scoreOf: (path) => {
        const score = scoreOf(path, parts);
        return { score, group: groupOf(score), parts: partsOf(path, parts) };
      },
      ...common,
    };
  }

  async info(signal?: AbortSignal): Promise<Info> {
    const state = await this.#state(signal);
    const { listing } = state;
    const [{ description, roleOf }, git, measures] = await Promise.all([
      this.#describe(state, signal),
      gitFactsOf(this.#repository, state, signal),
      measureFiles(this.root, listing.files, signal),
    ]);
    const statistics = statisticsOf(listing.files, (path) => measures.get(path)?.bytes ?? 0, roleOf);
    return { description, git, statistics, leftOut: listing.leftOut, isCut: listing.isCut };
  }

  async #state(signal: AbortSignal | undefined): Promise<ProjectState> {
    checkReadable(this.root);
    const state = await this.#repository.state(signal);
    if (state.location.kind === "bare") return { ...state, listing: EMPTY_LISTING };
    const listing = state.git === undefined ? await walkProject(this.root, signal) : listingOfGit(state.git);
    const isHidden = this.#isHiddenFile;
    return {
      ...state,
      listing: isHidden === undefined ? listing : listingWithout(listing, (path) => isHidden(join(this.root, path))),
    };
  }

  /** The project's description, and with it each file's role. */
  async #describe(
    { git, listing: { files } }: ProjectState,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly description: Description; readonly roleOf: (path: string) => Role }> {
    const all = new Set(files);
    const description = describe(this.root, files, (path) => all.has(path));
    const marked =
      git !== undefined && this.#marksFiles(files) ? await this.#repository.marked(signal) : new Set<string>();
    return { description, roleOf: rolesWith(description.entryPoints, marked) };
  }

  /** Returns whether a .gitattributes file marks generated or vendored files. */
  #marksFiles(files: readonly string[]): boolean {
    return files
      .filter((path) => path.endsWith(".gitattributes"))
      .slice(0, MAX_ATTRIBUTES_FILES)
      .some((path) => readBeginning(join(this.root, path), MAX_ATTRIBUTES_BYTES)?.includes("linguist-"));
  }

  async #rank(state: ProjectState, touched: Touched, signal: AbortSignal | undefined): Promise<Ranking> {
    const { git, listing } = state;
    const [{ roleOf }, history, measures] = await Promise.all([
      this.#describe(state, signal),
      this.#historyOf(state),
      git === undefined ? measureFiles(this.root, listing.files, signal) : undefined,
    ]);
    return rank({ listing, roleOf, history, touched, measures });
  }

  async #historyOf({ git, location }: ProjectState): Promise<History> {
    const commit = git?.status.commit;
    if (location.kind !== "work tree" || commit === undefined) return EMPTY_HISTORY;
    return this.#repository.history(location, commit, "changes");
  }
}
