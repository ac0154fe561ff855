// How many spans failed on each day, as bars; days on which a version was first seen are marked.
import { formatCount, formatTimePart } from "../../lib/format.ts";
import { textsOf } from "../../texts/texts.ts";
import { failureTexts } from "./failures.late-texts.ts";
import styles from "./Trend.module.css";
import { DAY_MS, type TrendPoint, trendBars } from "./trend-bars.ts";

const text = textsOf(failureTexts);

interface TrendProps {
  readonly points: readonly TrendPoint[];
  readonly large?: boolean;
  readonly releases?: readonly { readonly version: string | null; readonly firstSeenAt: string }[];
}

export function Trend({ points, large = false, releases = [] }: TrendProps) {
  const bars = trendBars(points, Date.now());
  const highest = Math.max(1, ...bars.map(({ count }) => count));
  const total = bars.reduce((sum, { count }) => sum + count, 0);
  return (
    <span
      role="img"
      aria-label={text("failures.trend", { count: total })}
      className={large ? styles.large : styles.trend}
    >
      {bars.map(({ startMs, count }) => {
        const release = releases.filter(({ version, firstSeenAt }) => {
          const atMs = Date.parse(firstSeenAt);
          return version !== null && atMs >= startMs && atMs < startMs + DAY_MS;
        });
        const day = formatTimePart(startMs, "utc", "day");
        return (
          <span
            key={startMs}
            className={styles.day}
            title={text("failures.trend.point", { day, count: formatCount(count) })}
          >
            <i style={{ height: count === 0 ? 0 : `${Math.max(8, (count / highest) * 100)}%` }} />
            {large && release.length > 0 && (
              <span className={styles.release}>{release.map(({ version }) => version).join(", ")}</span>
            )}
          </span>
        );
      })}
    </span>
  );
}
