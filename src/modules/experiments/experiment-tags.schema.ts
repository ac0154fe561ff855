// Tags of experiments as services hand them around.
/** A name that points at one experiment of a dataset. */
export interface ExperimentTag {
  readonly id: number;
  readonly datasetId: number;
  readonly name: string;
  readonly experimentId: number;
  readonly description: string | null;
}

/** Points at the experiment that others are compared with. */
export const BASELINE = "baseline";
