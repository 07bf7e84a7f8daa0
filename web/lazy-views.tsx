// The views that the first look does not need: each is loaded when it is first
// gone to.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Place } from "./address.ts";
import { Loading } from "./small-parts.tsx";

function lazily<P extends object>(name: string, load: () => Promise<ComponentType<P>>) {
  let loaded: ComponentType<P> | undefined;
  return function LazyView(props: P) {
    const [View, setView] = useState(() => loaded);
    useEffect(() => {
      if (View === undefined)
        void load().then((view) => {
          loaded = view;
          setView(() => view);
        });
    }, []);
    return View === undefined ? <Loading of={name} /> : <View {...props} />;
  };
}

interface At<V extends Place["view"]> {
  readonly place: Extract<Place, { view: V }>;
}

export const NoteView = lazily<At<"note">>("the note", async () => (await import("./note.tsx")).NoteView);
export const OutlineView = lazily<At<"outline">>(
  "the outline",
  async () => (await import("./outline.tsx")).OutlineView,
);
export const ConversationView = lazily<At<"conversation">>(
  "the conversation",
  async () => (await import("./conversation.tsx")).ConversationView,
);
export const ActivityView = lazily<object>("the activity", async () => (await import("./activity.tsx")).ActivityView);
