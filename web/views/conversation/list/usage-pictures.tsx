// Pictures of what conversations took, above their list: totals, a stack for each
// week by program or by model, and the hours of the week. A click on a name or a
// week filters the list. A cost is shown once the person has entered prices.
import { useMemo, useState } from "preact/hooks";
import { isRecord, parseJson } from "../../../../src/kernel/kernel.ts";
import { exactDay, sourceName } from "../../../format/format.ts";
import { visits } from "../../../server/server.ts";
import { byWeek, costOf, hoursOfWeek, OTHERS, tokenSums, type Price, type TokenSums, type Use } from "./usage.ts";

interface UsagePicturesProps {
  readonly uses: readonly Use[];
  readonly messages: number;
  readonly projects: number;
  /** The weeks or days that are listed alone, as `2026-01-26..2026-02-01`; empty if none is. */
  readonly chosen: string;
  readonly onSpan: (span: string) => void;
  readonly onFilter: (filter: { readonly source: string } | { readonly model: string }) => void;
}

const MAX_WEEKS = 53;

export function UsagePictures({ uses, messages, projects, chosen, onSpan, onFilter }: UsagePicturesProps) {
  const [by, setBy] = useState<"source" | "model">("source");
  const [of, setOf] = useState<"conversations" | "tokens">("conversations");
  const [prices, setPrices] = useState(keptPrices);
  const tokens = useMemo(() => tokenSums(uses), [uses]);
  const measure = tokens === undefined ? "conversations" : of;
  const { names, weeks } = useMemo(
    () => byWeek(uses, (use) => use[by], measure === "tokens" ? tokensOf : ({ count }) => count, MAX_WEEKS),
    [uses, by, measure],
  );
  const keep = (next: Readonly<Record<string, Price>>) => {
    visits().setItem(PRICES, JSON.stringify(next));
    setPrices(next);
  };
  const shownName = (name: string) =>
    name === OTHERS ? name : by === "source" ? sourceName(name) : name || "Unknown model";
  return (
    <>
      <Totals uses={uses} messages={messages} projects={projects} tokens={tokens} cost={costOf(uses, prices)} />
      <div class="usage">
        <figure class="plot usage-weeks">
          <figcaption>
            <span class="plot-title">By week</span>
            <Switch label="Stacked by" value={by} options={{ source: "Program", model: "Model" }} onChoose={setBy} />
            {tokens && (
              <Switch
                label="Measured in"
                value={of}
                options={{ conversations: "Conversations", tokens: "Tokens" }}
                onChoose={setOf}
              />
            )}
          </figcaption>
          <Weeks weeks={weeks} names={names.map(shownName)} unit={measure} chosen={chosen} onSpan={onSpan} />
          <p class="usage-names">
            {names.map((name, i) =>
              name === OTHERS || name === "" ? (
                <span key={name} class={`plot-key colour-${i}`}>
                  {shownName(name)}
                </span>
              ) : (
                <button
                  key={name}
                  type="button"
                  class={`plot-key colour-${i}`}
                  title={`Only ${shownName(name)}`}
                  onClick={() => onFilter(by === "source" ? { source: name } : { model: name })}
                >
                  {shownName(name)}
                </button>
              ),
            )}
          </p>
        </figure>
        <HourGrid uses={uses} />
      </div>
      {tokens && <Prices uses={uses} prices={prices} onChange={keep} />}
    </>
  );
}

/** The fresh ones and those written: what comes from a cache would hide both. */
function tokensOf({ tokens }: Use): number {
  return tokens === undefined ? 0 : Math.max(0, tokens.input - tokens.cached) + tokens.output;
}

const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const money = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

interface TotalsProps {
  readonly uses: readonly Use[];
  readonly messages: number;
  readonly projects: number;
  readonly tokens: TokenSums | undefined;
  readonly cost: number | undefined;
}

