// The lists of a project's spans.
import { type ListSpec, orderWord } from "../../../../kernel/list.ts";
import { SPAN } from "../spans.schema.ts";

/** Sums over child spans. */
const sumSorts = ["cumulativeTokenCountTotal", "cumulativeTokenCountPrompt", "cumulativeTokenCountCompletion"] as const;
export type SumSort = (typeof sumSorts)[number];

/** By cost: of the span, and of its whole trace. Spans without one are left out. */
const costSorts = ["tokenCostTotal", "cumulativeTokenCostTotal"] as const;
export type CostSort = (typeof costSorts)[number];

/** What a list can be sorted by for people. */
export const shownSpanSorts = [
  "startTime",
  "endTime",
  "latencyMs",
  "tokenCountTotal",
  "tokenCountPrompt",
  "tokenCountCompletion",
  ...sumSorts,
  ...costSorts,
] as const;
const sorts = ["arrival", ...shownSpanSorts] as const;
/** `arrival` is the order of row ids. */
export type SpanSort = (typeof sorts)[number];

export const isSumSort = (sort: SpanSort): sort is SumSort => sumSorts.some((one) => one === sort);

export const isCostSort = (sort: SpanSort): sort is CostSort => costSorts.some((one) => one === sort);

export const spanList: ListSpec<SpanSort> = { type: SPAN, sorts, orderWord };
