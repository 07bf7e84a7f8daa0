// The filters of the list of conversations: program, project, model, branch, time
// and files, each with how many conversations it would leave, and the order. Each
// choice is part of the address.
import { useEffect, useRef, useState } from "preact/hooks";
import { Chooser, Icon, type RecallResult } from "../../../components/components.ts";
import { dayName, periodsWith, shortDay, sourceName } from "../../../format/format.ts";
import { useNavigation, type ConversationFilters, type RouteTo } from "../../../navigation/navigation.ts";
import { countSince, firstDay, lastDay, type HourCount } from "./day-counts.ts";

type Facets = NonNullable<RecallResult["facets"]>;

interface ListFiltersProps {
  readonly route: RouteTo<"conversation">;
  readonly facets: Facets | undefined;
  /** Counts of all times, whichever time is chosen; undefined until they are known. */
  readonly hours: readonly HourCount[] | undefined;
}

const ORDERS: readonly (readonly [value: string, name: string])[] = [
  ["oldest", "Oldest first"],
  ["longest", "Most messages first"],
  ["shortest", "Fewest messages first"],
];

const CHOICES: readonly {
  readonly name: "source" | "project" | "model" | "branch";
  readonly group: "tool" | "project" | "model" | "branch";
  readonly label: string;
  readonly none: string;
}[] = [
  { name: "source", group: "tool", label: "Program", none: "Any program" },
  { name: "project", group: "project", label: "Project", none: "Any project" },
  { name: "model", group: "model", label: "Model", none: "Any model" },
  { name: "branch", group: "branch", label: "Branch", none: "Any branch" },
];

export function ListFilters({ route, facets, hours }: ListFiltersProps) {
  const { navigate } = useNavigation();
  const filter = (changes: Partial<ConversationFilters>) => navigate({ ...route, ...changes }, { replaces: true });
  return (
    <div class="filters" role="group" aria-label="Filters">
      {CHOICES.map(({ name, group, label, none }) => {
        const value = route[name];
        const found = facets?.[group]?.filter(({ key }) => key !== "") ?? [];
        if (value === "" && found.length === 0) return null;
        // What is chosen stays to be taken back, even if nothing passes it.
        const options =
          value === "" || found.some(({ key }) => key === value) ? found : [{ key: value, count: 0 }, ...found];
        return (
          <Chooser
            key={name}
            label={label}
            none={none}
            value={value}
            options={options.map(({ key, count }) => ({
              value: key,
              name: name === "source" ? sourceName(key) : key,
              count,
            }))}
            onChoose={(chosen) => filter({ [name]: chosen })}
          />
        );
      })}
      <Chooser
        label="Time"
        none="Any time"
        value={route.since}
        options={periodsWith(route.since).map(([value, name]) => ({
          value,
          name,
          count: hours && countSince(hours, value),
        }))}
        onChoose={(since) => filter({ since, day: "" })}
      />
      <FileFilter value={route.file} onChange={(file) => filter({ file })} />
      {route.day !== "" && (
        <button type="button" class="chip" aria-pressed="true" onClick={() => filter({ day: "" })}>
          {spanName(route.day)} <Icon name="close" />
        </button>
      )}
    </div>
  );
}

function spanName(span: string): string {
  const [first, last] = [firstDay(span), lastDay(span)];
  return first === last ? dayName(Date.parse(`${first}T12:00`), Date.now()) : `${shortDay(first)} to ${shortDay(last)}`;
}

export function OrderChoice({ route }: { route: RouteTo<"conversation"> }) {
  const { navigate } = useNavigation();
  return (
    <Chooser
      label="Order"
      none="Newest first"
      value={route.order}
      options={ORDERS.map(([value, name]) => ({ value, name }))}
      onChoose={(order) => navigate({ ...route, order }, { replaces: true })}
    />
  );
}

/** How long after the last letter the list is filtered, in milliseconds. */
const PAUSE = 200;

function FileFilter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value);
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return undefined;
    const timer = setTimeout(() => latest.current(typed), PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <input
      class="chip file-filter"
      type="text"
      aria-label="Touched file"
      placeholder="Touched file"
      autocomplete="off"
      spellcheck={false}
      data-chosen={value !== ""}
      value={typed}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
    />
  );
}
