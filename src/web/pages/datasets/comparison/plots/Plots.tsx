// The plots of a comparison: the measure that is chosen as base against the others, scores against latency and cost, and how each measure
// spreads. Loaded on demand.
import { useMemo } from "react";
import { FailedState } from "../../../../kit/States.tsx";
import { text } from "../../../../texts/texts.ts";
import { measureName } from "../measure-words.ts";
import { OpenedExample, openExample } from "../OpenedExample.tsx";
import type { ComparedProps } from "../use-comparison.ts";
import { useNamedRows } from "../use-rows.ts";
import { Distribution } from "./Distribution.tsx";
import styles from "./Plots.module.css";
import { againstBase, againstMeasure } from "./plot-data.ts";
import { Scatter } from "./Scatter.tsx";

export default function Plots({ datasetId, experiments, comparison, measures, measure, measured }: ComparedProps) {
  const { exampleId } = comparison;
  const { examples, error, refetch } = measured;
  const ids = useMemo(() => (exampleId === null ? undefined : [exampleId]), [exampleId]);
  const list = useNamedRows(datasetId, experiments, ids);
  if (error !== null && examples.length === 0) return <FailedState failure={error} onRetry={refetch} />;
  const score = measure.evaluation === null ? measures.find(({ evaluation }) => evaluation !== null) : measure;
  const paid = measures.filter(({ key }) => key === "latency" || key === "cost");
  const common = { experiments, onOpen: (id: string) => openExample(comparison, { id }) };
  return (
    <>
      {/* A region that scrolls must be reachable by keys. */}
      <section
        className={styles.plots}
        aria-label={text("experiments.view.plots")}
        aria-busy={!measured.complete}
        tabIndex={0}
      >
        {experiments.length > 1 && (
          <Scatter
            {...common}
            title={text("experiments.plots.base", { name: measureName(measure) })}
            points={againstBase(measure, examples, experiments.length)}
            across={{ name: text("experiments.compare.base"), measure }}
            upwards={{ name: measureName(measure), measure }}
            diagonal
          />
        )}
        {score !== undefined &&
          paid.map((each) => (
            <Scatter
              key={each.key}
              {...common}
              title={text("experiments.plots.against", { name: measureName(score), other: measureName(each) })}
              points={againstMeasure([each, score], examples, experiments.length)}
              across={{ name: measureName(each), measure: each }}
              upwards={{ name: measureName(score), measure: score }}
              diagonal={false}
            />
          ))}
        {measures
          .filter(({ key }) => key !== "errors")
          .map((each) => (
            <Distribution key={each.key} measure={each} examples={examples} experiments={experiments} />
          ))}
      </section>
      <OpenedExample {...{ list, experiments, comparison, measures, measure }} />
    </>
  );
}
