// Runs of the variants over a dataset: what they will take, their start, and which experiments they became.
import { useQueries, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { stringifyJson } from "../../../kernel/json.ts";
import { useAddress } from "../../lib/address.ts";
import { useDebounced } from "../../lib/debounced.ts";
import { failureOf, type PageFailure } from "../../lib/failure.ts";
import { useRefresh } from "../../lib/queries.ts";
import { type DatasetRun, datasetRunBody, overProblems, type RunEstimate } from "./dataset-run.ts";
import { estimateRun, readDatasetRun, startDatasetRun } from "./dataset-runs.api.ts";
import type { PlaygroundDraft } from "./playground-draft.ts";
import { letterOf } from "./playground-draft.ts";
import { repetitionsOf, variantProblems } from "./run-request.ts";

export interface Estimate {
  /** Null before the first, and while something is wrong. */
  readonly estimates: readonly RunEstimate[] | null;
  readonly isPending: boolean;
  /** Why there is none; null if nothing is wrong. */
  readonly problem: string | null;
}

/** Nothing shows it but this page. */
const meta = { shows: new Set<string>() };
const TYPING_MS = 500;

/** The bodies of the variants; null while they cannot be sent. */
function bodiesOf(draft: PlaygroundDraft) {
  const { over, variants } = draft;
  if (over === null || repetitionsOf(draft) === null || Object.keys(overProblems(over)).length > 0) return null;
  // Their values come from the examples.
  if (variants.some((variant) => variantProblems(draft, variant).size > 0)) return null;
  return variants.map((variant, position) => datasetRunBody(draft, over, variant, letterOf(position)));
}

export function useEstimate(draft: PlaygroundDraft): Estimate {
  const bodies = bodiesOf(draft);
  const written = useDebounced(bodies === null ? "" : stringifyJson(bodies), TYPING_MS);
  const { data, error, isFetching } = useQuery<readonly RunEstimate[], PageFailure>({
    queryKey: ["DatasetRunEstimate", written],
    queryFn: ({ signal }) => Promise.all((bodies ?? []).map((body) => estimateRun(body, signal))),
    enabled: written !== "" && bodies !== null,
    meta,
  });
  return { estimates: data ?? null, isPending: isFetching, problem: error?.message ?? null };
}

/** Of the address: experiments by the keys of the variants. */
const RUN = "run";

export interface DatasetRuns {
  /** Experiments by the keys of the variants. */
  readonly ids: ReadonlyMap<number, string>;
  readonly isStarting: boolean;
  /** Why a variant was not started. */
  readonly failures: ReadonlyMap<number, string>;
  readonly start: () => void;
}

/** Starts a job for each variant. */
export function useDatasetRuns(draft: PlaygroundDraft): DatasetRuns {
  const { parameters, set } = useAddress();
  const refresh = useRefresh(["experiments", "datasets"]);
  const [isStarting, setStarting] = useState(false);
  const [failures, setFailures] = useState<ReadonlyMap<number, string>>(new Map());
  const ids = new Map(
    parameters.getAll(RUN).flatMap((each) => {
      const [, key, id] = /^(\d+)\.(.+)$/.exec(each) ?? [];
      return key === undefined || id === undefined ? [] : [[Number(key), id] as const];
    }),
  );
  const start = async () => {
    const bodies = bodiesOf(draft);
    if (bodies === null || isStarting) return;
    setStarting(true);
    const failed = new Map<number, string>();
    const started = await Promise.all(
      draft.variants.map(async ({ key }, position) => {
        try {
          return [`${key}.${(await startDatasetRun(bodies[position]!)).id}`];
        } catch (error) {
          failed.set(key, failureOf(error).message);
          return [];
        }
      }),
    );
    setFailures(failed);
    setStarting(false);
    set({ [RUN]: started.flat() }, "replace");
    refresh();
  };
  return { ids, isStarting, failures, start: () => void start() };
}

const LOOK_MS = 1000;

export const datasetRunKey = (id: string) => ["DatasetRun", id];

/** Asked again while it runs. */
export function useDatasetRun(id: string) {
  return useQuery<DatasetRun, PageFailure>(queryOf(id));
}

/** Whether one of them runs. */
export function useAnyRunning(ids: readonly string[]): boolean {
  return useQueries({
    queries: ids.map(queryOf),
    combine: (results) => results.some(({ data }) => data?.status === "RUNNING"),
  });
}

function queryOf(id: string) {
  return {
    queryKey: datasetRunKey(id),
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => readDatasetRun(id, signal),
    refetchInterval: ({ state }: { readonly state: { readonly data?: DatasetRun | undefined } }) =>
      state.data === undefined || state.data.status === "RUNNING" ? LOOK_MS : (false as const),
    meta,
  };
}
