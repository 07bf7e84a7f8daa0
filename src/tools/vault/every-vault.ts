// Questions to every vault that a call is about, and one answer: a vault that
// cannot be opened is named, and the others answer. Used by the tools that search.
import { Problem } from "../../kernel/kernel.ts";
import type { Vault } from "../../vault/vault.ts";
import { list, resultObject, unlisted } from "../definition/schema.ts";
import type { Services } from "../definition/define-tool.ts";

/** In the output of a tool that asks every vault. */
export const UNAVAILABLE = {
  unavailable: unlisted(list(resultObject<{ readonly vault: string; readonly error: string }>())),
};

/** Lines of a text about vaults that could not be asked. */
export function notAsked(unavailable: Answers<unknown>["missing"]["unavailable"] = []): string[] {
  return unavailable.map(({ vault, error }) => `Not in this list: the vault ${vault} (${error})`);
}

/** The vault that something is in, if there are several. */
export interface InVault {
  readonly vault?: string;
}

interface Answers<T> {
  /** In the order of the vaults. */
  readonly answers: readonly { readonly answer: T; readonly in: InVault }[];
  /** Names the vaults that could not be asked. */
  readonly missing: { readonly unavailable?: readonly { readonly vault: string; readonly error: string }[] };
}

export async function askEveryVault<T>(
  { vaults: all, askedVaults: vaults }: Pick<Services, "vaults" | "askedVaults">,
  ask: (vault: Vault) => Promise<T> | T,
): Promise<Answers<T>> {
  const asked = await Promise.allSettled(vaults.map(async ({ vault }) => ask(await vault())));
  const failed = asked.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
  const fault = failed.find((reason) => !(reason instanceof Problem));
  // A fault of the question is the same in every vault.
  if (fault !== undefined || failed.length === vaults.length) throw fault ?? failed[0];
  const answers = asked.flatMap((each, i) =>
    each.status === "fulfilled" ? [{ answer: each.value, in: all.length > 1 ? { vault: vaults[i]!.name } : {} }] : [],
  );
  const unavailable = asked.flatMap((each, i) =>
    each.status === "rejected" ? [{ vault: vaults[i]!.name, error: (each.reason as Problem).message }] : [],
  );
  return { answers, missing: unavailable.length === 0 ? {} : { unavailable } };
}

/**
 * The best of all answers, in one ranking: the scores of all indexes are on one scale. Each answer keeps its own order,
 * also of equal scores, so that the order does not depend on how many hits were looked for.
 */
export function best<Hit extends { readonly score: number; readonly mtime: number }>(
  answers: readonly (readonly Hit[])[],
  limit: number,
): Hit[] {
  if (answers.length === 1) return answers[0]!.slice(0, limit);
  const places = answers.map(() => 0);
  const found: Hit[] = [];
  while (found.length < limit) {
    const heads = answers.flatMap((hits, i) => (places[i]! < hits.length ? [{ i, hit: hits[places[i]!]! }] : []));
    const [first] = heads.toSorted((a, b) => b.hit.score - a.hit.score || b.hit.mtime - a.hit.mtime);
    if (first === undefined) break;
    found.push(first.hit);
    places[first.i]!++;
  }
  return found;
}
