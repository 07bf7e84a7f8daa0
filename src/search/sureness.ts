// How sure it is that the best texts answer a question, from the words that they have of
// it. Pure. Used by readings.ts, so by every search for a question.
//
// A regression over ten scores, fitted on questions about dialogues, chats with assistants
// and articles in six languages, each half of them beside the other half, of which the
// questions are about other people, chats and articles; also with the names exchanged.
// The score that says most is how many texts would have as much of the question by chance.
import { RANGES } from "./scores.ts";
import type { Evidence, TextEvidence, WordEvidence } from "./weighing.ts";

/** Says whether there is an answer: `no` comes with the nearest texts. */
export type HowSure = "yes" | "maybe" | "no";

/** Of a hit. */
export interface Grounds {
  readonly isSure: boolean;
  /** Words of the question that it has not, and another of the best hits has. As terms. */
  readonly lacks: readonly string[];
}

export interface Sureness {
  readonly known: HowSure;
  /** By text, of the best ones. */
  readonly grounds: ReadonlyMap<number, Grounds>;
}

/** Of the questions about something else at most one in twenty has more, on the half that was tuned on. */
const MAYBE = 0.6;
/** Of the answers with more, 95 of 100 have a right hit among the first five. */
const YES = 3;
/** Texts that an answer as a whole is judged by. */
const MAX_JUDGED = 5;

/** @param question as typed; undefined if its words cannot be told apart */
export function surenessOf(evidence: Evidence, question: string): Sureness | undefined {
  const { words, texts } = evidence;
  if (words.filter(({ term }) => IN_LETTERS.test(term)).length * 2 > words.length) return undefined;
  const scored = judgeOf(evidence);
  const less = (question.normalize("NFC").match(VIETNAMESE)?.length ?? 0) > 1 ? LESS_FOR_SYLLABLES : 0;
  const judge = (of: readonly TextEvidence[]) => scored(of) - less;
  const score = texts.length === 0 ? Number.NEGATIVE_INFINITY : judge(texts.slice(0, MAX_JUDGED));
  const isInAny = words.map((_, word) => texts.some(({ inText }) => inText[word]! > 0));
  const grounds = texts.map((one): [number, Grounds] => [
    one.text,
    {
      isSure: judge([one]) >= MAYBE,
      lacks: words.flatMap(({ term }, word) => (isInAny[word] && one.inText[word] === 0 ? [term] : [])),
    },
  ]);
  return { known: score >= YES ? "yes" : score >= MAYBE ? "maybe" : "no", grounds: new Map(grounds) };
}

/** Of a hit among those of an answer: what has the whole question, or is called so, lacks nothing. */
export function groundsOf<T>(hit: T, score: number, known: ReadonlyMap<T, Grounds>): Grounds {
  return score >= RANGES.phrase[0] ? { isSure: true, lacks: [] } : (known.get(hit) ?? { isSure: false, lacks: [] });
}

/** The surest of several answers; undefined if none of them is to a question. */
export function surest(answers: readonly (HowSure | undefined)[]): HowSure | undefined {
  return (["yes", "maybe", "no"] as const).find((known) => answers.includes(known));
}

/**
 * Scripts without spaces whose terms in the index are pairs of letters: every text has most of them. Of 1,190 questions in
 * Thai about articles that were not there 1,150 would get more than `no`.
 */
