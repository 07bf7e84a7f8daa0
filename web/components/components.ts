// The front door of components/: small parts that several views show. All of
// them are part of the first download; what only lazy views use is elsewhere.
export { Chooser, type ChooserOption } from "./chooser.tsx";
export { commandsNow, useCommands, type PageCommand } from "./commands.ts";
export { Columns, useHasLeftColumn, useIsWide } from "./columns.tsx";
export { CopyButton } from "./copy-button.tsx";
export { Crumbs } from "./crumbs.tsx";
export { Highlighted } from "./highlighted.tsx";
export { FILE_ICONS, Icon, type IconName } from "./icons.tsx";
export { IndexProgress } from "./index-progress.tsx";
export { Menu, type MenuAction } from "./menu.tsx";
export { clickFirst, focusFirst, moveWithArrowKeys } from "./keyboard-list.ts";
export { lazy } from "./lazy.tsx";
export { useModalDialog } from "./modal-dialog.ts";
export { More } from "./more.tsx";
export { Empty, Loading, ProblemNote, ProblemView } from "./notices.tsx";
export {
  asSearchResult,
  type ConversationFacts,
  type RecalledConversation,
  type RecallResult,
} from "./recall-result.ts";
export {
  addressOfResult,
  whereText,
  ResultItem,
  resultHeight,
  resultKey,
  ResultList,
  titleOf,
  type SearchResult,
} from "./result-list.tsx";
export { TaskBox, useTicking } from "./task-box.tsx";
export { showToast, showUndoable, Toasts } from "./toasts.tsx";
export { Time } from "./time.tsx";
export { togglePin, usePins } from "./pins.ts";
export { isDialogOpen, isPlainKey } from "./plain-key.ts";
export { usePickList } from "./pick-list.ts";
export { useRecent, useVisited, visited, type Visited } from "./recent.ts";
export { useTitle } from "./use-title.ts";
export { VirtualList, type ListControl } from "./virtual-list.tsx";
