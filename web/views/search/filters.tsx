// The filters of a search: kind, time, source, project and folder. Each choice is
// part of the address.
import type { ToolName } from "../../../src/tools/tools.ts";
import { Icon } from "../../components/components.ts";
import { dateOf, DAY, sourceName } from "../../format/format.ts";
import { useNavigation, type Filters, type Kind, type RouteTo } from "../../navigation/navigation.ts";
import { useServer, useToolCall } from "../../server/server.ts";

const KINDS: readonly (readonly [kind: Kind, name: string, tool: ToolName])[] = [
  ["note", "Notes", "contentManager_readContent"],
  ["outline", "Outlines", "get_outline_structure"],
  ["conversation", "Conversations", "recall_conversations"],
];

const PERIODS: readonly (readonly [days: number, name: string])[] = [
  [0, "Today"],
  [7, "Past week"],
  [30, "Past month"],
  [365, "Past year"],
];

export function FilterBar({ route }: { route: RouteTo<"search"> }) {
  const { client } = useServer();
  const { navigate } = useNavigation();
  const filter = (changes: Partial<Filters>) => navigate({ ...route, ...changes }, { replaces: true });
  const kinds = KINDS.filter(([, , tool]) => client.has(tool));
  const isChosen = (kind: Kind) => route.kinds.includes(kind);
  const toggled = (kind: Kind) => (isChosen(kind) ? route.kinds.filter((one) => one !== kind) : [...route.kinds, kind]);
  return (
    <div class="filters" role="group" aria-label="Filters">
      {kinds.length > 1 &&
        kinds.map(([kind, name]) => (
          <button
            key={kind}
            type="button"
            class="chip"
            aria-pressed={isChosen(kind)}
            onClick={() => filter({ kinds: toggled(kind) })}
          >
            {name}
          </button>
        ))}
      <TimeFilter since={route.since} onChange={(since) => filter({ since })} />
      {client.has("recall_conversations") && <ConversationFilters route={route} onChange={filter} />}
      {route.folder !== "" && (
        <button type="button" class="chip" aria-pressed="true" onClick={() => filter({ folder: "" })}>
          in {route.folder} <Icon name="close" />
        </button>
      )}
    </div>
  );
}

function TimeFilter({ since, onChange }: { since: string; onChange: (since: string) => void }) {
  const periods = PERIODS.map(([days, name]) => [dateOf(Date.now() - days * DAY), name] as const);
  const options =
    since === "" || periods.some(([date]) => date === since)
      ? periods
      : [[since, `Since ${since}`] as const, ...periods];
  return <Choice label="Changed" none="Any time" value={since} options={options} onChange={onChange} />;
}

interface ConversationFiltersProps {
  readonly route: RouteTo<"search">;
  readonly onChange: (changes: Partial<Filters>) => void;
}

/** Offers the sources and projects of the latest conversations. */
function ConversationFilters({ route, onChange }: ConversationFiltersProps) {
  const input = { since: "all", project: "all", min_score: 0, limit: 100 };
  const { result } = useToolCall("recall_conversations", input);
  const conversations = result?.conversations ?? [];
  const sources = distinct([route.source, ...conversations.map(({ source_tool: source }) => source)]);
  const projects = distinct([route.project, ...conversations.map(({ project }) => project ?? "")]);
  return (
    <>
      {sources.length > 0 && (
        <Choice
          label="Source"
          none="Any source"
          value={route.source}
          options={sources.map((source) => [source, sourceName(source)])}
          onChange={(source) => onChange({ source })}
        />
      )}
      {projects.length > 0 && (
        <Choice
          label="Project"
          none="Any project"
          value={route.project}
          options={projects.map((project) => [project, project])}
          onChange={(project) => onChange({ project })}
        />
      )}
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  /** The text of the option that filters nothing. */
  readonly none: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, none, value, options, onChange }: ChoiceProps) {
  return (
    <select
      class="chip"
      aria-label={label}
      data-chosen={value !== ""}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value="">{none}</option>
      {options.map(([each, name]) => (
        <option key={each} value={each}>
          {name}
        </option>
      ))}
    </select>
  );
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].filter((value) => value !== "").toSorted();
}
