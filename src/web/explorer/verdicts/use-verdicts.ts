// Loads the annotations of the rows of a list after the list itself: they must not delay it.
import { readFragment } from "../../lib/graphql.ts";
import { useGraphql } from "../../lib/queries.ts";
import type { LiveRange } from "../../lib/time-range.ts";
import { projectOf } from "../explorer.queries.ts";
import type { VerdictList } from "./verdict-facets.ts";
import {
  sessionVerdicts,
  spanVerdicts,
  traceVerdicts,
  type VerdictFigures,
  verdictFigures,
} from "./verdicts.queries.ts";

/** What is listed. */
export interface Listing {
  readonly id: string;
  readonly timeRange: LiveRange;
  readonly condition: string;
  /** The text that is searched for; empty without a search, or where the condition holds it. */
  readonly text: string;
}

/** The annotations of one name on the rows, or on the root spans of the rows. */
export interface ListedVerdict extends VerdictFigures {
  readonly of: VerdictList;
}

/** By name, those that most rows carry first; undefined until they are counted. */
export function useVerdicts(
  list: VerdictList,
  listing: Listing,
  isListed: boolean,
): readonly ListedVerdict[] | undefined {
  const options = { live: listing.text === "" && "slowly", keepPrevious: true } as const;
  const spans = useGraphql(spanVerdicts, listing, { ...options, enabled: isListed && list === "spans" });
  const traces = useGraphql(traceVerdicts, listing, { ...options, enabled: isListed && list === "traces" });
  const sessions = useGraphql(sessionVerdicts, listing, { ...options, enabled: isListed && list === "sessions" });
  const listedTraces = projectOf(traces.data)?.listedTraces;
  const found = {
    spans: projectOf(spans.data)?.listedSpans.annotations,
    traces: listedTraces?.annotations,
    roots: listedTraces?.rootSpanAnnotations,
    sessions: projectOf(sessions.data)?.listedSessionAnnotations,
  };
  const figuresOf = (of: VerdictList) => readFragment(verdictFigures, found[of] ?? []).map((one) => ({ ...one, of }));
  if (found[list] === undefined) return undefined;
  if (list !== "traces") return figuresOf(list);
  return [...figuresOf("traces"), ...figuresOf("roots")].sort((one, other) => other.count - one.count);
}
