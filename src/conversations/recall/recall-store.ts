// The interface between recall and a place with conversations: the store of this
// machine (local-store.ts), or a space of a shared store (shared/shared-recall.ts).
// Both find, recall.ts ranks and shows.
import { type Grounds, type HowSure, parseQuery, type SearchQuery } from "../../search/search.ts";
import type { MessageKind } from "../sources/source.ts";
import type { ConversationSummary } from "../store/conversation-reader.ts";
import { keywordsOf, significantWords } from "./conversation-type.ts";
import type { ConversationType } from "./conversation-types.ts";
import type { ConversationGroup, GroupBy } from "./groups.ts";
import type { Question } from "./question.ts";

/** A question, and what follows from it whatever the store. */
export interface AskedQuestion {
  readonly question: Question;
  readonly query: SearchQuery;
  readonly isSearch: boolean;
  /** How many are scored. */
  readonly most: number;
  /** Words of what the user is about to ask. */
  readonly keywords: readonly string[];
  readonly now: number;
}

/** How many are scored: the best matches of a query, else the newest, of which those of this project may be few. */
const MAX_MATCHED = 500;
const MAX_LISTED = 5_000;
/** All, as far as people have them, if they are to be counted in groups. */
const MAX_GROUPED = 50_000;

export function askedQuestion(question: Question, now: number): AskedQuestion {
  const query = parseQuery(question.query ?? "");
  const isSearch = query.words.length + query.phrases.length > 0;
  const enough = isSearch ? MAX_MATCHED : MAX_LISTED;
  return {
    question,
    query,
    isSearch,
    most: Math.max(question.groupBy === undefined ? enough : MAX_GROUPED, question.limit),
    keywords: keywordsOf({ title: [], prompts: [significantWords(question.prompt ?? "")], answer: [] }),
    now,
  };
}

/** A conversation that may be an answer, with what its score is computed from. */
export interface FoundConversation {
  /** The store's own number. */
  readonly row: number;
  /** The program, and its id: `source/id`. */
  readonly name: string;
  readonly updated: number;
  readonly messages: number;
  readonly type: ConversationType;
  /** How well the words match, from 0 to 1; undefined without a query. */
  readonly match: number | undefined;
  /** The page that matches best. */
  readonly page: number | undefined;
  /** Of the best matches of a question. */
  readonly grounds?: Grounds | undefined;
  /** The share of the keywords that it has. */
  readonly keywords: number;
  /** Undefined where no project is known. */
  readonly isThisProject: boolean | undefined;
  readonly filesInCommon: number;
}

export interface Found {
  readonly conversations: readonly FoundConversation[];
  /** All matches: more than the conversations, if there are too many to be scored. */
  readonly total: number;
  /** The words that were searched for, with other forms and corrections. */
  readonly words: readonly string[];
  /** Words that no conversation has in any form, as terms. Undefined if none were looked for. */
  readonly unfound?: readonly string[] | undefined;
  /** Of a question: whether it is answered. */
  readonly known?: HowSure | undefined;
}

/** A conversation as a result shows it. */
export interface ShownConversation {
  readonly summary: ConversationSummary;
  readonly snippet: string;
  readonly message: string | undefined;
  readonly kind: MessageKind | undefined;
}

/** The words to highlight. */
export interface Wanted {
  readonly phrases: SearchQuery["phrases"];
  readonly words: readonly string[];
  readonly hasForms: true;
}

export interface RecallStore {
  readonly find: (asked: AskedQuestion) => Found;
  /** In the same order; undefined for one that is gone by now. */
  readonly show: (
    found: readonly FoundConversation[],
    wanted: Wanted,
  ) => readonly (ShownConversation | undefined)[] | Promise<readonly (ShownConversation | undefined)[]>;
  readonly groups: (rows: readonly number[], by: GroupBy) => readonly ConversationGroup[];
}
