// Facets of the lists of traces and of spans: how many of what is listed have a value.

import { kindOf } from "../../domain/trace/kind-of.ts";
import { kindLooks } from "../../domain/trace/kinds.ts";
import { isAll } from "../../explorer/counted.ts";
import type { FacetEntry, FacetGroup } from "../../explorer/FacetSidebar.tsx";
import { countsOfBands, durationBandLabel, latencyFacet, traceStatusFacet } from "../../explorer/facets.ts";
import { type LabelKey, text } from "../../texts/texts.ts";
import { spanFacets, traceFacets } from "./facet-conditions.ts";
import type { ListedTraces, SpansFacets, TracesFacets } from "./lists.queries.ts";

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
  atLeast: boolean,
): FacetGroup {
  return { key, title: text(title), values, facet, atLeast };
}

export function spanFacetGroups(answer: SpansFacets | undefined): readonly FacetGroup[] {
  const facets = answer?.facets;
  const atLeast = !isAll(answer?.progress);
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
    group("status", "explorer.facets.status", statuses, spanFacets.status, atLeast),
    group("kind", "explorer.facets.kind", kinds(facets?.kinds), spanFacets.kind, atLeast),
    group("model", "explorer.facets.model", plain(facets?.models), spanFacets.model, atLeast),
    group("latency", "explorer.facets.latency", bands, latencyFacet, atLeast),
    group("name", "explorer.facets.name", plain(facets?.names), spanFacets.name, atLeast),
    group("user", "explorer.facets.user", plain(facets?.users), spanFacets.user, atLeast),
  ];
}

/** What the values were counted in, where it is not all that is listed. */
export function traceFacetsNote(answer: TracesFacets | undefined): string | null {
  if (answer === undefined) return null;
  if (!isAll(answer.progress)) return text("explorer.facets.sofar");
  const { complete, countedTraces } = answer.facets;
  return complete ? null : text("explorer.facets.newest", { count: countedTraces });
}

export function spanFacetsNote(answer: SpansFacets | undefined): string | null {
  return isAll(answer?.progress) ? null : text("explorer.facets.sofar");
}

/** Of traces the status is counted with the figures; kinds and names are those of their spans. */
export function traceFacetGroups(
  answer: TracesFacets | undefined,
  listed: Pick<ListedTraces, "progress" | "figures"> | undefined,
): readonly FacetGroup[] {
  const facets = answer?.facets;
  const atLeast = !isAll(answer?.progress) || facets?.complete === false;
  const traces = listed?.figures;
  const statuses =
    traces &&
    [
      {
        value: "error",
        label: text("explorer.facets.trace.error"),
        count: traces.errorCount,
        mark: hue("var(--error)"),
      },
      {
        value: "ok",
        label: text("explorer.facets.trace.ok"),
        count: traces.count - traces.errorCount,
        mark: hue("var(--ok)"),
      },
    ].filter(({ count }) => count > 0);
  return [
    group("status", "explorer.facets.status", statuses, traceStatusFacet, !isAll(listed?.progress)),
    group("kind", "explorer.facets.span.kind", kinds(facets?.kinds), traceFacets.kind, atLeast),
    group("name", "explorer.facets.span.name", plain(facets?.names), traceFacets.name, atLeast),
    group("user", "explorer.facets.user", plain(facets?.users), traceFacets.user, atLeast),
  ];
}