/** All that pass the filters together, whichever day is listed. */
function Totals({ uses, messages, projects, tokens, cost }: TotalsProps) {
  const days = new Set(uses.map(({ time }) => new Date(time).toDateString())).size;
  const count = uses.reduce((sum, use) => sum + use.count, 0);
  const facts: readonly (readonly [name: string, value: string])[] = [
    [count === 1 ? "conversation" : "conversations", count.toLocaleString("en")],
    [messages === 1 ? "message" : "messages", messages.toLocaleString("en")],
    [days === 1 ? "active day" : "active days", days.toLocaleString("en")],
    [projects === 1 ? "project" : "projects", projects.toLocaleString("en")],
    ...(tokens
      ? ([
          ["tokens in, fresh", short.format(tokens.fresh)],
          ["from a cache", short.format(tokens.cached)],
          ["tokens out", short.format(tokens.output)],
        ] as const)
      : []),
    ...(cost === undefined ? [] : [["cost, by your prices", money.format(cost)] as const]),
  ];
  return (
    <dl class="totals">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface SwitchProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: Readonly<Record<T, string>>;
  readonly onChoose: (value: T) => void;
}

function Switch<T extends string>({ label, value, options, onChoose }: SwitchProps<T>) {
  return (
    <span class="switch" role="group" aria-label={label}>
      {(Object.entries(options) as [T, string][]).map(([one, name]) => (
        <button key={one} type="button" aria-pressed={one === value} onClick={() => onChoose(one)}>
          {name}
        </button>
      ))}
    </span>
  );
}

interface WeeksProps {
  readonly weeks: ReturnType<typeof byWeek>["weeks"];
  readonly names: readonly string[];
  readonly unit: string;
  readonly chosen: string;
  readonly onSpan: (span: string) => void;
}

/** One button for each week, as high as its sum, in which the names are stacked. */
function Weeks({ weeks, names, unit, chosen, onSpan }: WeeksProps) {
  const sums = weeks.map(({ amounts }) => amounts.reduce((sum, amount) => sum + amount, 0));
  const most = Math.max(1, ...sums);
  return (
    <div class="week-bars">
      {weeks.map(({ from, to, amounts }, i) => {
        const span = `${from}..${to}`;
        const parts = names.flatMap((name, n) => (amounts[n]! > 0 ? [`${name} ${short.format(amounts[n]!)}`] : []));
        const text = `Week of ${exactDay(from)}: ${short.format(sums[i]!)} ${unit}${parts.length > 1 ? ` (${parts.join(", ")})` : ""}`;
        return (
          <button
            key={from}
            type="button"
            title={text}
            aria-label={text}
            aria-pressed={span === chosen}
            disabled={sums[i] === 0}
            onClick={() => onSpan(span === chosen ? "" : span)}
          >
            {amounts.map((amount, n) =>
              amount === 0 ? null : (
                <span key={n} class={`colour-${n}`} style={{ height: `${(100 * amount) / most}%` }} />
              ),
            )}
          </button>
        );
      })}
    </div>
  );
}

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;

function HourGrid({ uses }: { uses: readonly Use[] }) {
  const hours = useMemo(() => hoursOfWeek(uses), [uses]);
  const most = Math.max(1, ...hours.flat());
  const busiest = hours
    .flatMap((day, d) => day.map((count, hour) => ({ count, d, hour })))
    .find(({ count }) => count === most);
  const label = `Hours of the week. ${busiest ? `The most, ${most}, on ${WEEKDAYS[busiest.d]}s at ${busiest.hour}:00.` : "None."}`;
  return (
    <figure class="plot hour-grid">
      <figcaption>
        <span class="plot-title">Hours of the week</span>
      </figcaption>
      <svg viewBox="0 0 264 92" role="img" aria-label={label}>
        {hours.flatMap((day, d) => [
          <text key={`day ${d}`} x="0" y={d * 11 + 8.5}>
            {WEEKDAYS[d]!.slice(0, 1)}
          </text>,
          ...day.map((count, hour) => (
            <rect
              key={`${d} ${hour}`}
              x={12 + hour * 10.5}
              y={d * 11}
              width="9.5"
              height="9.5"
              rx="2"
              style={{ "--share": `${count === 0 ? 0 : 25 + (75 * count) / most}%` }}
            >
              <title>{`${WEEKDAYS[d]}, ${hour}:00: ${count}`}</title>
            </rect>
          )),
        ])}
        {[0, 6, 12, 18].map((hour) => (
          <text key={hour} x={12 + hour * 10.5} y="88">
            {hour}
          </text>
        ))}
      </svg>
    </figure>
  );
}

const PRICES = "prices";
const KINDS = [
  ["fresh", "in"],
  ["cached", "from a cache"],
  ["output", "out"],
] as const;

/** Only what the person has entered: prices change, and nothing here asks another server for them. */
function keptPrices(): Readonly<Record<string, Price>> {
  const kept = parseJson(visits().getItem(PRICES) ?? "{}");
  return isRecord(kept) ? Object.fromEntries(Object.entries(kept).filter(isPrice)) : {};
}

function isPrice(entry: [string, unknown]): entry is [string, Price] {
  const [, price] = entry;
  return isRecord(price) && KINDS.every(([kind]) => typeof price[kind] === "number");
}

interface PricesProps {
  readonly uses: readonly Use[];
  readonly prices: Readonly<Record<string, Price>>;
  readonly onChange: (prices: Readonly<Record<string, Price>>) => void;
}

function Prices({ uses, prices, onChange }: PricesProps) {
  const models = [...new Set(uses.flatMap(({ model, tokens }) => (tokens && model !== "" ? [model] : [])))];
  if (models.length === 0) return null;
  const change = (model: string, kind: keyof Price, typed: string) => {
    const price = { fresh: 0, cached: 0, output: 0, ...prices[model], [kind]: Number(typed) || 0 };
    const { [model]: _, ...others } = prices;
    onChange(KINDS.every(([one]) => price[one] === 0) ? others : { ...others, [model]: price });
  };
  return (
    <details class="prices">
      <summary>Prices</summary>
      <p class="none">For a million tokens, in your currency. They stay in this browser.</p>
      <table>
        <thead>
          <tr>
            <th scope="col">Model</th>
            {KINDS.map(([kind, name]) => (
              <th key={kind} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {models.map((model) => (
            <tr key={model}>
              <th scope="row">{model}</th>
              {KINDS.map(([kind, name]) => (
                <td key={kind}>
                  <input
                    type="number"
                    min="0"
                    step="any"
                    aria-label={`Price of ${model}, ${name}`}
                    value={prices[model]?.[kind] ?? ""}
                    onChange={({ currentTarget }) => change(model, kind, currentTarget.value)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
