// The tables of summaries of blocks of spans, as Kysely sees them.
import type { Generated } from "kysely";

interface SpanBlocksTable {
  block: number;
  unfiltered: number;
  start_low: number | null;
  start_high: number | null;
  /** `SUMMARY_VERSION` of the server that wrote the summaries. */
  summary_version: number;
}

interface SpanBlockMarksTable {
  id: Generated<number>;
  block: number;
  /** 1 where spans of the block have values that its filter does not know. */
  new_values: Generated<number>;
}

interface SpanBlockBitsTable {
  part: number;
  block: number;
  bits: Uint8Array;
}

interface SpanBlockCountsTable {
  block: number;
  project_id: number;
  facet: number;
  hour: number;
  value: string;
  amount: number;
}

interface SpanBlockCostsTable {
  block: number;
  dimension: number;
  project_id: number;
  hour: number;
  value: string | null;
  trace_id: number | null;
  cost: number | null;
  tokens: number | null;
  unknown: number | null;
  prompt_cost: number | null;
  completion_cost: number | null;
  prompt_tokens: number | null;
  completion_tokens: number | null;
}

declare module "../../storage/tables.ts" {
  interface Tables {
    span_blocks: SpanBlocksTable;
    span_block_marks: SpanBlockMarksTable;
    span_block_bits: SpanBlockBitsTable;
    span_block_counts: SpanBlockCountsTable;
    span_block_costs: SpanBlockCostsTable;
  }
}
