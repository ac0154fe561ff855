// The address of a comparison.
import { linkTo } from "../../lib/links.ts";

/** By global ids; the first is what the second is compared with. */
export function linkToComparison(projectId: string, first: string, second: string): string {
  return `${linkTo("traceComparison", { projectId, traceId: first })}?${new URLSearchParams({ with: second })}`;
}
