// Which words count little in a query (stop words), and the other forms of an
// English word. Used by spellings.ts, readings.ts, matches.ts, and by whatever ranks
// by words.
import { isSign } from "./symbols.ts";

/** Whether a term says little about what is searched for: a sign, or a word of one of the most common languages. */
export function isStopWord(term: string): boolean {
  return STOP_WORDS.has(term) || isSign(term);
}

/** Folded. Without words that have a meaning in another language: "die", "war", "fur", "van", "era", "os", "todo". */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an and are as at be been but by can could did do does for from had has have he her his how i if in into is it its
  me my no not of on or our she should so than that the their them then there these they this those to was we were
  what when where which who will with would you your s t d ll re ve m
  aber als am auch auf aus bei bis das dass dem den der des du ein eine einem einen einer eines er es ich
  ihr im ist kein keine mich mir nach nicht noch nur oder sich sie sind uber um und uns vom von vor wenn werden wie wir
  wird zu zum zur
  au aux avec ce ces cette dans de du elle en est et eux il ils je la le les leur lui ma mais meme mes moi mon ne nos
  notre nous ou par pas qu que qui sa se ses si sur ta te tes toi tu un une vos votre vous c j l n y
  al como con cual cuando del desde donde el ella ellos entre esta este esto ha hay las lo los mi mis muy nada ni
  nos o para pero por porque sobre su sus tambien tiene una uno unos yo
  alla alle che ci da dal dalla degli dei del della delle di e gli ho il io loro ma nel nella non per piu
  quella quello questa questo sono sua sul sulla suo tra
  aan dat deze dit een geen heb heeft het hij hun ik je kan maar mijn naar niet nog om ook op te uit voor
  waar wat wel wij zich zij zijn
  ao aos as com da das do ela ele em essa esse eu foi isso mais mas meu minha muito na nao nas no nos num ou
  pela pelo quando quem sao sem seu sua tem um uma voce`.split(/\s+/),
);

/**
 * Other forms of an English word, to be searched for too: plural, -ed, -ing and -ly,
 * from and to each other, and irregular ones. Some are not words, which costs only a
 * look-up in the vocabulary. Prefixes are no substitute: of the words in a thousand
 * notes that begin with another word, 73 % are not a form of it.
 */
export function stemsOf(term: string): string[] {
  const irregular = IRREGULAR.get(term) ?? [];
  if (!/^[a-z]{4,}$/.test(term) || NO_FORMS.has(term)) return [...irregular];
  const bases = basesOf(term).filter((base) => base.length >= 3 && /[aeiouy]/.test(base) && !isStopWord(base));
  const forms = new Set(bases);
  for (const base of bases.length === 0 ? [term] : bases) for (const form of formsOf(base)) forms.add(form);
  for (const form of irregular) forms.add(form);
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
