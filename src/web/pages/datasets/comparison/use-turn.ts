// Turning which values of a measure are the better ones: for everybody, or, by who may not change anything, in this view only.
import { showToast } from "../../../kit/Toast.tsx";
import { useGraphqlMutation } from "../../../lib/queries.ts";
import { useRights } from "../../../lib/viewer.ts";
import { text } from "../../../texts/texts.ts";
import { setDirection } from "./comparison.queries.ts";
import { measureName } from "./measure-words.ts";
import type { Measure, PlainMeasure } from "./measures.ts";
import { type Comparison, withDirection } from "./use-comparison.ts";

export interface Turn {
  readonly forEverybody: boolean;
  /** For the server to keep it. */
  readonly waiting: boolean;
  readonly turn: (measure: Measure) => void;
}

export function useTurn({ better, set }: Comparison): Turn {
  const { mayWrite } = useRights();
  const change = useGraphqlMutation(setDirection, ["experimentMeasureDirections", "annotationConfigs"]);
  const turn = (measure: Measure) => {
    const { key, evaluation, usual } = measure;
    const to = measure.better === "higher" ? "lower" : "higher";
    if (!mayWrite) {
      set(withDirection(better, key, to === usual ? null : to), "replace");
      return;
    }
    const named = evaluation === null ? { measure: wordOf(key as PlainMeasure) } : { annotationName: evaluation };
    change.mutate(
      { input: { ...named, optimizationDirection: to === "higher" ? "MAXIMIZE" : "MINIMIZE" } },
      {
        onSuccess() {
          set(withDirection(better, key, null), "replace");
          showToast(text(`experiments.better.${to}.done`, { name: measureName(measure) }));
        },
        onError: ({ message }) => showToast(message, "error"),
      },
    );
  };
  return { forEverybody: mayWrite, waiting: change.isPending, turn };
}

function wordOf(key: PlainMeasure) {
  return key.toUpperCase() as Uppercase<PlainMeasure>;
}
