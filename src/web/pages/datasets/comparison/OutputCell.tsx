// What an experiment made of an example: its figures against the base, and the beginning of its output, with the words marked that differ.
import { ChevronLeft, ChevronRight } from "lucide-react";
import { Fragment, useState } from "react";
import { classes } from "../../../kit/classes.ts";
import { TextDiff } from "../../../kit/diff/TextDiff.tsx";
import { formatDuration } from "../../../lib/format.ts";
import { text } from "../../../texts/texts.ts";
import { type ComparedRow, figuresOf } from "./compared.ts";
import type { ComparedRun } from "./comparison.queries.ts";
import { Delta } from "./Delta.tsx";
import { measureName, measureText } from "./measure-words.ts";
import { type Measure, measuredValue } from "./measures.ts";
import styles from "./OutputCell.module.css";
import { comparable, outputOf } from "./readable.ts";
import { figuresOfRun } from "./repetitions.ts";
import type { Reference } from "./use-comparison.ts";

interface OutputCellProps {
  readonly row: ComparedRow;
  /** Which experiment. */
  readonly at: number;
  readonly measures: readonly Measure[];
  /** The place of the repetition that is read first. */
  readonly leading: (runs: readonly ComparedRun[]) => number;
  readonly reference: Reference;
  /** Characters at most. */
  readonly most: number;
}

export function OutputCell({ row, at, measures, leading, reference, most }: OutputCellProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const group = row.groups[at];
  const runs = group?.runs ?? [];
  const run = runs[Math.min(chosen ?? leading(runs), runs.length - 1)];
  if (run === undefined) return <p className={styles.none}>{text("experiments.run.none")}</p>;
  const base = row.groups[0]?.runs[0];
  const baseFigures = figuresOf(row.groups[0]);
  /** Of several repetitions each has its own beside its text. */
  const [figures, means] = [runs.length > 1 ? figuresOfRun(run) : figuresOf(group), figuresOf(group)];
  const before = reference === "expected" ? row.expected : reference === "base" && at > 0 ? outputOf(base) : undefined;
  const texts = comparable(before, outputOf(run));
  const output = texts.after.slice(0, most);
  return (
    <>
      <div className={classes(styles.figures, runs.length > 1 && styles.repeated)}>
        <span className={styles.scores}>
          {measures
            .filter(({ evaluation }) => evaluation !== null)
            .filter((measure) => measuredValue(measure, means) !== null)
            .map((measure) => (
              <Fragment key={measure.key}>
                <span className={styles.score} title={measureName(measure)}>
                  <span className={styles.label}>{measureName(measure)}</span>{" "}
                  <span>{measureText(measure, measuredValue(measure, figures))}</span>{" "}
                  {at > 0 && <Delta measure={measure} base={baseFigures} other={figures} />}
                </span>
                {runs.length > 1 && (
                  <span className={styles.mean}>
                    {text("experiments.mean", { value: measureText(measure, measuredValue(measure, means)) })}
                  </span>
                )}
              </Fragment>
            ))}
          <span className={styles.label}>{formatDuration(run.latencyMs)}</span>
        </span>
        {runs.length > 1 && <Repetitions count={runs.length} at={runs.indexOf(run)} onChange={setChosen} />}
      </div>
      {run.error !== null ? (
        <p className={classes(styles.text, styles.error)}>{run.error.slice(0, most)}</p>
      ) : (
        <p className={styles.text}>
          {texts.before === null ? (
            output
          ) : (
            <TextDiff before={texts.before.slice(0, most)} after={output} show="both" sparing />
          )}
        </p>
      )}
    </>
  );
}

interface RepetitionsProps {
  readonly count: number;
  readonly at: number;
  readonly onChange: (at: number) => void;
}

export function Repetitions({ count, at, onChange }: RepetitionsProps) {
  const step = (by: number) => onChange((at + by + count) % count);
  return (
    <span className={styles.repetitions}>
      <button type="button" aria-label={text("experiments.repetition.previous")} onClick={() => step(-1)}>
        <ChevronLeft />
      </button>
      <span>{text("experiments.repetition", { at: at + 1, count })}</span>
      <button type="button" aria-label={text("experiments.repetition.next")} onClick={() => step(1)}>
        <ChevronRight />
      </button>
    </span>
  );
}
