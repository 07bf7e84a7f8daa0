// The view of conversations: the list of all, or one of them as a thread.
import type { RouteTo } from "../../navigation/navigation.ts";
import { ConversationList } from "./list/conversation-list.tsx";
import { Thread } from "./thread/thread.tsx";

export function ConversationView({ route }: { route: RouteTo<"conversation"> }) {
  return route.id === "" ? <ConversationList route={route} /> : <Thread route={route} />;
}
