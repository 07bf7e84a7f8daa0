// The front door of views/: shows the view that a route leads to. Each is loaded when
// it is first opened.
import { lazy } from "../components/components.ts";
import type { Route } from "../navigation/navigation.ts";
import { IS_FOR_MEMBERS } from "../server/server.ts";
import { MissingView } from "./missing/missing.tsx";

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
    case "graph":
      return <GraphView />;
    case "tasks":
      return <TasksView />;
    case "status":
    case "begin":
      if (IS_FOR_MEMBERS) return <MissingView path={`/${route.view}`} />;
      return route.view === "status" ? <StatusView /> : <BeginView />;
    case "missing":
      return <MissingView path={route.path} />;
  }
}

const FolderView = lazy("the folder", () => import("./folder/folder.tsx"), "FolderView");
const SearchView = lazy("the search", () => import("./search/search.tsx"), "SearchView");
const TodayView = lazy("today", () => import("./today/today.tsx"), "TodayView");
const NoteView = lazy("the note", async () => (await import("./note/note.tsx")).loadNoteView(), "NoteView");
const OutlineView = lazy("the outline", () => import("./outline/outline.tsx"), "OutlineView");
const ConversationView = lazy("the conversation", () => import("./conversation/conversation.tsx"), "ConversationView");
const GraphView = lazy("the graph", () => import("./graph/graph.tsx"), "GraphView");
const TasksView = lazy("the tasks", () => import("./tasks/tasks.tsx"), "TasksView");
const ActivityView = lazy("the activity", () => import("./activity/activity.tsx"), "ActivityView");

const StatusView = lazy("the status", () => import("./setup/setup.tsx"), "StatusView");
const BeginView = lazy("the set-up", () => import("./setup/setup.tsx"), "BeginView");
