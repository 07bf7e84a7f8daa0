// A map of the days of a year, on a phone of half a year: how many conversations each has, darker for more.
// A click on a day, or Enter, lists its conversations only; the arrow keys move
// from day to day.
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { exactDay, monthName } from "../../../format/format.ts";
import { dayCounts, daysUntil, shadeOf, type HourCount } from "./day-counts.ts";

interface DayMapProps {
  readonly hours: readonly HourCount[];
  /** The day that is listed alone; empty if none is. */
  readonly chosen: string;
  readonly onChoose: (day: string) => void;
}

/** In pixels: a year would have days too small for a finger. */
const NARROW = 600;

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -7, ArrowRight: 7 };

export function DayMap({ hours, chosen, onChoose }: DayMapProps) {
  const counts = useMemo(() => dayCounts(hours), [hours]);
  // It ends at the newest conversation of the filter: half a year without any would be most of the map.
  const newest = [...counts.keys()].reduce((latest, day) => (day > latest ? day : latest), "");
  const days = useMemo(
    () => daysUntil(newest === "" ? Date.now() : Date.parse(`${newest}T12:00`), innerWidth < NARROW ? 26 : 53),
    [newest],
  );
  const most = Math.max(1, ...days.map((day) => counts.get(day) ?? 0));
  const [chosenDay, setActive] = useState<number>();
  const active = Math.min(chosenDay ?? days.length - 1, days.length - 1);
  // Another filter may end the map at another day: its last one is the first to have the focus again.
  useLayoutEffect(() => setActive(undefined), [newest]);
  const grid = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const to = Math.min(Math.max(active + step, 0), days.length - 1);
    setActive(to);
    grid.current?.querySelector<HTMLElement>(`[data-day="${days[to]}"]`)?.focus();
  };
  return (
    <section class="day-map" aria-label="Days">
      <div class="day-months" aria-hidden="true" style={{ gridTemplateColumns: columnsOf(days) }}>
        {monthsOf(days).map(({ month, week }) => (
          <span key={week} style={{ gridColumnStart: week + 1 }}>
            {month}
          </span>
        ))}
      </div>
      <div class="day-grid" ref={grid} onKeyDown={onKeyDown}>
        {days.map((day, i) => {
          const count = counts.get(day) ?? 0;
          const name = `${exactDay(day)}: ${count === 1 ? "1 conversation" : `${count} conversations`}`;
          return (
            <button
              key={day}
              type="button"
              data-day={day}
              data-shade={shadeOf(count, most)}
              title={name}
              aria-label={name}
              aria-pressed={day === chosen}
              tabIndex={i === active ? 0 : -1}
              onFocus={() => setActive(i)}
              onClick={() => onChoose(day === chosen ? "" : day)}
            />
          );
        })}
      </div>
    </section>
  );
}

/** Where months begin, in weeks: not the one that the map begins within. */
function monthsOf(days: readonly string[]): { readonly month: string; readonly week: number }[] {
  return days.flatMap((day, i) =>
    day.endsWith("-01") && i > 0
      ? [{ month: day.endsWith("-01-01") ? day.slice(0, 4) : monthName(day), week: Math.floor(i / 7) }]
      : [],
  );
}

/** As wide as those of the map, which has no other way to name them. */
function columnsOf(days: readonly string[]): string {
  return `repeat(${Math.ceil(days.length / 7)}, minmax(0, 0.9rem))`;
}
