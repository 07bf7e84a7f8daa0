// The words of a text, as searches for tools read them: parts of names, small
// letters, without single letters, the commonest words and endings.

// prettier-ignore
const COMMON = new Set(
  ("a about above after again all am an and any are as at be because been before being below between both but by " +
    "can could did do does doing down during each few for from further had has have having he her here hers him his " +
    "how i if in into is it its itself just me more most my myself no nor not now of off on once only or other our " +
    "ours out over own same she should so some such than that the their theirs them then there these they this " +
    "those through to too under until up us very was we were what when where which while who whom why will with " +
    "would you your yours ll re ve don didn doesn isn aren won").split(" "),
);

export function wordsIn(text: string): string[] {
  return text
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1 && !COMMON.has(word))
    .map(stemOf);
}

/** A light stemmer: plurals, -ed, -ing and a final e go, so that moves, moved and moving are one word. */
export function stemOf(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return word;
  const singular = word
    .replace(/ies$/, "y")
    .replace(/(?<=ss|sh|ch|x|z)es$/, "")
    .replace(/(?<![us])s$/, "");
  const plain = singular.replace(/(?<=[aeiouy].*[^aeiou]|[aeiou]{2})(?<=...)(?:ed|ing)$/, "");
  if (plain === singular) return singular.length > 3 ? singular.replace(/e$/, "") : singular;
  return plain.replace(/(?<=..)([bdgmnprt])\1$/, "$1").replace(/(?<=...)e$/, "");
}
