// The front address leads to the project that was open last here, or to all of them. A fresh server has one project without traces:
// there the first steps are shown.
import { Redirect } from "wouter";
import { Skeleton } from "../kit/States.tsx";
import { graphql } from "../lib/graphql.ts";
import { lastProjectPreference } from "../lib/last-project.ts";
import { linkTo, linkToProject } from "../lib/links.ts";
import { linkToOpening } from "../lib/project-tab.ts";
import { useGraphql } from "../lib/queries.ts";

const frontProjects = graphql(`
  query FrontProjects {
    projects(first: 2) { edges { node { id hasTraces } } }
  }
`);

export function HomePage() {
  const last = lastProjectPreference.get();
  const { data, error } = useGraphql(frontProjects, last === null ? {} : null);
  if (last !== null) return <Redirect replace to={linkToOpening(last)} />;
  if (data === undefined && error === null) return <Skeleton lines={6} />;
  const [only, ...others] = data?.projects.edges ?? [];
  const isFresh = only !== undefined && others.length === 0 && !only.node.hasTraces;
  return <Redirect replace to={isFresh ? linkToProject(only.node.id) : linkTo("projects")} />;
}
