// The address of a comparison; clients print the same one.
import { linkTo } from "../../../lib/links.ts";
import { queryText } from "../../../lib/rest.ts";
import { EXPERIMENT_ID } from "../comparison/use-comparison.ts";

/** The first of them is the base. */
export function linkToComparison(datasetId: string, experimentIds: readonly string[]): string {
  return linkTo("comparison", { datasetId }) + queryText({ [EXPERIMENT_ID]: experimentIds });
}