const IN_LETTERS = /[\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
/** Letters that only Vietnamese has, which writes each syllable as a word. */
const VIETNAMESE = /[\u01A0\u01A1\u01AF\u01B0\u0111\u1EA0-\u1EF9]/gu;
/**
 * Syllables are in more texts by chance than words. Fitted on one half of XQuAD; of the questions about something else in
 * the other half 15.8 % had more than `no` without it, and 2.3 % have.
 */
const LESS_FOR_SYLLABLES = 1.4;

const CONSTANT = 2.069;
const WEIGHTS = {
  share: -2.333,
  shareOfNames: 1.405,
  shareUnknown: -1.514,
  byChance: -1.162,
  byChanceWithoutNames: 0.587,
  relevance: 5.725,
  wordsInPassage: 0.619,
  words: -0.683,
  texts: -1.034,
  length: -1.44,
};

/** Of fewer texts chance says too little. */
const MIN_TEXTS = 20;

/** The scores of some texts together: each is of the text in which it is the highest. */
function judgeOf({ words, count, averageLength }: Evidence): (texts: readonly TextEvidence[]) => number {
  const all = Math.max(MIN_TEXTS, count);
  const rarities = words.map(({ texts }) => Math.log(1 + (Math.max(0, all - texts) + 0.5) / (texts + 0.5)));
  const sum = (shares: readonly number[]) => shares.reduce((total, share, i) => total + share * rarities[i]!, 0);
  const whole = sum(words.map(() => 1)) || 1;
  const isName = words.map((word) => Number(word.isName));
  const ofNames = sum(isName);
  const withoutNames = rarities.map((rarity, i) => rarity * (1 - isName[i]!));
  return (texts) => {
    const highest = (of: (text: TextEvidence) => number) => Math.max(0, ...texts.map(of));
    /** How many texts would have as much of the words by chance, as a power of ten. */
    const byChance = (counted: readonly number[], most: number) =>
      Math.min(
        most,
        ...texts.map((text) => {
          const chances = words.map((word) => chanceOf(word, all, text.length / averageLength));
          return Math.log10(all * chanceOfAsMuch(text.inText, chances, counted) + 1e-9);
        }),
      );
    const scores: Readonly<Record<keyof typeof WEIGHTS, number>> = {
      share: highest(({ inText }) => sum(inText)) / whole,
      shareOfNames:
        ofNames === 0 ? 1 : highest(({ inText }) => sum(inText.map((has, i) => has * isName[i]!))) / ofNames,
      shareUnknown: sum(words.map(({ texts: having }) => Number(having === 0))) / whole,
      byChance: byChance(rarities, 3),
      byChanceWithoutNames: byChance(withoutNames, 4),
      relevance: texts[0]?.relevance ?? 0,
      wordsInPassage: highest(({ inPassage }) => inPassage.filter((share) => share > 0).length),
      words: Math.log(words.length + 1),
      texts: Math.log10(all),
      length: Math.log10(averageLength + 1),
    };
    return Object.entries(WEIGHTS).reduce(
      (total, [name, weight]) => total + weight * scores[name as keyof typeof WEIGHTS],
      CONSTANT,
    );
  };
}

/** How likely a text of this length, as a multiple of the average one, has a word. */
function chanceOf({ texts }: WordEvidence, all: number, length: number): number {
  return 1 - (1 - Math.min(0.95, texts / all)) ** Math.max(0.2, length);
}

/** Of more words the rarest: all combinations of them are considered. */
const MAX_COMBINED = 10;
/** Rarer combinations change nothing. */
const MIN_CHANCE = 1e-12;

/** How likely words that a text has with these chances weigh as much as those that one has. */
function chanceOfAsMuch(shares: readonly number[], chances: readonly number[], weights: readonly number[]): number {
  const order = weights
    .map((_, i) => i)
    .toSorted((a, b) => weights[b]! - weights[a]!)
    .slice(0, MAX_COMBINED);
  const wanted = order.reduce((sum, i) => sum + shares[i]! * weights[i]!, 0) - 1e-9;
  if (wanted <= 0) return 1;
  const visit = (at: number, weight: number, chance: number, left: number): number => {
    if (weight >= wanted) return chance;
    if (at === order.length || weight + left < wanted || chance < MIN_CHANCE) return 0;
    const i = order[at]!;
    const rest = left - weights[i]!;
    return (
      visit(at + 1, weight + weights[i]!, chance * chances[i]!, rest) +
      visit(at + 1, weight, chance * (1 - chances[i]!), rest)
    );
  };
  return visit(
    0,
    0,
    1,
    order.reduce((sum, i) => sum + weights[i]!, 0),
  );
}
