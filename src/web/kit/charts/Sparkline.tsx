// The course of a figure without axes: a line over a wash of its colour. Decoration beside the figure that it belongs to.
import styles from "./BigNumber.module.css";

interface SparklineProps {
  /** One for each bin, null where there is nothing. */
  readonly values: readonly (number | null)[] | undefined;
  /** Name of a colour token. */
  readonly color: string;
}

const HEIGHT = 28;

export function Sparkline({ values = [], color }: SparklineProps) {
  const highest = Math.max(0, ...values.map((value) => value ?? 0));
  const points = values.flatMap((value, at) =>
    value === null || values.length < 2
      ? []
      : [
          `${((at / (values.length - 1)) * 100).toFixed(2)},${(HEIGHT - 1 - (value / highest) * (HEIGHT - 3)).toFixed(2)}`,
        ],
  );
  const drawn = highest > 0 && points.length > 1;
  const [first, last] = [points[0]?.split(",")[0], points.at(-1)?.split(",")[0]];
  return (
    <svg
      className={styles.course}
      viewBox={`0 0 100 ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      style={{ color: `var(${color})` }}
    >
      {drawn && (
        <>
          <polygon
            points={`${first},${HEIGHT} ${points.join(" ")} ${last},${HEIGHT}`}
            fill="currentColor"
            opacity="0.12"
          />
          <polyline points={points.join(" ")} fill="none" stroke="currentColor" vectorEffect="non-scaling-stroke" />
        </>
      )}
    </svg>
  );
}
