// Spans by what they are found by besides their trace and start: their key alone, and the order of a value. Each database keeps them
// in its own way (docs/protocol/storage.md#keys-and-orders-of-spans); the answers are always exact in both.
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Order, PageStart } from "../kernel/list.ts";
import type { Tables } from "./tables.ts";

export type SpanValue = "latency" | "tokens" | "sumTokens";

/** The values, of `spans`. */
export const spanValues: Readonly<Record<SpanValue, RawBuilder<number>>> = {
  latency: sql<number>`spans.latency_us`,
  tokens: sql<number>`(coalesce(spans.prompt_tokens, 0) + coalesce(spans.completion_tokens, 0))`,
  sumTokens: sql<number>`(spans.sum_prompt + spans.sum_completion)`,
};

/** Whether only spans with a value above 0 are kept in the order: most have no tokens, and follow in the order of arrival. Spans that
 *  may be roots are all kept. */
export function isPositiveOnly({ value, mayBeRoot }: Pick<SpanRanking, "value" | "mayBeRoot">): boolean {
  return value !== "latency" && !mayBeRoot;
}

/** A place in an order. */
export interface RankedSpan {
  readonly id: number;
  readonly value: number;
}

export interface SpanRanking {
  readonly value: SpanValue;
  readonly projectId: number;
  /** Leaves out most spans that have a parent, never one that has none or whose parent is not stored. */
  readonly mayBeRoot: boolean;
  readonly direction: Order;
  readonly start: PageStart | null;
  readonly limit: number;
}

/** Spans of some parts of the ids (`partSpans`) whose latency lies in a band. */
export interface BandedSpans {
  readonly projectId: number;
  /** Microseconds, `high` excluded; null has no end. */
  readonly low: number;
  readonly high: number | null;
  /** Parts whose spans all count. */
  readonly inside: readonly number[];
  /** Parts whose spans count where `condition` is true of `spans`, and so do those of every part from `open` on. */
  readonly cut: readonly number[];
  readonly open: number;
  readonly condition: RawBuilder<unknown>;
}

export interface SpanOrders {
  /** Of so many consecutive ids the rows of an order lie together; a multiple of a block. */
  readonly partSpans: number;
  /** True of `spans` that have one of the keys, in any trace. Drives the query: each part of the ids is asked once. */
  hasKey(spanKeys: readonly string[]): RawBuilder<SqlBool>;
  /** The first `limit` spans from the start on in the order of value and row id: of one snapshot, and fewer only where no more
   *  follow. Those without a value above 0 are left out where the order has none (`isPositiveOnly`). */
  list(database: Kysely<Tables>, ranking: SpanRanking): Promise<RankedSpan[]>;
  /** A select of `latency_us`, a row a span, in no order. */
  latencies(band: BandedSpans): RawBuilder<unknown>;
  /** What of all this does not agree with `spans`: selects of one number, `count`, by what they count. */
  readonly faults: Readonly<Record<string, RawBuilder<unknown>>>;
}
