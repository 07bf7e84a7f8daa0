// What a search is narrowed to: by kind, time, source, project and folder. Each
// choice is part of the address.
import { type Filters, type Kind, type Place, useNavigation } from "../../navigation/navigation.ts";
import { Icon, type Recalled } from "../../components/components.ts";
import { sourceName, dateOf, DAY } from "../../format/format.ts";
import { useAnswer, useSession } from "../../server/server.ts";

type SearchPlace = Extract<Place, { view: "search" }>;

const KIND_NAMES: readonly (readonly [kind: Kind, name: string, tool: string])[] = [
  ["note", "Notes", "contentManager_readContent"],
  ["outline", "Outlines", "get_outline_structure"],
  ["conversation", "Conversations", "recall_conversations"],
];

const TIMES: readonly (readonly [days: number, name: string])[] = [
  [0, "Today"],
  [7, "Past week"],
  [30, "Past month"],
  [365, "Past year"],
];

export function FilterBar({ place }: { place: SearchPlace }) {
  const { client } = useSession();
  const { go } = useNavigation();
  const narrow = (to: Partial<Filters>) => go({ ...place, ...to }, { replaces: true });
  const kinds = KIND_NAMES.filter(([, , tool]) => client.has(tool));
  const isChosen = (kind: Kind) => place.kinds.includes(kind);
  const toggled = (kind: Kind) => (isChosen(kind) ? place.kinds.filter((one) => one !== kind) : [...place.kinds, kind]);
  return (
    <div class="filters" role="group" aria-label="Filters">
      {kinds.length > 1 &&
        kinds.map(([kind, name]) => (
          <button
            key={kind}
            type="button"
            class="chip"
            aria-pressed={isChosen(kind)}
            onClick={() => narrow({ kinds: toggled(kind) })}
          >
            {name}
          </button>
        ))}
      <TimeFilter since={place.since} onChange={(since) => narrow({ since })} />
      {client.has("recall_conversations") && <ConversationFilters place={place} narrow={narrow} />}
      {place.folder !== "" && (
        <button type="button" class="chip" aria-pressed="true" onClick={() => narrow({ folder: "" })}>
          in {place.folder} <Icon name="close" />
        </button>
      )}
    </div>
  );
}

function TimeFilter({ since, onChange }: { since: string; onChange: (since: string) => void }) {
  const choices = TIMES.map(([days, name]) => [dateOf(Date.now() - days * DAY), name] as const);
  const isOther = since !== "" && choices.every(([date]) => date !== since);
  return (
    <select
      class="chip"
      aria-label="Changed"
      data-chosen={since !== ""}
      value={since}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value="">Any time</option>
      {isOther && <option value={since}>Since {since}</option>}
      {choices.map(([date, name]) => (
        <option key={name} value={date}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** Offers the sources and projects of the latest conversations. */
function ConversationFilters({ place, narrow }: { place: SearchPlace; narrow: (to: Partial<Filters>) => void }) {
  const { result } = useAnswer<Recalled>("recall_conversations", {
    since: "all",
    project: "all",
    min_score: 0,
    limit: 100,
  });
  const conversations = result?.conversations ?? [];
  const sources = distinct([place.source, ...conversations.map(({ source_tool: source }) => source)]);
  const projects = distinct([place.project, ...conversations.map(({ project }) => project ?? "")]);
  return (
    <>
      <Choice
        label="Source"
        none="Any source"
        value={place.source}
        values={sources}
        nameOf={sourceName}
        onChange={(source) => narrow({ source })}
      />
      <Choice
        label="Project"
        none="Any project"
        value={place.project}
        values={projects}
        nameOf={(project) => project.slice(project.lastIndexOf("/") + 1)}
        onChange={(project) => narrow({ project })}
      />
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly none: string;
  readonly value: string;
  readonly values: readonly string[];
  readonly nameOf: (value: string) => string;
  readonly onChange: (value: string) => void;
}

function Choice({ label, none, value, values, nameOf, onChange }: ChoiceProps) {
  if (values.length === 0) return null;
  return (
    <select
      class="chip"
      aria-label={label}
      data-chosen={value !== ""}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value="">{none}</option>
      {values.map((each) => (
        <option key={each} value={each}>
          {nameOf(each)}
        </option>
      ))}
    </select>
  );
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].filter((value) => value !== "").toSorted();
}
