// The front door of views/: shows the view that a place belongs to. The search
// and the folders are part of the first download; every other view is loaded
// the first time it is opened.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Loading } from "../components/components.ts";
import type { Place } from "../navigation/navigation.ts";
import { FolderView } from "./folder/folder.tsx";
import { SearchView } from "./search/search.tsx";

export function View({ place }: { place: Place }) {
  switch (place.view) {
    case "search":
      return <SearchView place={place} />;
    case "note":
      return <NoteView key={place.path} place={place} />;
    case "folder":
      return <FolderView path={place.path} />;
    case "outline":
      return <OutlineView place={place} />;
    case "conversation":
      return <ConversationView key={place.id} place={place} />;
    case "activity":
      return <ActivityView />;
  }
}

interface At<V extends Place["view"]> {
  readonly place: Extract<Place, { view: V }>;
}

const NoteView = lazy<At<"note">>("the note", async () => (await import("./note/note.tsx")).NoteView);
const OutlineView = lazy<At<"outline">>("the outline", async () => (await import("./outline/outline.tsx")).OutlineView);
const ConversationView = lazy<At<"conversation">>(
  "the conversation",
  async () => (await import("./conversation/conversation.tsx")).ConversationView,
);
const ActivityView = lazy<object>("the activity", async () => (await import("./activity/activity.tsx")).ActivityView);

function lazy<P extends object>(name: string, load: () => Promise<ComponentType<P>>) {
  let loaded: ComponentType<P> | undefined;
  return function LazyView(props: P) {
    const [Loaded, setLoaded] = useState(() => loaded);
    useEffect(() => {
      if (Loaded === undefined)
        void load().then((view) => {
          loaded = view;
          setLoaded(() => view);
        });
    }, []);
    return Loaded === undefined ? <Loading of={name} /> : <Loaded {...props} />;
  };
}
