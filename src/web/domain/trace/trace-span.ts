// A span as the tree and the waterfall see it: its row without payload.
import type { SpanKind, SpanStatus } from "../../../model/span.ts";

export type { SpanKind, SpanStatus };

/** Instants are microseconds UTC. */
export interface TraceSpan {
  /** Global id, which addresses and requests name. */
  readonly id: string;
  /** Id of the exporter, unique in the trace. */
  readonly spanKey: string;
  /** Null only for a span sent without a parent. */
  readonly parentKey: string | null;
  readonly name: string;
  /** What it is called where it stands for itself: the message of a name that is a template. */
  readonly shownName: string;
  readonly kind: SpanKind;
  readonly status: SpanStatus;
  /** The beginning of its status message when it failed. */
  readonly error: string | null;
  readonly startUs: number;
  readonly endUs: number;
  readonly model: string | null;
  /** Its own; null where none were counted. */
  readonly tokens: number | null;
  /** Its own, US dollars; null where no price is known. */
  readonly cost: number | null;
  /** A child recorded the same call of a model: sums count it there. */
  readonly isCountedInChild: boolean;
  /** It recorded an input or an output. */
  readonly hasContent: boolean;
}
