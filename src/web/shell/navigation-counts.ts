// The numbers beside the places of the navigation.
import { useEffect } from "react";
import { useLocation } from "wouter";
import { graphql } from "../lib/graphql.ts";
import { useGraphql } from "../lib/queries.ts";

const navigationCounts = graphql(`
  query NavigationCounts { projectCount datasetCount promptCount }
`);

/** Undefined until they have come. They are asked for again after changes, and where the first part of the address changes. */
export function useNavigationCounts() {
  const [path] = useLocation();
  const { data, refetch } = useGraphql(navigationCounts, {}, { live: "slowly" });
  const place = path.split("/")[1];
  useEffect(() => {
    if (place !== undefined) void refetch({ cancelRefetch: false });
  }, [place, refetch]);
  return data;
}
