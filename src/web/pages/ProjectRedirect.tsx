// The address of a project itself, under which other programs know it: it opens where projects open.
import { Redirect, useParams, useSearch } from "wouter";
import { linkToView } from "../domain/views/views.ts";
import { projectHead, projectOf } from "../explorer/explorer.queries.ts";
import { Skeleton } from "../kit/States.tsx";
import { linkTo, pathParameter } from "../lib/links.ts";
import { chosenTab } from "../lib/project-tab.ts";
import { useGraphql } from "../lib/queries.ts";

export function ProjectRedirect() {
  const { projectId: given = "" } = useParams<{ projectId: string }>();
  const search = useSearch();
  const projectId = pathParameter(given);
  const tab = chosenTab(projectId);
  // An address that asks for something itself is not answered with a view.
  const mayStart = tab === null && search === "";
  const { data, error } = useGraphql(projectHead, mayStart ? { id: projectId } : null);
  if (mayStart && data === undefined && error === null) return <Skeleton lines={6} />;
  const view = projectOf(data)?.startView;
  const to = view ? linkToView(projectId, view) : linkTo(tab ?? "traces", { projectId });
  return <Redirect replace to={to + (search === "" ? "" : `?${search}`)} />;
}
