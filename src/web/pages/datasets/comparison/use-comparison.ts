// What a comparison shows, all of it in the address: the experiments, the base first, the view, and what is open over it.
import { useMemo } from "react";
import { useAddress } from "../../../lib/address.ts";
import type { ComparedExperiment } from "./compared.ts";
import { type Better, type Measure, type Order, type OutcomeFilter, orders, outcomeFilters } from "./measures.ts";
import type { MeasuredExamples } from "./use-rows.ts";

/** Of scores: smaller differences count as equal. */
export const thresholds = ["0", "0.05", "0.1", "0.2"] as const;
export const views = ["grid", "list", "metrics", "plots"] as const;
type View = (typeof views)[number];
/** Lines of text in a cell. */
export const heights = ["2", "6", "all"] as const;
type Height = (typeof heights)[number];
/** What an output is compared with, word by word. */
export const references = ["expected", "base", "none"] as const;
export type Reference = (typeof references)[number];

/** Of the address: the first is the base. Clients print it. */
export const EXPERIMENT_ID = "experimentId";

export interface Comparison {
  readonly experimentIds: readonly string[];
  readonly view: View;
  readonly height: Height;
  readonly reference: Reference;
  /** Key of the measure that rows are narrowed and sorted by; null for the first. */
  readonly by: string | null;
  /** On runs; empty for none. */
  readonly condition: string;
  readonly show: OutcomeFilter;
  readonly order: Order;
  readonly threshold: number;
  /** Of the experiment that is looked at alone: in the list, on a phone, and for what regressed; null for all. */
  readonly alone: string | null;
  /** Of this view only, by the key of the measure. */
  readonly better: ReadonlyMap<string, Better>;
  readonly exampleId: string | null;
  /** The run that is judged. */
  readonly runId: string | null;
  /** Of the exporter, and the project that it is in. */
  readonly trace: { readonly traceId: string; readonly projectId: string } | null;
  readonly set: ReturnType<typeof useAddress>["set"];
}

/** What the parts of the page are given. */
export interface ComparedProps {
  readonly datasetId: string;
  readonly experiments: readonly ComparedExperiment[];
  readonly comparison: Comparison;
  readonly measures: readonly Measure[];
  /** The one that rows are narrowed and sorted by. */
  readonly measure: Measure;
  readonly measured: MeasuredExamples;
}

export function useComparison(): Comparison {
  const { parameters, set } = useAddress();
  return useMemo(() => {
    const oneOf = <Word extends string>(name: string, words: readonly Word[]): Word =>
      words.find((word) => word === parameters.get(name)) ?? words[0]!;
    const [traceId, projectId] = [parameters.get("trace"), parameters.get("project")];
    return {
      experimentIds: [...new Set(parameters.getAll(EXPERIMENT_ID))],
      view: oneOf("view", views),
      height: parameters.has("lines") ? oneOf("lines", heights) : "6",
      reference: oneOf("against", references),
      by: parameters.get("by"),
      condition: parameters.get("filter")?.trim() ?? "",
      show: oneOf("show", outcomeFilters),
      order: oneOf("order", orders),
      threshold: Number(oneOf("threshold", thresholds)),
      alone: parameters.get("alone"),
      better: new Map([
        ...parameters.getAll("higher").map((key) => [key, "higher"] as const),
        ...parameters.getAll("lower").map((key) => [key, "lower"] as const),
      ]),
      exampleId: parameters.get("example"),
      runId: parameters.get("run"),
      trace: traceId === null || projectId === null ? null : { traceId, projectId },
      set,
    };
  }, [parameters, set]);
}

/** The parameters of the directions of this view with one of them changed; null leaves it to the server. */
export function withDirection(better: ReadonlyMap<string, Better>, key: string, to: Better | null) {
  const next = new Map(better);
  if (to === null) next.delete(key);
  else next.set(key, to);
  const keysOf = (direction: Better) => [...next].filter(([, each]) => each === direction).map(([each]) => each);
  return { higher: keysOf("higher"), lower: keysOf("lower") };
}
