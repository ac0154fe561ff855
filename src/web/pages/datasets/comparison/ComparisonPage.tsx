// Experiments of a dataset compared with the first of them: side by side, one alone, or by their measures. What is shown is the address.
import { Plus } from "lucide-react";
import { useMemo } from "react";
import { useParams } from "wouter";
import { LinkButton } from "../../../kit/Button.tsx";
import { EmptyState, Loaded, Notice, Skeleton } from "../../../kit/States.tsx";
import { nodesOf } from "../../../lib/graphql.ts";
import { Late, late } from "../../../lib/late.tsx";
import { linkTo, pathParameter } from "../../../lib/links.ts";
import { useGraphql } from "../../../lib/queries.ts";
import { LiveButton } from "../../../shell/LiveButton.tsx";
import { trailPart } from "../../../shell/navigation.ts";
import { Page } from "../../../shell/Page.tsx";
import { text } from "../../../texts/texts.ts";
import { CompareBar } from "./CompareBar.tsx";
import { ComparedExamples } from "./ComparedExamples.tsx";
import styles from "./ComparisonPage.module.css";
import { type ComparedExperiment, experimentOf, knownDirections } from "./compared.ts";
import { comparedDataset, comparedOf } from "./comparison.queries.ts";
import { MeasureTable } from "./MeasureTable.tsx";
import { type Better, measuredValue, measuresOf } from "./measures.ts";
import { type Comparison, useComparison } from "./use-comparison.ts";
import { useMeasured } from "./use-rows.ts";

const { Part: Plots } = late(() => import("./plots/Plots.tsx"));
const { Part: TraceOverPage } = late(() => import("../../traces/TraceOverPage.tsx"));

export default function ComparisonPage() {
  const { datasetId = "" } = useParams<{ datasetId: string }>();
  const id = pathParameter(datasetId);
  const comparison = useComparison();
  const { experimentIds, trace, set } = comparison;
  const query = useGraphql(comparedDataset, { id, ids: [...experimentIds] }, { live: true, keepPrevious: true });
  const dataset = query.data === undefined ? undefined : comparedOf(query.data);
  const experiments = useMemo(() => {
    const listed = nodesOf(dataset?.experiments.edges ?? []);
    return experimentIds.flatMap((each) => listed.filter((one) => one.id === each)).map(experimentOf);
  }, [dataset, experimentIds]);
  const plain = query.data?.experimentMeasureDirections;
  const known = useMemo(() => knownDirections(experiments, plain ?? []), [experiments, plain]);
  const above = dataset?.name ?? text("datasets.title");
  const trail = useMemo(
    () => [trailPart("datasets"), { label: above, to: linkTo("experiments", { datasetId: id }) }],
    [above, id],
  );
  return (
    <Page title={text("experiments.compare.title")} trail={trail} actions={<LiveButton />}>
      <div className={styles.page}>
        {dataset === null || query.error?.kind === "not_found" ? (
          <EmptyState title={text("datasets.gone.title")}>{text("datasets.gone.text")}</EmptyState>
        ) : (
          <Loaded query={query}>
            {() =>
              experiments.length === 0 ? (
                <NothingChosen datasetId={id} asked={experimentIds.length > 0} />
              ) : (
                <Compared datasetId={id} experiments={experiments} comparison={comparison} known={known} />
              )
            }
          </Loaded>
        )}
        {trace !== null && (
          <Late keys="page">
            <TraceOverPage
              {...trace}
              onClose={(parameters) =>
                set(Object.fromEntries(["trace", "project", ...parameters].map((name) => [name, null])))
              }
            />
          </Late>
        )}
      </div>
    </Page>
  );
}

function NothingChosen({ datasetId, asked }: { readonly datasetId: string; readonly asked: boolean }) {
  return (
    <EmptyState
      title={text(asked ? "experiments.gone.title" : "experiments.compare.none.title")}
      icon={<Plus />}
      action={
        <LinkButton to={linkTo("experiments", { datasetId })}>{text("experiments.compare.none.action")}</LinkButton>
      }
    >
      {text(asked ? "experiments.gone.text" : "experiments.compare.none.text")}
    </EmptyState>
  );
}

interface ComparedProps {
  readonly datasetId: string;
  readonly experiments: readonly ComparedExperiment[];
  readonly comparison: Comparison;
  readonly known: ReadonlyMap<string, Better>;
}

function Compared({ datasetId, experiments, comparison, known }: ComparedProps) {
  const { better, experimentIds, by, condition, threshold, view } = comparison;
  const measures = useMemo(() => {
    const evaluations = experiments.flatMap(({ listed }) =>
      listed.annotationSummaries.map(({ annotationName }) => annotationName),
    );
    return measuresOf(evaluations, known, better, threshold).filter((measure) => {
      const values = experiments.map(({ figures }) => measuredValue(measure, figures));
      // Where nothing failed the measure has nothing to say.
      if (measure.key === "errors") return values.some((value) => value !== null && value > 0);
      return measure.key === "latency" || values.some((value) => value !== null);
    });
  }, [experiments, known, better, threshold]);
  const measure = measures.find(({ key }) => key === by) ?? measures[0]!;
  const measured = useMeasured(experiments, condition);
  return (
    <>
      <CompareBar {...{ datasetId, experiments, comparison, measures, measure }} />
      {experiments.length < experimentIds.length && (
        <Notice tone="warn">
          {text("experiments.compare.lacking", { count: experimentIds.length - experiments.length })}
        </Notice>
      )}
      {view === "plots" ? (
        <Late fallback={<Skeleton lines={8} />}>
          <Plots {...{ datasetId, experiments, comparison, measures, measure, measured }} />
        </Late>
      ) : view === "metrics" ? (
        <MeasureTable {...{ experiments, comparison, measures, measured }} />
      ) : (
        <ComparedExamples {...{ datasetId, experiments, comparison, measures, measure, measured }} />
      )}
    </>
  );
}
