// The front door of project/: what a project is, and which of its files matter.
// One object per root. What it caches between calls is keyed by the state of git
// and of the files, so that no change is missed. Used by the project's tools.
import type { Description, Sources } from "./description.ts";
import type { Role } from "./file-kinds.ts";
import type { Marked } from "./foreign-files.ts";
import type { GeneratedFiles } from "./generated-files.ts";
import { gitFactsOf, type GitFacts, type View } from "./git/git-facts.ts";
import { EMPTY_HISTORY, type History } from "./git/history.ts";
import { EMPTY_LISTING, holds, listingOfGit, listingOfWalk, type LeftOut, type Listing } from "./listing.ts";
import { measureFiles, stampOf } from "./project-files.ts";
import { Repository, type Seen, type Wanted } from "./git/repository.ts";
import { checkReadable } from "./root.ts";
import {
  countingParts,
  groupOf,
  partsOf,
  rank,
  scoreOf,
  withLast,
  type Group,
  type Part,
  type Ranking,
} from "./scoring.ts";
import type { Statistics } from "./statistics.ts";

export type { GitFacts } from "./git/git-facts.ts";
export type { LeftOut } from "./listing.ts";
export { asksClient, findProjectRoot, type ProjectRoot, type RootSources } from "./root.ts";
export { groupOf, type Group } from "./scoring.ts";

/** The modules that judge a listing. Loaded while git runs. */
async function judgement() {
  const [description, evidence, fileKinds, foreignFiles, generatedFiles, statistics] = await Promise.all([
    import("./description.ts"),
    import("./evidence.ts"),
    import("./file-kinds.ts"),
    import("./foreign-files.ts"),
    import("./generated-files.ts"),
    import("./statistics.ts"),
  ]);
  return { description, evidence, fileKinds, foreignFiles, generatedFiles, statistics };
}
type Judgement = Awaited<ReturnType<typeof judgement>>;

/** Paths of files that recent conversations in a project touched, with a weight each. */
export type TouchedFiles = (root: string) => Promise<Touched>;
type Touched = ReadonlyMap<string, number>;

const NOTHING_TOUCHED: Touched = new Map();

export interface FilesQuestion {
  /** Extensions in lower case, with the dot; empty for all files. */
  readonly endings: readonly string[];
  readonly most: number;
  readonly byScore: boolean;
  readonly signal?: AbortSignal;
}

export interface ScoredFile {
  readonly score: number;
  readonly parts: Readonly<Partial<Record<Part, number>>>;
}

export interface FilesAnswer {
  /** Best first, or by name. */
  readonly files: readonly string[];
  /** Of all files with these extensions. */
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
  /** What .gitattributes says. */
  readonly marked: Marked;
  readonly roleOf: (path: string) => Role;
}

interface Facts extends Roles {
  readonly description: Description;
}

export class Project {
  readonly root: string;
  readonly #repository: Repository;
  readonly #touchedFiles: TouchedFiles;
  #generated: GeneratedFiles | undefined;
  #listing: { readonly seen: Seen; readonly listing: Listing } | undefined;
  #sources: { readonly listing: Listing; readonly sources: Sources } | undefined;
  #facts: { readonly stamp: string; readonly listing: Listing; readonly facts: Facts } | undefined;
  #sizes: { readonly tracked: Seen["tracked"]; readonly bytes: Map<string, number> } | undefined;
  #roles: { readonly key: string; readonly roles: Roles } | undefined;
  #statistics: { readonly key: readonly unknown[]; readonly statistics: Statistics } | undefined;
  #ranking: { readonly key: readonly unknown[]; readonly ranking: Ranking } | undefined;

  constructor(root: string, touchedFiles: TouchedFiles) {
    this.root = root;
    this.#repository = new Repository(root);
    this.#touchedFiles = touchedFiles;
  }

  async files({ endings, most, byScore, signal }: FilesQuestion): Promise<FilesAnswer> {
    // What conversations touched is looked up while git works.
    const [view, touched, judge] = await Promise.all([
      this.#view({ history: byScore ? "changes" : undefined, remotes: false }, signal),
      byScore ? this.#touchedFiles(this.root) : NOTHING_TOUCHED,
      judgement(),
    ]);
    const { listing } = view;
    const isWanted = (path: string) => {
      const lower = path.toLowerCase();
      return endings.some((ending) => lower.endsWith(ending));
    };
    const beside = { leftOut: listing.leftOut, isCut: listing.isCut, problem: view.problem };
    if (!byScore) {
      const files = endings.length === 0 ? listing.files : listing.files.filter(isWanted);
      return {
        files: files.slice(0, most),
        total: files.length,
        groups: undefined,
        scoreOf: () => undefined,
        ...beside,
      };
    }
    const { ranking, roleOf } = await this.#rank(view, touched, judge, signal);
    const kinds = endings.length === 0 ? ranking.ranked : ranking.ranked.filter(({ path }) => isWanted(path));
    const seen = { listing, tracked: view.seen?.tracked, roleOf };
    this.#generated ??= new judge.generatedFiles.GeneratedFiles(this.root);
    const generated = await this.#generated.among(kinds, most, seen, signal);
    const { ranked: wanted, counting } = withLast({ ranked: kinds, counting: ranking.counting }, generated);
    const groups = { high: 0, medium: 0, low: 0 };
    for (const { score } of wanted) groups[groupOf(score)]++;
    return {
      files: wanted.slice(0, most).map(({ path }) => path),
      total: wanted.length,
      groups,
      scoreOf: (path) => ({ score: scoreOf(path, counting), parts: partsOf(path, counting) }),
      ...beside,
    };
  }

