// The front door of project/: what a project is, and which of its files matter.
// One object per root. What it caches between calls is keyed by the state of git
// and of the files, so that no change is missed. Used by the project's tools.
import { join } from "node:path";
import type { DescribingFiles, Description } from "./description.ts";
import type { Role } from "./file-kinds.ts";
import { gitFactsOf, type GitFacts, type ProjectState } from "./git/git-facts.ts";
import { EMPTY_HISTORY, type History } from "./git/history.ts";
import { Repository, type GitState, type StateRequest } from "./git/repository.ts";
import {
  EMPTY_LISTING,
  isListed,
  listingOfGit,
  listingOfWalk,
  listingWithout,
  walkProject,
  type LeftOut,
  type Listing,
} from "./listing.ts";
import type { AttributeMarks } from "./path-rules.ts";
import { measureFiles, stampOf } from "./project-files.ts";
import type { Group, Part, Ranking } from "./ranking.ts";
import { checkReadable } from "./root.ts";
import type { Statistics } from "./statistics.ts";

export { commitOfLine } from "./git/blame.ts";
export type { GitFacts } from "./git/git-facts.ts";
export type { LeftOut } from "./listing.ts";
export { asksClient, findProjectRoot, type ProjectRoot, type RootCandidates } from "./root.ts";
export type { Group } from "./ranking.ts";

/** The modules that work on a listing. Loaded while git runs. */
async function loadModules() {
  const [description, fileKinds, pathRules, ranking, statistics] = await Promise.all([
    import("./description.ts"),
    import("./file-kinds.ts"),
    import("./path-rules.ts"),
    import("./ranking.ts"),
    import("./statistics.ts"),
  ]);
  return { description, fileKinds, pathRules, ranking, statistics };
}
type Modules = Awaited<ReturnType<typeof loadModules>>;

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

interface Roles {
  /** Of .gitattributes files. */
  readonly marks: AttributeMarks;
  readonly roleOf: (path: string) => Role;
}

interface Facts extends Roles {
  readonly description: Description;
}

export class Project {
  readonly root: string;
  readonly #repository: Repository;
  readonly #touchedFiles: TouchedFiles;
  readonly #isHiddenFile: ((absolute: string) => boolean) | undefined;
  #listing: { readonly git: GitState; readonly listing: Listing } | undefined;
  #describing: { readonly listing: Listing; readonly files: DescribingFiles } | undefined;
  #facts: { readonly stamp: string; readonly listing: Listing; readonly facts: Facts } | undefined;
  #sizes: { readonly tracked: GitState["tracked"]; readonly bytes: Map<string, number> } | undefined;
  #roles: { readonly key: string; readonly roles: Roles } | undefined;
  #statistics: { readonly key: readonly unknown[]; readonly statistics: Statistics } | undefined;
  #ranking: { readonly key: readonly unknown[]; readonly ranking: Ranking } | undefined;

  /** @param isHiddenFile whether the settings hide a file: the project may be a vault, or contain one */
  constructor(root: string, touchedFiles: TouchedFiles, isHiddenFile?: (absolute: string) => boolean) {
    this.root = root;
    this.#repository = new Repository(root);
    this.#isHiddenFile = isHiddenFile;
    this.#touchedFiles = touchedFiles;
  }

