// The front door of components/: small parts that several views show. All of
// them are part of the first download; what only lazy views use is elsewhere.
export { Crumbs } from "./crumbs.tsx";
export { Highlighted } from "./highlighted.tsx";
export { Icon, type IconName } from "./icons.tsx";
export { clickFirst, focusFirst, moveWithArrowKeys } from "./keyboard-list.ts";
export { Empty, Loading, ProblemNote, ProblemView } from "./notices.tsx";
export {
  asSearchResult,
  type ConversationFacts,
  type RecalledConversation,
  type RecallResult,
} from "./recall-result.ts";
export { ResultList, type SearchResult } from "./result-list.tsx";
export { Time } from "./time.tsx";
export { useTitle } from "./use-title.ts";
