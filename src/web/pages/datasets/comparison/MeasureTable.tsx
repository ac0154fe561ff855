// The measures of a comparison: the mean of each experiment, and how many examples improved or regressed against the base. The direction
// of "better" can be turned; a number leads to its examples.
import { ArrowDown, ArrowUp } from "lucide-react";
import { useMemo } from "react";
import { Button } from "../../../kit/Button.tsx";
import { SeriesDot } from "../../../kit/SeriesDot.tsx";
import { FailedState } from "../../../kit/States.tsx";
import { formatCount } from "../../../lib/format.ts";
import { useGraphql } from "../../../lib/queries.ts";
import { text } from "../../../texts/texts.ts";
import type { ComparedExperiment } from "./compared.ts";
import { type ScoreDifference, scoreDifferences } from "./comparison.queries.ts";
import { Delta } from "./Delta.tsx";
import styles from "./MeasureTable.module.css";
import { measureName, measureText, noiseText } from "./measure-words.ts";
import { type Measure, measuredValue, nothingMeasured, type OutcomeFilter, type Tally, tallyOf } from "./measures.ts";
import type { ComparedProps, Comparison } from "./use-comparison.ts";
import { type Turn, useTurn } from "./use-turn.ts";

export function MeasureTable(props: Pick<ComparedProps, "experiments" | "comparison" | "measures" | "measured">) {
  const { experiments, comparison, measures, measured } = props;
  const { set } = comparison;
  const turn = useTurn(comparison);
  const differences = useScoreDifferences(experiments, comparison);
  const [base, ...others] = experiments as readonly [ComparedExperiment, ...ComparedExperiment[]];
  const { examples, complete, error, refetch } = measured;
  const tallies = useMemo(
    () =>
      new Map(
        measures.map((measure) => [
          measure.key,
          experiments.slice(1).map(({ index }) =>
            tallyOf(
              measure,
              examples.map(({ figures }) => [figures[0] ?? nothingMeasured, figures[index] ?? nothingMeasured]),
            ),
          ),
        ]),
      ),
    [measures, experiments, examples],
  );
  if (error !== null && examples.length === 0) return <FailedState failure={error} onRetry={refetch} />;
  const show = (by: string, alone: string, outcome: OutcomeFilter) =>
    set({ view: null, by, alone, show: outcome === "all" ? null : outcome });
  return (
    // A region that scrolls must be reachable by keys.
    <section className={styles.scroller} aria-label={text("experiments.view.metrics")} tabIndex={0}>
      <table className={styles.table} style={{ "--experiments": experiments.length }}>
        <thead>
          <tr>
            <th scope="col">{text("experiments.measure")}</th>
            {experiments.map(({ id, index, listed }) => (
              <th key={id} scope="col" title={listed.name}>
                <SeriesDot index={index} /> <bdi>{listed.name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {measures.map((measure) => (
            <tr key={measure.key}>
              <th scope="row">
                <div className={styles.measure}>{measureName(measure)}</div>
                <Direction measure={measure} turn={turn} />
              </th>
              <td>
                <Of {...base} />
                <div className={styles.mean}>{measureText(measure, measuredValue(measure, base.figures))}</div>
              </td>
              {others.map(({ id, index, listed, figures }, at) => (
                <td key={id}>
                  <Of index={index} listed={listed} />
                  <div className={styles.mean}>
                    {measureText(measure, measuredValue(measure, figures))}{" "}
                    <Delta measure={measure} base={base.figures} other={figures} />
                  </div>
                  <Noise
                    difference={differences.find(
                      (each) => each.experimentId === id && each.annotationName === measure.evaluation,
                    )}
                  />
                  <Counted
                    tally={tallies.get(measure.key)?.[at]}
                    complete={complete}
                    onShow={(outcome) => show(measure.key, id, outcome)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Above each figure where there is no head. */
function Of({ index, listed }: Pick<ComparedExperiment, "index" | "listed">) {
  return (
    <div className={styles.of} aria-hidden="true">
      <SeriesDot index={index} /> <bdi>{listed.name}</bdi>
    </div>
  );
}

/** None for what is filtered: the interval is that of all examples. */
function useScoreDifferences(
  experiments: readonly ComparedExperiment[],
  { condition, threshold }: Comparison,
): readonly ScoreDifference[] {
  const [baseId = "", ...otherIds] = experiments.map(({ id }) => id);
  const { data } = useGraphql(
    scoreDifferences,
    { baseId, otherIds, threshold },
    { enabled: otherIds.length > 0 && condition === "", keepPrevious: true },
  );
  return condition === "" ? (data?.experimentScoreDifferences ?? []) : [];
}

function Noise({ difference }: { readonly difference: ScoreDifference | undefined }) {
  return difference === undefined ? null : <p className={styles.noise}>{noiseText(difference)}</p>;
}

function Direction({ measure, turn }: { readonly measure: Measure; readonly turn: Turn }) {
  const { better, usual } = measure;
  return (
    <>
      <Button
        look="quiet"
        icon={better === "higher" ? <ArrowUp /> : <ArrowDown />}
        title={text(turn.forEverybody ? "experiments.better.turn" : "experiments.better.turn.here", {
          name: measureName(measure),
        })}
        disabled={turn.waiting}
        onClick={() => turn.turn(measure)}
      >
        {text(`experiments.better.${better}`)}
      </Button>
      {better !== usual && <div className={styles.here}>{text("experiments.better.here")}</div>}
    </>
  );
}

const outcomes = ["improved", "equal", "regressed"] as const;

interface CountedProps {
  readonly tally: Tally | undefined;
  /** All examples have been counted. */
  readonly complete: boolean;
  readonly onShow: (outcome: OutcomeFilter) => void;
}

function Counted({ tally, complete, onShow }: CountedProps) {
  if (tally === undefined) return null;
  return (
    <>
      <div className={styles.parts} aria-hidden="true">
        {outcomes.map((outcome) => (
          <span key={outcome} className={styles[outcome]} style={{ flexGrow: tally[outcome] }} />
        ))}
        <span style={{ flexGrow: tally.unknown }} />
      </div>
      <div className={styles.counts} aria-busy={!complete}>
        {outcomes.map((outcome) => (
          <button
            key={outcome}
            type="button"
            className={styles.count}
            disabled={tally[outcome] === 0}
            onClick={() => onShow(outcome)}
          >
            <b>{formatCount(tally[outcome])}</b> {text(`experiments.outcome.${outcome}`)}
          </button>
        ))}
        {tally.unknown > 0 && (
          <span className={styles.unknown}>
            {formatCount(tally.unknown)} {text("experiments.outcome.unknown")}
          </span>
        )}
      </div>
    </>
  );
}
