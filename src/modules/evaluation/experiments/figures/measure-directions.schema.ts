// What experiments are compared by beside the scores of evaluations, and which values of it are the better ones.
import type { BetterDirection } from "../../../../model/annotation.ts";

export const plainMeasures = ["LATENCY", "TOKENS", "COST", "ERRORS"] as const;
/** `ERRORS` is the share of the runs that failed. */
export type PlainMeasure = (typeof plainMeasures)[number];

export type DirectedMeasure = { readonly measure: PlainMeasure } | { readonly evaluation: string };

/** The default direction. */
export const PLAIN_DIRECTION: BetterDirection = "MINIMIZE";
export const SCORE_DIRECTION: BetterDirection = "MAXIMIZE";
