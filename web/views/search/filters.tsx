// The filters of a search in a bar: kind, time, program, project and folder, each
// with how many results it would leave. Each choice is part of the address.
import type { ToolName } from "../../../src/tools/tools.ts";
import { Chooser, Icon } from "../../components/components.ts";
import { periodsWith, sourceName } from "../../format/format.ts";
import { useNavigation, type Filters, type Kind, type RouteTo } from "../../navigation/navigation.ts";
import { useServer } from "../../server/server.ts";
import { withChosen, type Facets } from "./use-facets.ts";
import type { PeriodCounts } from "./use-period-counts.ts";

const KINDS: readonly (readonly [kind: Kind, name: string, tool: ToolName])[] = [
  ["note", "Notes", "contentManager_readContent"],
  ["outline", "Outlines", "get_outline_structure"],
  ["conversation", "Conversations", "recall_conversations"],
];

interface FilterBarProps {
  readonly route: RouteTo<"search">;
  readonly facets: Facets;
  readonly periods: PeriodCounts;
  readonly counts: Readonly<Record<Kind, number>> | undefined;
  /** Without time, program and project: they are in a column beside the results. */
  readonly isBrief: boolean;
}

export function FilterBar({ route, facets, periods, counts, isBrief }: FilterBarProps) {
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
            {counts && <span class="chip-count">{counts[kind].toLocaleString("en")}</span>}
          </button>
        ))}
      {!isBrief && <OtherFilters route={route} facets={facets} periods={periods} onChange={filter} />}
      {route.folder !== "" && (
        <button type="button" class="chip" aria-pressed="true" onClick={() => filter({ folder: "" })}>
          in {route.folder} <Icon name="close" />
        </button>
      )}
    </div>
  );
}

interface OtherFiltersProps {
  readonly route: RouteTo<"search">;
  readonly facets: Facets;
  readonly periods: PeriodCounts;
  readonly onChange: (changes: Partial<Filters>) => void;
}

function OtherFilters({ route, facets: { sources = [], projects = [] }, periods, onChange }: OtherFiltersProps) {
  return (
    <>
      <Chooser
        label="Changed"
        none="Any time"
        value={route.since}
        options={periodsWith(route.since).map(([value, name]) => ({ value, name, count: periods.get(value) }))}
        onChoose={(since) => onChange({ since })}
      />
      {(sources.length > 0 || route.source !== "") && (
        <Chooser
          label="Program"
          none="Any program"
          value={route.source}
          options={withChosen(sources, route.source).map(({ key, count }) => ({
            value: key,
            name: sourceName(key),
            count,
          }))}
          onChoose={(source) => onChange({ source })}
        />
      )}
      {(projects.length > 0 || route.project !== "") && (
        <Chooser
          label="Project"
          none="Any project"
          value={route.project}
          options={withChosen(projects, route.project).map(({ key, count }) => ({ value: key, name: key, count }))}
          onChoose={(project) => onChange({ project })}
        />
      )}
    </>
  );
}
