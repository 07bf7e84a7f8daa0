// The filters of a search as a column beside its results: time, program and
// project, each with how many results it would leave.
import type { ComponentChildren } from "preact";
import { Chooser } from "../../components/components.ts";
import { periodsWith, sourceName } from "../../format/format.ts";
import { useNavigation, type Filters, type RouteTo } from "../../navigation/navigation.ts";
import { withChosen, type Facets } from "./use-facets.ts";
import type { PeriodCounts } from "./use-period-counts.ts";

/** Projects that are shown without opening the list of all. */
const MAX_PROJECTS = 8;

interface FacetColumnProps {
  readonly route: RouteTo<"search">;
  readonly facets: Facets;
  readonly periods: PeriodCounts;
}

export function FacetColumn({ route, facets, periods }: FacetColumnProps) {
  const { navigate } = useNavigation();
  const filter = (changes: Partial<Filters>) => navigate({ ...route, ...changes }, { replaces: true });
  const projects = facets.projects ?? [];
  const top = withChosen(projects, route.project).slice(0, MAX_PROJECTS);
  return (
    <>
      <FacetGroup
        title="Changed"
        chosen={route.since}
        items={periodsWith(route.since).map(([key, name]) => ({ key, name, count: periods.get(key) }))}
        onChoose={(since) => filter({ since })}
      />
      <FacetGroup
        title="Program"
        chosen={route.source}
        items={withChosen(facets.sources ?? [], route.source).map((facet) => ({
          ...facet,
          name: sourceName(facet.key),
        }))}
        onChoose={(source) => filter({ source })}
      />
      <FacetGroup
        title="Project"
        chosen={route.project}
        items={top.map((facet) => ({ ...facet, name: facet.key }))}
        onChoose={(project) => filter({ project })}
      >
        {projects.length > MAX_PROJECTS && (
          <Chooser
            label="All projects"
            text={`All ${projects.length.toLocaleString("en")} projects`}
            none="Any project"
            value={route.project}
            options={projects.map(({ key, count }) => ({ value: key, name: key, count }))}
            onChoose={(project) => filter({ project })}
          />
        )}
      </FacetGroup>
    </>
  );
}

interface FacetGroupProps {
  readonly title: string;
  readonly chosen: string;
  readonly items: readonly { readonly key: string; readonly name: string; readonly count?: number | undefined }[];
  readonly onChoose: (key: string) => void;
  readonly children?: ComponentChildren;
}

function FacetGroup({ title, chosen, items, onChoose, children }: FacetGroupProps) {
  if (items.length === 0) return null;
  const id = `facet-${title.toLowerCase()}`;
  return (
    <section class="facet" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul>
        {items.map(({ key, name, count }) => (
          <li key={key}>
            <button type="button" aria-pressed={key === chosen} onClick={() => onChoose(key === chosen ? "" : key)}>
              <span class="facet-name">{name}</span>
              {count !== undefined && <span class="entry-count">{count.toLocaleString("en")}</span>}
            </button>
          </li>
        ))}
      </ul>
      {children}
    </section>
  );
}
