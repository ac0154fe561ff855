// A project that was seen without traces keeps its first steps on the page until the reader goes on, also when the first trace has
// come meanwhile: it is shown there.
import { createContext, useCallback, useState } from "react";

interface SeenProject {
  readonly id: string;
  readonly hasTraces: boolean;
}

/** Called by what the first steps show, when the reader goes on to the list. */
export const EndOnboarding = createContext<() => void>(() => {});

/** Whether the first steps are shown, and what ends them. */
export function useNewcomer(project: SeenProject | undefined): { readonly isNew: boolean; readonly end: () => void } {
  const [seen, setSeen] = useState<string | null>(null);
  if (project?.hasTraces === false && seen !== project.id) setSeen(project.id);
  const end = useCallback(() => setSeen(null), []);
  return { isNew: project !== undefined && (project.hasTraces === false || seen === project.id), end };
}
