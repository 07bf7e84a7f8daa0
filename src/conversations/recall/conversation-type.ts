// Assigns a conversation one of the contract's six types, and its keywords. Pure
// rules over its title and first prompts; a test with real examples pins them. Used
// by buffer-flush.ts and by recall-store.ts.
import { isStopWord, termsOf } from "../../search/search.ts";
import { filesNamedIn } from "./file-references.ts";
import { CONVERSATION_TYPES, type ConversationType } from "./conversation-types.ts";

/** Cues of each type, with a weight. Each counts once, however often it occurs. */
const CUES: Readonly<
  Record<Exclude<ConversationType, "general">, readonly (readonly [weight: number, cue: RegExp])[]>
> = {
  debugging: [
    [3, /\b(?:stack ?trace|traceback|segfault|core dump|null pointer|undefined is not|unhandled|panic:|exception)/],
    [3, /\b(?:debug(?:ging|ger)?|bugs?|regression|flaky)\b/],
    [2, /\berrors?\b|\bE[A-Z]{4,}\b|\b\w+Error\b/],
    [2, /\b(?:crash(?:es|ed|ing)?|broken|breaks|hangs?|leaks?)\b/],
    [2, /\bfail(?:s|ed|ing|ure|ures)?\b/],
    [
      2,
      /\b(?:(?:does|do|did|is|are)(?:n't| not) work(?:ing)?|not working|stopped working|ran? into|having (?:a )?problems?|went wrong)\b/,
    ],
    [1, /\bfix(?:e[sd]|ing)?\b/],
    [1, /\b(?:wrong|issues?|conflicts?|unexpected)\b/],
  ],
  architecture: [
    [3, /\b(?:architect(?:ure|ural)?|system design|design (?:pattern|doc|decision)s?|microservices?|monolith)\b/],
    [2, /\b(?:trade-?offs?|decoupl\w+|scalab\w+|data model|domain model|schema design|layering|layers)\b/],
    [
      2,
      /\b(?:how should (?:we|i) (?:structure|organi[sz]e|design|split|model)|structure (?:of )?(?:the|this|our)|restructur\w+)\b/,
    ],
    [1, /\b(?:design(?:ing|ed)?|refactor(?:ing|ed)?|modules?|components?|interfaces?|abstractions?|patterns?)\b/],
  ],
  problem_solving: [
    [3, /\b(?:brainstorm(?:ing)?|workarounds?|figure out|troubleshoot\w*|root cause)\b/],
    [
      2,
      /\b(?:best way|better way|how (?:do|can|could|would|should) (?:we|i|you)|what if|alternatives?|approach(?:es)?)\b/,
    ],
    [2, /\b(?:solv(?:e[sd]?|ing)|solutions?|optimi[sz]\w+|speed up|too slow|strateg(?:y|ies))\b/],
    [1, /\b(?:why|problems?|investigat\w+|options?|could we|maybe)\b/],
  ],
  technical: [
    [2, /\b(?:deploy(?:s|ed|ing|ment)?|docker\w*|kubernetes|k8s|terraform|nginx|ci\/cd|pipelines?|github actions?)\b/],
    [2, /\b(?:install(?:s|ed|ing|ation)?|configur\w+|set ?up|migrat\w+|upgrad\w+|releas(?:e[sd]?|ing))\b/],
    [2, /\b(?:databases?|postgres\w*|mysql|sqlite|redis|kafka|graphql|oauth|authenticat\w+|encrypt\w+|tls|ssh)\b/],
    [
      1,
      /\b(?:apis?|servers?|endpoints?|versions?|builds?|workflows?|performance|dependenc(?:y|ies)|packages?|scripts?|benchmarks?)\b/,
    ],
  ],
  code_discussion: [
    [2, /```|\b(?:code review|review (?:this|the|my)|pull request|diff|this branch|unit tests?)\b/],
    [
      1,
      /\b(?:functions?|methods?|class(?:es)?|strings?|arrays?|variables?|constants?|types?|enum|struct|imports?|parameters?|arguments?)\b/,
    ],
    [1, /\b[a-z]+[A-Z]\w*\b|\b[A-Z][a-z]+[A-Z]\w*\b|\b[a-z]+_[a-z_]+\b/],
    [
      1,
      /\b(?:implement(?:s|ed|ing|ation)?|renam(?:e[sd]?|ing)|rewrit\w+|code|codebase|lint(?:er|ing)?|tests?|commits?|helpers?)\b/,
    ],
  ],
};

/** A single weak cue is not enough. */
const MIN_SCORE = 2;

/** One bit per cue, in this order, plus one bit for "mentions a file". */
const ALL_CUES = Object.entries(CUES).flatMap(([type, cues]) => {
  return cues.map(([weight, cue]) => ({ type, weight, cue, hasCase: /[A-Z]/.test(cue.source) }));
});
const NAMES_FILES = 1 << ALL_CUES.length;

/** How many prompts and answers, from the first, decide the type and the keywords. */
export const MAX_LOOKED_AT = { user: 4, assistant: 1 } as const;
const MAX_PROMPT_LENGTH = 1_500;

/**
 * The cues of the title and the first prompts, as bits. All texts are searched as one, which takes half as long as one
 * by one: no cue goes over a line.
 */
export function cuesIn(texts: readonly string[]): number {
  const beginnings = texts.map((text) => text.slice(0, MAX_PROMPT_LENGTH)).join("\n\n");
  const lower = beginnings.replace(/[’‘]/g, "'").toLowerCase();
  let cues = filesNamedIn(beginnings).length > 0 ? NAMES_FILES : 0;
  for (const [bit, { cue, hasCase }] of ALL_CUES.entries())
    if (cue.test(hasCase ? beginnings : lower)) cues |= 1 << bit;
  return cues;
}

/** @param hasFiles whether files were read or written */
export function typeOf(cues: number, hasFiles: boolean): ConversationType {
  const scores = new Map<string, number>();
  const add = (type: string, weight: number) => scores.set(type, (scores.get(type) ?? 0) + weight);
  for (const [bit, { type, weight }] of ALL_CUES.entries()) if (cues & (1 << bit)) add(type, weight);
  if (hasFiles || cues & NAMES_FILES) add("code_discussion", 1);
  const scoreOf = (type: ConversationType) => scores.get(type) ?? 0;
  const best = CONVERSATION_TYPES.reduce((a, b) => (scoreOf(b) > scoreOf(a) ? b : a));
  return scoreOf(best) >= MIN_SCORE ? best : "general";
}

/** Words that are frequent in every conversation with an assistant. */
const CHATTER = new Set(
  `about after again all already also another any because before being best better both bring change changes check code come could create did
  does doing done dont each else even every file files find first fix full get getting give goes going good got great had has help here hey
  how image its just keep know last let lets like look looking make maybe more most much must need needs new next now okay once one only
  open other out over own please put read really request right run said same see seem seems should show since some something still such sure
  take tell than thank thanks that their them then thing things think through too try trying two under until update use used user using very
  via want wants was way well what when where which while who why will with within without work working works would write yes yet you your`.split(
    /\s+/,
  ),
);
const MAX_KEYWORDS = 8;
const MAX_OPENING_LENGTH = 600;
const MAX_ANSWER_LENGTH = 300;

/** The distinctive words at the beginning of a text. */
export function significantWords(text: string, role: "user" | "assistant" = "user"): string[] {
  return termsOf(text.slice(0, role === "user" ? MAX_OPENING_LENGTH : MAX_ANSWER_LENGTH)).filter(isTelling);
}

export interface Telling {
  readonly title: readonly string[];
  /** Of each prompt, from the first. */
  readonly prompts: readonly (readonly string[])[];
  /** Of the first answer. */
  readonly answer: readonly string[];
}

/** The most frequent words; those of the title and the prompts weigh more than those of the answer. */
export function keywordsOf({ title, prompts, answer }: Telling): string[] {
  const weights = new Map<string, number>();
  const add = (words: readonly string[], weight: number) => {
    for (const word of words) weights.set(word, (weights.get(word) ?? 0) + weight);
  };
  add(title, 4);
  add(prompts.flat(), 2);
  add(answer, 0.5);
  return heaviest(weights, MAX_KEYWORDS);
}

/** The words with the most weight, equal ones in alphabetical order. Faster than sorting all: few of many are wanted. */
function heaviest(weights: ReadonlyMap<string, number>, count: number): string[] {
  const best: { readonly word: string; readonly weight: number }[] = [];
  for (const [word, weight] of weights) {
    const isBefore = (other: (typeof best)[number]) =>
      weight > other.weight || (weight === other.weight && word < other.word);
    if (best.length === count && !isBefore(best.at(-1)!)) continue;
    const place = best.findIndex(isBefore);
    best.splice(place === -1 ? best.length : place, 0, { word, weight });
    if (best.length > count) best.pop();
  }
  return best.map(({ word }) => word);
}

/** Neither common nor random: a hash or a key is no word, and could be a secret. */
function isTelling(term: string): boolean {
  if (term.length < 3 || term.length > 30 || isStopWord(term) || CHATTER.has(term)) return false;
  return term.length <= 6 ? !/^\d/.test(term) : !/\d|^[a-f]+$/.test(term);
}
