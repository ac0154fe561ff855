// Whether the variants run with typed values, or over a dataset.
import { Select } from "../../kit/Field.tsx";
import { nodesOf } from "../../lib/graphql.ts";
import { useGraphql } from "../../lib/queries.ts";
import { text } from "../../texts/texts.ts";
import { newOverDataset } from "./dataset-run.ts";
import { datasetNames } from "./playground.queries.ts";
import type { OverDataset } from "./playground-draft.ts";

interface DatasetSelectProps {
  readonly over: OverDataset | null;
  readonly onChange: (over: OverDataset | null) => void;
}

export function DatasetSelect({ over, onChange }: DatasetSelectProps) {
  const datasets = useGraphql(datasetNames, {});
  const listed = nodesOf(datasets.data?.datasets.edges ?? []).map(({ id, name, exampleCount }) => ({
    value: id,
    label: text("playground.dataset.choice", { name, count: exampleCount }),
  }));
  const isListed = over === null || listed.some(({ value }) => value === over.datasetId);
  const choices = [
    { value: "", label: text("playground.dataset.none") },
    ...(isListed ? [] : [{ value: over.datasetId, label: text("playground.dataset.chosen") }]),
    ...listed,
  ];
  return (
    <Select
      labelHidden
      label={text("playground.dataset")}
      choices={choices}
      value={over?.datasetId ?? ""}
      onChange={(id) => onChange(id === "" ? null : newOverDataset(id))}
    />
  );
}
