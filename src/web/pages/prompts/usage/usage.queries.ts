// What the page asks of the spans that name a version.
import { graphql, type ResultOf } from "../../../lib/graphql.ts";

export const versionUsage = graphql(`
  query PromptVersionUsage($id: ID!, $timeRange: TimeRange) {
    node(id: $id) {
      ... on PromptVersion {
        id spanCondition
        usage(timeRange: $timeRange) {
          project { id name }
          spanCount errorCount latencyMsP50 latencyMsP95 tokenCountPrompt tokenCountCompletion
          scores { name mean }
        }
      }
    }
  }
`);

export function usageOf(answer: ResultOf<typeof versionUsage>) {
  return answer.node !== null && "usage" in answer.node ? answer.node : null;
}
export type VersionUsage = NonNullable<ReturnType<typeof usageOf>>;
export type ProjectUsage = VersionUsage["usage"][number];
