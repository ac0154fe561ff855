// The saved views of a project that the person sees.
import { useGraphql } from "../../lib/queries.ts";
import { projectViews, type SavedView } from "./views.queries.ts";

/** Undefined while they are asked for, or without a project. */
export function useViews(projectId: string | null): readonly SavedView[] | undefined {
  const { data } = useGraphql(projectViews, projectId === null ? null : { id: projectId });
  return data?.node.__typename === "Project" ? data.node.savedViews : undefined;
}