  async files({ endings, most, byScore, signal }: FilesRequest): Promise<FilesAnswer> {
    // The files that conversations touched are looked up while git works.
    const [state, touched, modules] = await Promise.all([
      this.#state({ history: byScore ? "changes" : undefined, remotes: false }, signal),
      byScore ? this.#touchedFiles(this.root) : NOTHING_TOUCHED,
      loadModules(),
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
    const { groupOf, partsOf, scoreOf } = modules.ranking;
    const { ranked: all, parts } = await this.#rank(state, touched, modules, signal);
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
    const [state, modules] = await Promise.all([
      this.#state({ history: "commits", remotes: true }, signal),
      loadModules(),
    ]);
    const facts = this.#describe(state.listing, modules);
    const gitFacts = gitFactsOf(this.#repository, state, signal);
    const [git, bytesOf] = await Promise.all([gitFacts, this.#measure(state, signal)]);
    return {
      description: facts.description,
      git,
      statistics: this.#count(state.listing, bytesOf, facts.marks, modules),
      leftOut: state.listing.leftOut,
      isCut: state.listing.isCut,
    };
  }

  async #state(request: StateRequest, signal: AbortSignal | undefined): Promise<ProjectState> {
    checkReadable(this.root);
    const state = await this.#repository.state(request, signal);
    if (state.location.kind === "bare") return { ...state, listing: EMPTY_LISTING };
    if (state.git !== undefined) return { ...state, listing: this.#listingOf(state.git) };
    return { ...state, listing: this.#visible(listingOfWalk(await walkProject(this.root, signal))) };
  }

  #visible(listing: Listing): Listing {
    const isHidden = this.#isHiddenFile;
    return isHidden === undefined ? listing : listingWithout(listing, (path) => isHidden(join(this.root, path)));
  }

  /** The identical object as before if git's output is the same, so that everything derived from it stays valid. */
  #listingOf(git: GitState): Listing {
    const last = this.#listing;
    if (
      last !== undefined &&
      last.git.tracked === git.tracked &&
      last.git.statusOutput.equals(git.statusOutput) &&
      isSame(last.git.untracked, git.untracked) &&
      isSame(last.git.untrackedLinks, git.untrackedLinks) &&
      isSame(last.git.nested, git.nested) &&
      isSame(last.git.unreadable, git.unreadable)
    )
      return last.listing;
    const listing = this.#visible(listingOfGit(git));
    this.#listing = { git, listing };
    return listing;
  }

  /** The project's description, and with it each file's role. */
  #describe(listing: Listing, modules: Modules): Facts {
    const { describe, describingFilesIn, stampOfFiles } = modules.description;
    if (this.#describing?.listing !== listing) this.#describing = { listing, files: describingFilesIn(listing.files) };
    const { files } = this.#describing;
    const stamp = stampOfFiles(this.root, files);
    if (this.#facts?.listing === listing && this.#facts.stamp === stamp) return this.#facts.facts;
    const description = describe(this.root, files, (path) => isListed(listing, path));
    const facts = { description, ...this.#rolesWith(description.entryPoints, files.attributes, modules) };
    this.#facts = { stamp, listing, facts };
    return facts;
  }

  /** Roles depend on names, entry points and attributes only, and stay cached when anything else changes. */
  #rolesWith(entryPoints: readonly string[], attributesFiles: readonly string[], modules: Modules): Roles {
    const stamps = attributesFiles.map((path) => `${path}:${stampOf(`${this.root}/${path}`)}`);
    const key = [...entryPoints, "", ...stamps].join("\0");
    if (this.#roles?.key !== key) {
      const marks = modules.pathRules.readAttributes(this.root, attributesFiles);
      this.#roles = { key, roles: { marks, roleOf: modules.fileKinds.rolesWith(entryPoints, marks) } };
    }
    return this.#roles.roles;
  }

  async #rank(
    state: ProjectState,
    touched: Touched,
    modules: Modules,
    signal: AbortSignal | undefined,
  ): Promise<Ranking> {
    const { git, listing } = state;
    const { countedParts, evidenceOf, knownParts, rank } = modules.ranking;
    const { roleOf } = this.#describe(listing, modules);
    // Find the roles while git prints the history.
    if (this.#ranking?.key[0] !== listing) for (const path of listing.files) roleOf(path);
    const [history, measures] = await Promise.all([
      this.#historyOf(state),
      git === undefined ? measureFiles(this.root, listing.files, signal) : undefined,
    ]);
    // `measures` is a new object each time: modification times may have changed.
    const key = [listing, roleOf, history, JSON.stringify([...touched]), measures];
    if (isSame(this.#ranking?.key, key)) return this.#ranking!.ranking;
    const input = { listing, roleOf, history, touched, measures };
    const parts = countedParts(evidenceOf(input), knownParts(input));
    const ranking = { ranked: rank(listing.files, parts), parts };
    this.#ranking = { key, ranking };
    return ranking;
  }

  async #historyOf({ git, location }: ProjectState): Promise<History> {
    const commit = git?.status.commit;
    if (location.kind !== "work tree" || commit === undefined) return EMPTY_HISTORY;
    return this.#repository.history(location, commit, "changes");
  }

  /** Sizes of all files. A file that git reports as unchanged keeps its measured size. */
  async #measure({ git, listing }: ProjectState, signal: AbortSignal | undefined): Promise<(path: string) => number> {
    const unchanged = git !== undefined && this.#sizes?.tracked === git.tracked ? this.#sizes.bytes : new Map();
    if (git !== undefined) this.#sizes = { tracked: git.tracked, bytes: unchanged };
    const isKnown = (path: string) => unchanged.has(path) && !listing.changed.has(path);
    const unknown = listing.files.filter((path) => !isKnown(path));
    const fresh = await measureFiles(this.root, unknown, signal);
    for (const path of unknown) {
      // A changed file may be changed back, and then has a different size.
      if (listing.changed.has(path)) unchanged.delete(path);
      else unchanged.set(path, fresh.get(path)?.bytes ?? 0);
    }
    return (path) => unchanged.get(path) ?? fresh.get(path)?.bytes ?? 0;
  }

  #count(listing: Listing, bytesOf: (path: string) => number, marks: AttributeMarks, modules: Modules): Statistics {
    // Without git, changes do not show in the listing, but every listing is a new object.
    const key = [listing, marks, [...listing.changed].map(bytesOf).join(" ")];
    if (isSame(this.#statistics?.key, key)) return this.#statistics!.statistics;
    const statistics = modules.statistics.statisticsOf(listing.files, bytesOf, modules.fileKinds.writtenByHand(marks));
    this.#statistics = { key, statistics };
    return statistics;
  }
}

function isSame(a: readonly unknown[] | undefined, b: readonly unknown[]): boolean {
  return a !== undefined && a.length === b.length && a.every((value, i) => value === b[i]);
}
