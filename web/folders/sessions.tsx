// The conversations in the left column while conversations are shown: those that pass
// the filters of the list, the open one marked; [ and ] open the one before and after.
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { isPlainKey } from "../components/components.ts";
import { conversationTitle, dayName, sourceName, startOfDay } from "../format/format.ts";
import { addressOf, CONVERSATIONS, useNavigation, type RouteTo } from "../navigation/navigation.ts";
import { useToolCall } from "../server/server.ts";

const MAX_LISTED = 100;

export function Sessions({ route }: { route: RouteTo<"conversation"> }) {
  const { navigate } = useNavigation();
  const { result } = useToolCall(
    "recall_conversations",
    { project: "all", since: "all", min_score: 0, newest_first: true, limit: MAX_LISTED },
    { keepsPrevious: true },
  );
  const list = useRef<HTMLUListElement>(null);
  const items = (result?.conversations ?? []).map(({ id, title, source_tool: source, updated_at: updated }) => ({
    id: `${source}/${id}`,
    title: conversationTitle(title),
    source: sourceName(source),
    day: startOfDay(Date.parse(updated)),
  }));
  const at = items.findIndex(({ id }) => id === route.id);
  const go = (step: 1 | -1) => {
    const next = items[at === -1 ? 0 : at + step];
    if (next !== undefined) navigate(addressOf({ ...CONVERSATIONS, id: next.id }));
  };
  const latest = useRef(go);
  latest.current = go;
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.key !== "[" && event.key !== "]") || !isPlainKey(event)) return;
      event.preventDefault();
      latest.current(event.key === "]" ? 1 : -1);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  useEffect(() => list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" }), [at]);
  return (
    <div class="folders">
      <ul class="folder-items" ref={list} aria-label="Sessions">
        {items.map(({ id, title, source, day }, i) => (
          <li key={id}>
            {day !== items[i - 1]?.day && <p class="folder-day">{dayName(day, Date.now())}</p>}
            <a
              href={addressOf({ ...CONVERSATIONS, id })}
              title={`${title}, ${source}`}
              aria-current={i === at ? "page" : undefined}
            >
              <span>{title}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
