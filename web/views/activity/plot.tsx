// A bar chart with one bar per day, in which several series are stacked: plain
// SVG. Screen readers get the numbers in a sentence.
import { sumOf, type Series } from "../../format/format.ts";

interface PlotProps {
  readonly title: string;
  /** What is counted, in the singular. */
  readonly unit: string;
  readonly days: readonly number[];
  readonly series: readonly Series[];
}

const HEIGHT = 84;
const WIDTH = 672;
const day = new Intl.DateTimeFormat("en", { day: "numeric", month: "short" });

export function Plot({ title, unit, days, series }: PlotProps) {
  const totals = days.map((_, i) => sumOf(series.map(({ counts }) => counts[i]!)));
  const highest = Math.max(1, ...totals);
  const step = WIDTH / days.length;
  const heightOf = (count: number) => (count / highest) * (HEIGHT - 4);
  const sentence = series.map(({ name, counts }) => `${name}: ${sumOf(counts)}`).join(", ") || "none";
  return (
    <figure class="plot">
      <figcaption>
        <span class="plot-title">{title}</span>
        {series.map(({ name }, i) =>
          name === title ? null : (
            <span key={name} class={`plot-key colour-${i}`}>
              {name}
            </span>
          ),
        )}
        <span class="plot-most">
          {series.length === 0
            ? "none in this period"
            : `up to ${highest.toLocaleString("en")} ${unit}${highest === 1 ? "" : "s"} per day`}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${title} in the last ${days.length} days. ${sentence}. At most ${Math.max(...totals)} per day.`}
      >
        <line class="plot-ground" x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
        {days.map((time, i) => {
          let base = HEIGHT - 1;
          return (
            <g key={time}>
              <title>{tooltip(time, series, i)}</title>
              <rect class="plot-day" x={i * step} y="0" width={step} height={HEIGHT} />
              {series.map(({ name, counts }, s) => {
                const height = heightOf(counts[i]!);
                base -= height;
                return height === 0 ? null : (
                  <rect
                    key={name}
                    class={`colour-${s}`}
                    x={i * step + 1.25}
                    y={base}
                    width={step - 2.5}
                    height={height}
                    rx="1.5"
                  />
                );
              })}
            </g>
          );
        })}
      </svg>
      <p class="plot-days" aria-hidden="true">
        <span>{day.format(days[0])}</span>
        <span>today</span>
      </p>
    </figure>
  );
}

function tooltip(time: number, series: readonly Series[], index: number): string {
  const counts = series
    .filter(({ counts }) => counts[index]! > 0)
    .map(({ name, counts }) => `${name}: ${counts[index]}`);
  return `${day.format(time)}. ${counts.join(", ") || "none"}`;
}
