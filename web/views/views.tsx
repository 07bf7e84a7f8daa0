// The front door of views/: shows the view that a route leads to. Search and
// folders are part of the first download; every other view is loaded when it is
// first opened.
import { lazy } from "../components/components.ts";
import type { Route } from "../navigation/navigation.ts";
import { IS_FOR_MEMBERS } from "../server/server.ts";
import { FolderView } from "./folder/folder.tsx";
import { MissingView } from "./missing/missing.tsx";
import { SearchView } from "./search/search.tsx";

export function View({ route }: { route: Route }) {
  switch (route.view) {
    case "today":
      return <TodayView key={route.day} day={route.day} />;
    case "search":
      return <SearchView route={route} />;
    case "note":
      return <NoteView key={route.path} route={route} />;
    case "folder":
      return <FolderView path={route.path} />;
    case "outline":
      return <OutlineView route={route} />;
    case "conversation":
      return <ConversationView key={route.id} route={route} />;
    case "activity":
      return <ActivityView />;
    case "status":
    case "begin":
      if (IS_FOR_MEMBERS) return <MissingView path={`/${route.view}`} />;
      return route.view === "status" ? <StatusView /> : <BeginView />;
    case "missing":
      return <MissingView path={route.path} />;
  }
}

const TodayView = lazy("today", async () => (await import("./today/today.tsx")).TodayView);
const NoteView = lazy("the note", async () => (await import("./note/note.tsx")).NoteView);
const OutlineView = lazy("the outline", async () => (await import("./outline/outline.tsx")).OutlineView);
const ConversationView = lazy(
  "the conversation",
  async () => (await import("./conversation/conversation.tsx")).ConversationView,
);
const ActivityView = lazy("the activity", async () => (await import("./activity/activity.tsx")).ActivityView);

const StatusView = lazy("the status", async () => (await import("./setup/setup.tsx")).StatusView);
const BeginView = lazy("the set-up", async () => (await import("./setup/setup.tsx")).BeginView);
