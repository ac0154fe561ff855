// The examples of a comparison with what each experiment made of them, and the example that is open over them.
import { useMemo } from "react";
import { Button } from "../../../kit/Button.tsx";
import { useNarrow } from "../../../kit/media.ts";
import { EmptyState, FailedState } from "../../../kit/States.tsx";
import { text } from "../../../texts/texts.ts";
import { CompareTable } from "./CompareTable.tsx";
import type { ComparedRow } from "./compared.ts";
import { arranged } from "./measures.ts";
import { OpenedExample, openExample } from "./OpenedExample.tsx";
import { ReadingList } from "./ReadingList.tsx";
import type { ComparedProps } from "./use-comparison.ts";
import { useNamedRows, usePagedRows } from "./use-rows.ts";

export function ComparedExamples({ datasetId, experiments, comparison, measures, measure, measured }: ComparedProps) {
  const { view, condition, show, order, alone, set } = comparison;
  const narrow = useNarrow();
  const plain = show === "all" && order === "example";
  const whole = show === "all" && condition === "";
  const ids = useMemo(() => {
    if (plain || !measured.complete) return undefined;
    const others = experiments.slice(1);
    const asked = others.filter(({ id }) => id === alone);
    const among = (asked.length > 0 ? asked : others).map(({ index }) => index);
    return arranged(measured.examples, { measure, show, order, among });
  }, [plain, measured.complete, measured.examples, experiments, alone, measure, show, order]);
  const paged = usePagedRows(experiments, condition, plain);
  const named = useNamedRows(datasetId, experiments, ids);
  const list = plain ? paged : { ...named, error: named.error ?? measured.error };
  const empty = (
    <EmptyState
      title={text(whole ? "experiments.compare.empty.title" : "experiments.compare.unshown.title")}
      action={
        !whole && (
          <Button onClick={() => set({ show: null, filter: null })}>
            {text("experiments.compare.unshown.action")}
          </Button>
        )
      }
    >
      {text(whole ? "experiments.compare.empty.text" : "experiments.compare.unshown.text")}
    </EmptyState>
  );
  if (list.error !== null && list.rows === undefined) {
    return <FailedState failure={list.error} onRetry={plain ? list.refetch : measured.refetch} />;
  }
  const onOpen = (row: ComparedRow) => openExample(comparison, row);
  const common = { experiments, comparison, measures, measure, list, onOpen, empty };
  return (
    <>
      {view === "list" && !narrow ? <ReadingList {...common} /> : <CompareTable {...common} />}
      <OpenedExample {...{ list, experiments, comparison, measures, measure }} />
    </>
  );
}
