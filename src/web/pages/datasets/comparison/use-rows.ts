// The rows of a comparison: page by page as the server has them, or, narrowed or sorted by a difference, those that the figures of all
// examples name.
import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import type { PageFailure } from "../../../lib/failure.ts";
import { askGraphql, nameOf, nodesOf, readFragment, shownBy } from "../../../lib/graphql.ts";
import { useGraphqlPages } from "../../../lib/queries.ts";
import { type ComparedExperiment, type ComparedRow, measuredExample, rowOf } from "./compared.ts";
import { comparedFigures, comparedRows, groupFields, namedRows } from "./comparison.queries.ts";
import type { MeasuredExample } from "./measures.ts";

const AT_ONCE = 40;
/** Figures of an example in one experiment; examples at most. */
const FIGURES_AT_ONCE = 10_000;
const EXAMPLES_AT_ONCE = 1000;

export interface Rows {
  readonly rows: readonly ComparedRow[] | undefined;
  readonly error: PageFailure | null;
  readonly refetch: () => void;
  readonly loadMore: (() => void) | undefined;
  readonly loadingMore: boolean;
}

interface Asked {
  readonly baseId: string;
  readonly otherIds: readonly string[];
  readonly versionId: string;
}

function askedOf(experiments: readonly ComparedExperiment[]): Asked {
  const [base, ...others] = experiments;
  return { baseId: base!.id, otherIds: others.map(({ id }) => id), versionId: base!.listed.datasetVersion.id };
}

/** In the order of the dataset. */
export function usePagedRows(experiments: readonly ComparedExperiment[], condition: string, enabled: boolean): Rows {
  const asked = askedOf(experiments);
  const list = useGraphqlPages(
    comparedRows,
    { ...asked, otherIds: [...asked.otherIds], condition, first: AT_ONCE },
    (answer) => answer.compareExperiments,
    { enabled, live: true, keepPrevious: true },
  );
  const rows = useMemo(() => {
    const ids = experiments.map(({ id }) => id);
    return list.rows?.map(({ example, repeatedRunGroups }) =>
      rowOf(example, readFragment(groupFields, repeatedRunGroups), ids),
    );
  }, [list.rows, experiments]);
  return { ...list, rows };
}

/** Those of `ids`, in their order; undefined while they are not known. */
export function useNamedRows(
  datasetId: string,
  experiments: readonly ComparedExperiment[],
  ids: readonly string[] | undefined,
): Rows {
  const [wanted, setWanted] = useState({ ids, chunks: 1 });
  const chunks = wanted.ids === ids ? wanted.chunks : 1;
  const { versionId } = askedOf(experiments);
  const experimentIds = useMemo(() => experiments.map(({ id }) => id), [experiments]);
  const parts = Array.from({ length: chunks }, (_, at) => (ids ?? []).slice(at * AT_ONCE, (at + 1) * AT_ONCE));
  const found = useQueries({
    queries: parts
      .filter((exampleIds) => exampleIds.length > 0)
      .map((exampleIds) => ({
        queryKey: [nameOf(namedRows), { exampleIds, experimentIds, versionId }],
        queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
          const first = exampleIds.length;
          const { node } = await askGraphql(
            namedRows,
            { id: datasetId, exampleIds: [...exampleIds], experimentIds: [...experimentIds], versionId, first },
            signal,
          );
          const nodes = node !== null && "examples" in node ? nodesOf(node.examples.edges) : [];
          return exampleIds.flatMap((id) => nodes.filter((each) => each.id === id));
        },
        meta: { shows: shownBy(namedRows) },
      })),
    combine: joined,
  });
  const { nodes, loading, error } = found;
  const rows = useMemo(
    () =>
      nodes.map((example) =>
        rowOf(example, readFragment(groupFields, example.experimentRepeatedRunGroups), experimentIds),
      ),
    [nodes, experimentIds],
  );
  const hasMore = ids !== undefined && chunks * AT_ONCE < ids.length;
  return {
    rows: ids === undefined || (loading && rows.length === 0) ? undefined : rows,
    error,
    refetch: found.refetch,
    loadMore: hasMore && !loading ? () => setWanted({ ids, chunks: chunks + 1 }) : undefined,
    loadingMore: loading && rows.length > 0,
  };
}

/** A constant, so that what has not changed is not joined again. */
function joined<Node>(found: readonly UseQueryResult<readonly Node[]>[]) {
  return {
    nodes: found.flatMap(({ data }) => data ?? []),
    loading: found.some(({ isPending }) => isPending),
    error: (found.find((each) => each.error !== null)?.error ?? null) as PageFailure | null,
    refetch() {
      for (const each of found) void each.refetch();
    },
  };
}

export interface MeasuredExamples {
  /** As far as they have come. */
  readonly examples: readonly MeasuredExample[];
  readonly complete: boolean;
  readonly error: PageFailure | null;
  readonly refetch: () => void;
}

/** The figures of every example of which a run matches, as many at a time as one answer may hold. */
export function useMeasured(experiments: readonly ComparedExperiment[], condition: string): MeasuredExamples {
  const { baseId, otherIds } = askedOf(experiments);
  const first = Math.min(EXAMPLES_AT_ONCE, Math.ceil(FIGURES_AT_ONCE / experiments.length));
  const { rows, error, loadMore, loadingMore, refetch } = useGraphqlPages(
    comparedFigures,
    { baseId, otherIds: [...otherIds], condition, first },
    (answer) => answer.compareExperiments,
    { live: "slowly", keepPrevious: true },
  );
  useEffect(() => loadMore?.(), [loadMore]);
  const examples = useMemo(() => rows?.map(measuredExample) ?? [], [rows]);
  return { examples, complete: rows !== undefined && loadMore === undefined && !loadingMore, error, refetch };
}
