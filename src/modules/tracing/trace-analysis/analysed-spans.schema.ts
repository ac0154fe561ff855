// A span as the analysis of its trace takes it.
import type { SpanKind, SpanStatus } from "../../../model/span.ts";

export interface AnalysedSpan {
  readonly id: number;
  readonly traceId: number;
  readonly spanKey: string;
  readonly parentKey: string | null;
  readonly name: string;
  readonly kind: SpanKind;
  readonly status: SpanStatus;
  readonly statusMessage: string;
  /** Microseconds UTC. */
  readonly startUs: number;
  readonly endUs: number;
  readonly model: string | null;
  /** Its own; null where none were counted, and where a child counts them. */
  readonly tokens: number | null;
  /** The same in 10^-12 USD. */
  readonly cost: number | null;
}
