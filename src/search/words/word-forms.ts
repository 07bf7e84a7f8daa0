// Stop words, which count little in a query, and the other forms of an
// English word. Used by spellings.ts, readings.ts, matches.ts, and by whatever ranks
// by words.
import { foldForSearch } from "./folding.ts";
import { FUNCTION_WORDS } from "./function-words.ts";
import { isSign } from "./symbols.ts";

/** Returns whether a term says little about what is searched for: a sign, or a function word of one of the most spoken languages. */
export function isStopWord(term: string): boolean {
  return STOP_WORDS.has(term) || isSign(term);
}

const STOP_WORDS: ReadonlySet<string> = new Set(
  Object.values(FUNCTION_WORDS).flatMap((words) => foldForSearch(words).trim().split(/\s+/)),
);

/**
 * Other forms of an English word, to be searched for too: plural, -ed, -ing and -ly,
 * from and to each other, and irregular ones. Some are not words, which costs only a
 * look-up in the vocabulary. Prefixes are no substitute: of the words in a thousand
 * notes that begin with another word, 73 % are not a form of it.
 */
export function stemsOf(term: string): string[] {
  const attached = ATTACHED.find(({ script }) => script.test(term));
  if (attached !== undefined) return formsAttached(term, attached);
  const irregular = IRREGULAR.get(term) ?? [];
  if (!/^[a-z]{4,}$/.test(term) || NO_FORMS.has(term)) return [...irregular];
  const bases = basesOf(term).filter((base) => base.length >= 3 && /[aeiouy]/.test(base) && !isStopWord(base));
  const forms = new Set(bases);
  for (const base of bases.length === 0 ? [term] : bases) for (const form of formsOf(base)) forms.add(form);
  for (const form of irregular) forms.add(form);
  forms.delete(term);
  return [...forms];
}

/** Languages that write an article, "and" or "in" as the beginning of the next word, and "her" or a plural as its end. */
interface Attached {
  readonly script: RegExp;
  /** Without the article, and with it. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const ATTACHED: readonly Attached[] = [
  {
    script: /^[\u0621-\u064A]{4,}$/,
    before: ["ال", "وال", "بال", "لل", "كال", "فال", "و", "ب", "ل"],
    after: ["ه", "ة", "ت", "ات", "ها", "ين", "ون", "ي", "ا", "ية", "هم"],
  },
  {
    script: /^[\u05D0-\u05EA]{4,}$/,
    before: ["ה", "ו", "ב", "ל", "מ", "ש", "וה", "של"],
    after: ["ים", "ות", "ה", "י", "ת"],
  },
];

/** Bare, each beginning with the bare word, and each end; a word of two letters is in too many others. */
function formsAttached(term: string, { before, after }: Attached): string[] {
  const longest = before
    .filter((one) => term.startsWith(one) && term.length - one.length >= 3)
    .toSorted((a, b) => b.length - a.length)[0];
  const bare = longest === undefined ? term : term.slice(longest.length);
  const end = after
    .filter((one) => bare.endsWith(one) && bare.length - one.length >= 3)
    .toSorted((a, b) => b.length - a.length)[0];
  const stem = end === undefined ? bare : bare.slice(0, -end.length);
  const forms = new Set<string>();
  for (const word of new Set([bare, stem])) {
    forms.add(word);
    for (const one of before) forms.add(one + word);
  }
  for (const one of after) {
    forms.add(stem + one);
    forms.add(before[0]! + stem + one);
  }
  forms.delete(term);
  return [...forms];
}

/** A question has "did she buy", and its answer "I bought". One word and its other forms each. */
const IRREGULAR: ReadonlyMap<string, readonly string[]> = formsByWord(`
  go goes going went gone, buy bought, bring brought, think thought, teach taught, catch caught, fight fought,
  seek sought, get got gotten, give gave given, take took taken, make made, say said, tell told, sell sold, hold held,
  find found, feel felt, fall fell fallen, meet met, leave left, lose lost, keep kept, sleep slept, send sent,
  spend spent, build built, lend lent, write wrote written, ride rode ridden, drive drove driven, rise rose risen,
  speak spoke spoken, break broke broken, steal stole stolen, choose chose chosen, freeze froze frozen,
  wake woke woken, wear wore worn, tear tore torn, swear swore sworn, know knew known, grow grew grown,
  throw threw thrown, blow blew blown, draw drew drawn, fly flew flown, show showed shown, see saw seen,
  eat ate eaten, drink drank drunk, begin began begun, sing sang sung, ring rang rung, swim swam swum, run ran,
  come came, become became, win won, hear heard, pay paid, lay laid, stand stood, understand understood, sit sat,
  bite bit bitten, hide hid hidden, lead led, feed fed, shoot shot, stick stuck, strike struck, hang hung, dig dug,
  forget forgot forgotten, forgive forgave forgiven, shake shook shaken, sink sank sunk, deal dealt, mean meant,
  dream dreamt, learn learnt, burn burnt, slide slid, bend bent, bind bound, weave wove woven, shine shone,
  sweep swept, weep wept, creep crept, leap leapt, swing swung, sting stung, spin spun, cling clung, flee fled,
  breed bred, bleed bled, undergo underwent undergone, withdraw withdrew withdrawn, overcome overcame,
  arise arose arisen, beat beaten, die died dying, lie lying, tie tying, child children, person people, man men,
  woman women, foot feet, tooth teeth, mouse mice, goose geese, life lives, wife wives, knife knives, leaf leaves,
  shelf shelves, half halves, wolf wolves, thief thieves`);

function formsByWord(table: string): Map<string, string[]> {
  const forms = new Map<string, string[]>();
  for (const row of table.split(",")) {
    const words = row.trim().split(/\s+/);
    for (const word of words) forms.set(word, [...(forms.get(word) ?? []), ...words.filter((other) => other !== word)]);
  }
  return forms;
}

/** They look like a form of a word that means something else. */
const NO_FORMS: ReadonlySet<string> = new Set(
  "news evening being thing nothing something always series species".split(" "),
);

/** The words that a term may be a form of. */
function basesOf(term: string): string[] {
  const without = (ending: number): string => term.slice(0, -ending);
  if (/(?:ied|ies)$/.test(term)) return [`${without(3)}y`, without(1)];
  if (/(?:[sxz]|[cs]h|o)es$/.test(term)) return [without(2), without(1)];
  if (/[^aisu]s$/.test(term)) return [without(1)];
  if (/[^e]ed$/.test(term)) return [without(2), without(1), ...undoubled(without(2))];
  if (term.endsWith("ing")) return [without(3), `${without(3)}e`, ...undoubled(without(3))];
  if (term.endsWith("ily")) return [`${without(3)}y`];
  if (/[a-z]{4}ly$/.test(term)) return [without(2)];
  return [];
}

function formsOf(base: string): string[] {
  if (/[^aeiou]y$/.test(base)) return [`${base.slice(0, -1)}ies`, `${base.slice(0, -1)}ied`, `${base}ing`];
  if (base.endsWith("e")) return [`${base}s`, `${base}d`, `${base.slice(0, -1)}ing`];
  const plural = /(?:[sxz]|[cs]h)$/.test(base) ? `${base}es` : `${base}s`;
  // "planned", "running": one vowel before one consonant.
  const verb = /^[^aeiou]*[aeiou][bdgklmnprt]$/.test(base) ? base + base.at(-1)! : base;
  return [plural, `${verb}ed`, `${verb}ing`];
}

function undoubled(base: string): string[] {
  return /([bdgklmnprt])\1$/.test(base) ? [base.slice(0, -1)] : [];
}
