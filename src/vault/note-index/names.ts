// Decides which of several documents a name means. Pure; used by the implementations of the
// note index.
import { comparableName, nameOfDocument } from "../../search/search.ts";

/** Names whose likeness differs by no more than this are equally likely. */
const EQUAL_LIKENESS = 0.05;

export interface NamedDocument {
  readonly path: string;
  readonly aliases: readonly string[];
}

/**
 * The closest kind of name counts: the file's own, then an alias, then the title.
 * @param documents that have the name in one of these ways
 */
export function closestNamed(documents: readonly NamedDocument[], name: string): string[] {
  const sought = comparableName(name);
  const isNamed = (names: readonly string[]) => names.some((one) => comparableName(one) === sought);
  const own = documents.filter(({ path }) => isNamed([nameOfDocument(path)]));
  const byAlias = documents.filter(({ aliases }) => isNamed(aliases));
  const closest = [own, byAlias, documents].find((some) => some.length > 0) ?? [];
  return closest.map(({ path }) => path);
}

/** Those that are equally likely to be meant, the most alike first. */
export function mostAlike<M extends { readonly likeness: number }>(matches: readonly M[]): M[] {
  const sorted = matches.toSorted((a, b) => b.likeness - a.likeness);
  const least = (sorted[0]?.likeness ?? 0) - EQUAL_LIKENESS;
  return sorted.filter(({ likeness }) => likeness >= least);
}
