// Facets of the lists of traces and of spans, from one count of the spans in the range.

import { kindOf } from "../../domain/trace/kind-of.ts";
import { kindLooks } from "../../domain/trace/kinds.ts";
import type { FacetAnswer } from "../../explorer/explorer.queries.ts";
import type { FacetEntry, FacetGroup } from "../../explorer/FacetSidebar.tsx";
import { countsOfBands, durationBandLabel, latencyFacet, traceStatusFacet } from "../../explorer/facets.ts";
import { type LabelKey, text } from "../../texts/texts.ts";
import { spanFacets, traceFacets } from "./facet-conditions.ts";

type Counted = readonly { readonly value: string; readonly count: number }[];

const statusHues: Readonly<Record<string, string>> = { ERROR: "var(--error)", OK: "var(--ok)", UNSET: "var(--unset)" };
const statusLabels: Readonly<Record<string, LabelKey>> = {
  ERROR: "trace.status.error",
  OK: "trace.status.ok",
  UNSET: "trace.status.unset",
};

const hue = (color: string | undefined) => <span style={{ background: color ?? "var(--edge-strong)" }} />;

const plain = (values: Counted | undefined): readonly FacetEntry[] | undefined =>
  values?.map(({ value, count }) => ({ value, label: value, count }));

const kinds = (values: Counted | undefined): readonly FacetEntry[] | undefined =>
  values?.map(({ value, count }) => {
    const look = kindLooks[kindOf(value)];
    return { value, label: text(look.label), count, mark: hue(look.hue) };
  });

function group(
  key: string,
  title: LabelKey,
  values: readonly FacetEntry[] | undefined,
  facet: FacetGroup["facet"],
): FacetGroup {
  return { key, title: text(title), values, facet };
}

export function spanFacetGroups(facets: FacetAnswer | undefined): readonly FacetGroup[] {
  const statuses = facets?.statuses.map(({ value, count }) => ({
    value,
    label: text(statusLabels[value] ?? "trace.status.unset"),
    count,
    mark: hue(statusHues[value]),
  }));
  const bands =
    facets &&
    countsOfBands(facets.latencies)
      .filter(({ count }) => count > 0)
      .map(({ value, lowMs, highMs, count }) => ({ value, label: durationBandLabel(lowMs, highMs), count }));
  return [
    group("status", "explorer.facets.status", statuses, spanFacets.status),
    group("kind", "explorer.facets.kind", kinds(facets?.kinds), spanFacets.kind),
    group("model", "explorer.facets.model", plain(facets?.models), spanFacets.model),
    group("latency", "explorer.facets.latency", bands, latencyFacet),
    group("name", "explorer.facets.name", plain(facets?.names), spanFacets.name),
    group("user", "explorer.facets.user", plain(facets?.users), spanFacets.user),
  ];
}

interface TraceCounts {
  readonly count: number;
  readonly errorCount: number;
}

/** Of traces the status is counted; kinds and names are those of their spans. */
export function traceFacetGroups(
  facets: FacetAnswer | undefined,
  traces: TraceCounts | undefined,
): readonly FacetGroup[] {
  const statuses = traces && [
    { value: "error", label: text("explorer.facets.trace.error"), count: traces.errorCount, mark: hue("var(--error)") },
    {
      value: "ok",
      label: text("explorer.facets.trace.ok"),
      count: traces.count - traces.errorCount,
      mark: hue("var(--ok)"),
    },
  ];
  return [
    group("status", "explorer.facets.status", statuses, traceStatusFacet),
    group("kind", "explorer.facets.span.kind", kinds(facets?.kinds), traceFacets.kind),
    group("name", "explorer.facets.span.name", plain(facets?.names), traceFacets.name),
    group("user", "explorer.facets.user", plain(facets?.users), traceFacets.user),
  ];
}
