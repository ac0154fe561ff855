// Variants over a dataset: what is chosen, what it will take, and what became of it.
import { LinkButton } from "../../kit/Button.tsx";
import { linkTo } from "../../lib/links.ts";
import { queryText } from "../../lib/rest.ts";
import { text } from "../../texts/texts.ts";
import { BudgetLeft } from "./BudgetLeft.tsx";
import styles from "./Dataset.module.css";
import { DatasetFields } from "./DatasetFields.tsx";
import { DatasetRunView } from "./DatasetRunView.tsx";
import { sumOf } from "./dataset-run.ts";
import { EstimateLine } from "./EstimateLine.tsx";
import type { OverDataset, PlaygroundDraft } from "./playground-draft.ts";
import { type DatasetRuns, useAnyRunning, useEstimate } from "./use-dataset-runs.ts";

interface OverDatasetFieldsProps {
  readonly draft: PlaygroundDraft;
  readonly over: OverDataset;
  readonly names: readonly string[];
  readonly runs: DatasetRuns;
  readonly onChange: (draft: PlaygroundDraft) => void;
}

export function OverDatasetFields({ draft, over, names, runs, onChange }: OverDatasetFieldsProps) {
  const estimate = useEstimate(draft);
  const experimentId = [...runs.ids.values()];
  const isRunning = useAnyRunning(experimentId);
  const { estimates } = estimate;
  return (
    <>
      <DatasetFields over={over} names={names} onChange={(changed) => onChange({ ...draft, over: changed })} />
      <div className={styles.line}>
        <EstimateLine estimate={estimate} />
        <BudgetLeft isRunning={isRunning} mostCost={estimates === null ? null : sumOf(estimates).max_cost} />
        {experimentId.length > 0 && (
          <LinkButton to={linkTo("comparison", { datasetId: over.datasetId }) + queryText({ experimentId })}>
            {text(experimentId.length > 1 ? "playground.job.compare" : "playground.job.open")}
          </LinkButton>
        )}
      </div>
    </>
  );
}

interface VariantRunOverProps {
  readonly variantKey: number;
  readonly runs: DatasetRuns;
}

export function VariantRunOver({ variantKey, runs: { ids, failures } }: VariantRunOverProps) {
  const id = ids.get(variantKey);
  const failure = failures.get(variantKey);
  return (
    <div className={styles.runs}>
      {failure !== undefined && (
        <p className={styles.problem} role="alert">
          {failure}
        </p>
      )}
      {id !== undefined && <DatasetRunView id={id} />}
      {id === undefined && failure === undefined && <p className={styles.quiet}>{text("playground.job.none")}</p>}
    </div>
  );
}
