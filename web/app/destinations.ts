// The ways around the page: what its navigation and its shortcuts offer.
import { HOME, type Place } from "../navigation/navigation.ts";
import type { IconName } from "../components/components.ts";

interface Way {
  readonly name: string;
  readonly icon: IconName;
  readonly to: Place;
  /** The key that leads there after a g. */
  readonly key: string;
  /** The tool without which there is nothing to see there. */
  readonly tool: string;
}

export const WAYS: readonly Way[] = [
  { name: "Search", icon: "search", to: HOME, key: "h", tool: "search" },
  { name: "Notes", icon: "note", to: { view: "folder", path: "" }, key: "n", tool: "vaultManager_listDirectory" },
  {
    name: "Outline",
    icon: "outline",
    to: { view: "outline", document: "", row: "", query: "" },
    key: "o",
    tool: "get_outline_structure",
  },
  {
    name: "Conversations",
    icon: "conversation",
    to: { view: "conversation", id: "", message: "", query: "" },
    key: "c",
    tool: "recall_conversations",
  },
  { name: "Activity", icon: "activity", to: { view: "activity" }, key: "a", tool: "history" },
];
