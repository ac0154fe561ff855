// The names of models in recent spans of all projects: what a pattern is found in before it is saved, and what has no price.
import { useMemo } from "react";
import { graphql } from "../../../lib/graphql.ts";
import { useGraphql } from "../../../lib/queries.ts";
import { LiveRange } from "../../../lib/time-range.ts";
import { namesOf, type UsedName } from "./used-names.ts";

const usedModels = graphql(`
  query UsedModels($first: Int!, $timeRange: TimeRange!) {
    projects(first: $first) {
      edges {
        node {
          id
          costGroups(by: MODEL, timeRange: $timeRange, first: 100) { groups { value tokens unknownCount } }
        }
      }
    }
  }
`);

const MOST_PROJECTS = 100;
const lately = new LiveRange({ preset: "30d" });

/** Of the last 30 days, those with most tokens first; undefined until they are known. */
export function useUsedNames(): readonly UsedName[] | undefined {
  const { data } = useGraphql(usedModels, { first: MOST_PROJECTS, timeRange: lately });
  return useMemo(() => data && namesOf(data.projects.edges.flatMap(({ node }) => node.costGroups.groups)), [data]);
}