  async info(signal?: AbortSignal): Promise<Info> {
    const [view, judge] = await Promise.all([this.#view({ history: "commits", remotes: true }, signal), judgement()]);
    const facts = this.#describe(view.listing, judge);
    const asking = gitFactsOf(this.#repository, view, signal);
    const [git, bytesOf] = await Promise.all([asking, this.#measure(view, signal)]);
    return {
      description: facts.description,
      git,
      statistics: this.#count(view.listing, bytesOf, facts.marked, judge),
      leftOut: view.listing.leftOut,
      isCut: view.listing.isCut,
    };
  }

  async #view(wanted: Wanted, signal: AbortSignal | undefined): Promise<View> {
    checkReadable(this.root);
    const looked = await this.#repository.look(wanted, signal);
    if (looked.place.kind === "bare") return { ...looked, listing: EMPTY_LISTING };
    if (looked.seen !== undefined) return { ...looked, listing: this.#listingOf(looked.seen) };
    const { walkProject } = await import("./walk.ts");
    return { ...looked, listing: listingOfWalk(await walkProject(this.root, signal)) };
  }

  /** The identical object as before if git's output is the same, so that everything derived from it stays valid. */
  #listingOf(seen: Seen): Listing {
    const last = this.#listing;
    if (
      last !== undefined &&
      last.seen.tracked === seen.tracked &&
      last.seen.statusOutput.equals(seen.statusOutput) &&
      isSame(last.seen.untracked, seen.untracked) &&
      isSame(last.seen.untrackedLinks, seen.untrackedLinks) &&
      isSame(last.seen.nested, seen.nested) &&
      isSame(last.seen.unreadable, seen.unreadable)
    )
      return last.listing;
    const listing = listingOfGit(seen);
    this.#listing = { seen, listing };
    return listing;
  }

  /** The project's description, and with it each file's role. */
  #describe(listing: Listing, judge: Judgement): Facts {
    const { description: describing } = judge;
    if (this.#sources?.listing !== listing) this.#sources = { listing, sources: describing.sourcesIn(listing.files) };
    const { sources } = this.#sources;
    const stamp = describing.stampOfSources(this.root, sources);
    if (this.#facts?.listing === listing && this.#facts.stamp === stamp) return this.#facts.facts;
    const description = describing.describe(this.root, sources, (path) => holds(listing, path));
    const facts = { description, ...this.#rolesWith(description.entryPoints, sources.attributes, judge) };
    this.#facts = { stamp, listing, facts };
    return facts;
  }

  /** Roles depend on names, entry points and attributes only, and stay cached when anything else changes. */
  #rolesWith(entryPoints: readonly string[], attributesFiles: readonly string[], judge: Judgement): Roles {
    const stamps = attributesFiles.map((path) => `${path}:${stampOf(`${this.root}/${path}`)}`);
    const key = [...entryPoints, "", ...stamps].join("\0");
    if (this.#roles?.key !== key) {
      const marked = judge.foreignFiles.readAttributes(this.root, attributesFiles);
      this.#roles = { key, roles: { marked, roleOf: judge.fileKinds.rolesWith(entryPoints, marked) } };
    }
    return this.#roles.roles;
  }

  async #rank(view: View, touched: Touched, judge: Judgement, signal: AbortSignal | undefined) {
    const { seen, listing } = view;
    const { roleOf } = this.#describe(listing, judge);
    // Find the roles while git prints the history.
    if (this.#ranking?.key[0] !== listing) for (const path of listing.files) roleOf(path);
    const [history, measures] = await Promise.all([
      this.#historyOf(view),
      seen === undefined ? measureFiles(this.root, listing.files, signal) : undefined,
    ]);
    // `measures` is a new object each time: modification times may have changed.
    const key = [listing, roleOf, history, JSON.stringify([...touched]), measures];
    if (isSame(this.#ranking?.key, key)) return { ranking: this.#ranking!.ranking, roleOf };
    const known = { listing, roleOf, history, touched, measures };
    const counting = countingParts(judge.evidence.evidenceOf(known), judge.evidence.knownParts(known));
    const ranking = { ranked: rank(listing.files, counting), counting };
    this.#ranking = { key, ranking };
    return { ranking, roleOf };
  }

  async #historyOf(view: View): Promise<History> {
    const commit = view.seen?.status.commit;
    return view.seen === undefined || commit === undefined
      ? EMPTY_HISTORY
      : this.#repository.history(view.place, commit, "changes");
  }

  /** Sizes of all files. A file that git reports as unchanged keeps its measured size. */
  async #measure({ seen, listing }: View, signal: AbortSignal | undefined): Promise<(path: string) => number> {
    const unchanged = seen !== undefined && this.#sizes?.tracked === seen.tracked ? this.#sizes.bytes : new Map();
    if (seen !== undefined) this.#sizes = { tracked: seen.tracked, bytes: unchanged };
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

  #count(listing: Listing, bytesOf: (path: string) => number, marked: Marked, judge: Judgement): Statistics {
    // Without git, changes do not show in the listing, but every listing is a new object.
    const key = [listing, marked, [...listing.changed].map(bytesOf).join(" ")];
    if (isSame(this.#statistics?.key, key)) return this.#statistics!.statistics;
    const statistics = judge.statistics.statisticsOf(listing.files, bytesOf, judge.fileKinds.foreignFiles(marked));
    this.#statistics = { key, statistics };
    return statistics;
  }
}

function isSame(a: readonly unknown[] | undefined, b: readonly unknown[]): boolean {
  return a !== undefined && a.length === b.length && a.every((value, i) => value === b[i]);
}
