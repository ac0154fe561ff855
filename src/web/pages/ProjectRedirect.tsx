// The address of a project itself, under which other programs know it: it opens where projects open.
import { Redirect, useParams, useSearch } from "wouter";
import { pathParameter } from "../lib/links.ts";
import { linkToOpening } from "../lib/project-tab.ts";

export function ProjectRedirect() {
  const { projectId = "" } = useParams<{ projectId: string }>();
  const search = useSearch();
  return <Redirect replace to={linkToOpening(pathParameter(projectId)) + (search === "" ? "" : `?${search}`)} />;
}
