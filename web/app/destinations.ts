// The views that the navigation and the keyboard shortcuts lead to.
import type { IconName } from "../components/components.ts";
import type { ToolName } from "../../src/tools/tools.ts";
import { CONVERSATIONS, CURRENT_OUTLINE, SEARCH, TODAY, VAULT, type Route } from "../navigation/navigation.ts";
import { IS_FOR_MEMBERS } from "../server/server.ts";

interface Destination {
  readonly name: string;
  readonly icon: IconName;
  readonly route: Route;
  /** The key that opens it, pressed after g. */
  readonly key: string;
  /** The tool that the view cannot do without. */
  readonly tool?: ToolName;
  /** True if it has no place at the bottom of a phone: the palette and the keys lead there. */
  readonly isWide?: true;
  /** True if it is about the machine of the server. */
  readonly isOfMachine?: true;
}

const EVERY: readonly Destination[] = [
  { name: "Today", icon: "today", route: TODAY, key: "t" },
  { name: "Search", icon: "search", route: SEARCH, key: "h", tool: "search" },
  { name: "Notes", icon: "note", route: VAULT, key: "n", tool: "vaultManager_listDirectory" },
  {
    name: "Outline",
    icon: "outline",
    route: CURRENT_OUTLINE,
    key: "o",
    tool: "get_outline_structure",
  },
  {
    name: "Conversations",
    icon: "conversation",
    route: CONVERSATIONS,
    key: "c",
    tool: "recall_conversations",
  },
  { name: "Tasks", icon: "tasks", route: { view: "tasks" }, key: "d", tool: "list_tasks", isWide: true },
  { name: "Graph", icon: "graph", route: { view: "graph" }, key: "r", tool: "vaultLibrarian_query", isWide: true },
  { name: "Activity", icon: "activity", route: { view: "activity" }, key: "a", tool: "history" },
  { name: "Status", icon: "status", route: { view: "status" }, key: "s", isOfMachine: true },
];

export const DESTINATIONS = EVERY.filter(({ isOfMachine }) => !(isOfMachine && IS_FOR_MEMBERS));
