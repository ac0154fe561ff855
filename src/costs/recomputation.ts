// How it stands with costs that are recomputed.

/** Words of column `cost_recomputations.status`. */
export const recomputationStatuses = ["RUNNING", "DONE", "CANCELLED", "FAILED"] as const;
export type RecomputationStatus = (typeof recomputationStatuses)[number];
