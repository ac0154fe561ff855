// The filter of a comparison: a condition on runs leaves those examples of which some run in one of the experiments matches.
import { FilterBar } from "../../../domain/filter/FilterBar.tsx";
import { useVocabulary } from "../../../explorer/use-vocabulary.ts";
import { useGraphql } from "../../../lib/queries.ts";
import { text } from "../../../texts/texts.ts";
import { checkRuns, runVocabulary } from "./comparison.queries.ts";
import type { Comparison } from "./use-comparison.ts";

interface RunFilterProps {
  readonly ids: readonly string[];
  readonly comparison: Comparison;
}

export function RunFilter({ ids, comparison: { condition, set } }: RunFilterProps) {
  const of = { ids: [...ids] };
  const { data } = useGraphql(runVocabulary, of, { keepPrevious: true });
  const vocabulary = useVocabulary(data?.experimentRunFilterVocabulary);
  return (
    <FilterBar
      name="runs"
      condition={condition}
      onCondition={(next) => set({ filter: next })}
      vocabulary={vocabulary}
      check={{ document: checkRuns, of }}
      placeholder={text("experiments.filter.placeholder")}
    />
  );
}
