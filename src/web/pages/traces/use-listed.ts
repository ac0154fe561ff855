// What stands beside the rows of the lists of traces and of spans: figures, bars over time and facets, of a search over those that
// were found so far.
import type { CountedBin } from "../../explorer/bins.ts";
import { countText, isAll } from "../../explorer/counted.ts";
import { costStat, errorStat, type Stat } from "../../explorer/StatsBar.tsx";
import type { ListPageState } from "../../explorer/use-list-page.tsx";
import { formatCompact, formatDuration } from "../../lib/format.ts";
import type { Document, VariablesOf } from "../../lib/graphql.ts";
import { useGraphql } from "../../lib/queries.ts";
import { text } from "../../texts/texts.ts";
import type { tracesFacets, tracesListed } from "./lists.queries.ts";

interface Figures {
  readonly count: number;
  readonly errorCount: number;
  readonly latencyMsP50: number | null;
  readonly latencyMsP99: number | null;
  readonly tokenCountTotal: number;
}

interface Counted {
  readonly progress: { readonly complete: boolean } | null;
  readonly figures: Figures;
  readonly series: readonly CountedBin[] | null;
}

type Answer<Listed> = { readonly node: { readonly __typename: string; readonly listed?: Listed } };

interface Documents<Listed, Found> {
  readonly listed: Document<Answer<Listed>, VariablesOf<typeof tracesListed>>;
  readonly facets: Document<Answer<Found>, VariablesOf<typeof tracesFacets>>;
}

export function useListed<Listed extends Counted, Found>(
  of: "traces" | "spans",
  { listing, strip, live, slowly }: ListPageState,
  documents: Documents<Listed, Found>,
) {
  const beside = useGraphql(documents.listed, { ...listing, period: strip.period, bins: strip.config }, live);
  const facets = useGraphql(documents.facets, listing, slowly);
  const listed = beside.data?.node.listed;
  return {
    listed,
    facets: facets.data?.node.listed,
    facetsProblem: facets.error?.message ?? null,
    /** For `Explorer`. */
    explorer: {
      counted: listed?.progress,
      total: listed?.figures.count,
      counting: beside.isPlaceholderData || facets.isPlaceholderData,
      strip: { counted: of, bins: listed?.series, problem: beside.error?.message ?? null, of: strip },
    },
  };
}

interface StatActions {
  readonly onErrors: () => void;
  readonly onSlow: () => void;
  readonly onDear: () => void;
}

/** The figures above the list. */
export function statsOf(
  of: "traces" | "spans",
  counted: Pick<Counted, "progress" | "figures"> | undefined,
  spent: { readonly cost: number | null } | undefined,
  { onErrors, onSlow, onDear }: StatActions,
): readonly Stat[] {
  const figures = counted?.figures;
  return [
    { label: text(`explorer.stat.${of}`), value: figures && countText(figures.count, isAll(counted?.progress)) },
    errorStat(figures, text("explorer.stat.errors"), text("explorer.stat.errors.hint"), onErrors),
    { label: text("explorer.stat.p50"), value: figures && formatDuration(figures.latencyMsP50) },
    {
      label: text("explorer.stat.p99"),
      value: figures && formatDuration(figures.latencyMsP99),
      hint: text("explorer.stat.p99.hint"),
      onClick: onSlow,
    },
    { label: text("explorer.stat.tokens"), value: figures && formatCompact(figures.tokenCountTotal) },
    costStat(spent, text(`costs.stat.${of}.hint`), onDear),
  ];
}
