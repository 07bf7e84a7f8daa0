// The front door of components/: what other rooms may use of it.
export { Crumbs } from "./crumbs.tsx";
export { Icon, type IconName } from "./icons.tsx";
export { focusFirst, goThrough } from "./keyboard-list.ts";
export { asFound, type ConversationFacts, type Recalled, type RecalledConversation } from "./recall-result.ts";
export { type Found, Result } from "./result-item.tsx";
export { Empty, Loading, Marked, RefusalNote, Refused, Time } from "./notices.tsx";
