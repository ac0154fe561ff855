// Facets of the list of sessions: with and without errors, how long, how many turns.
import type { FacetGroup } from "../../explorer/FacetSidebar.tsx";
import { bandFacet, durationBandLabel, failureFacet } from "../../explorer/facets.ts";
import { formatCount } from "../../lib/format.ts";
import { text } from "../../texts/texts.ts";
import type { SessionFacetAnswer } from "./sessions.queries.ts";

type Bands = readonly { readonly min: number; readonly max: number | null; readonly count: number }[];

/** Undefined while they are counted, null where there is no session in the range. */
export function sessionFacetGroups(facets: SessionFacetAnswer | null | undefined): readonly FacetGroup[] {
  const statuses =
    facets &&
    [
      {
        value: "error",
        label: text("explorer.facets.trace.error"),
        count: facets.errorCount,
        mark: <span style={{ background: "var(--error)" }} />,
      },
      {
        value: "ok",
        label: text("explorer.facets.trace.ok"),
        count: facets.count - facets.errorCount,
        mark: <span style={{ background: "var(--ok)" }} />,
      },
    ].filter(({ count }) => count > 0);
  const entries = (bands: Bands | undefined, labelOf: (low: number, high: number | null) => string) =>
    bands
      ?.filter(({ count }) => count > 0)
      .map(({ min, max, count }) => ({ value: `${min}-${max ?? ""}`, label: labelOf(min, max), count }));
  const none = facets === null ? [] : undefined;
  return [
    {
      key: "status",
      title: text("explorer.facets.status"),
      values: statuses ?? none,
      facet: failureFacet("num_traces_with_error"),
    },
    {
      key: "turns",
      title: text("sessions.facets.turns"),
      values: entries(facets?.turns, turnsLabel) ?? none,
      facet: bandFacet("num_traces"),
    },
    {
      key: "duration",
      title: text("sessions.facets.duration"),
      values: entries(facets?.durations, durationBandLabel) ?? none,
      facet: bandFacet("duration_ms"),
    },
  ];
}

/** Of whole numbers: below 2 is 1. */
function turnsLabel(low: number, high: number | null): string {
  if (high === null) return `≥ ${formatCount(low)}`;
  const first = Math.max(1, low);
  return first === high - 1 ? formatCount(first) : `${formatCount(first)} – ${formatCount(high - 1)}`;
}
