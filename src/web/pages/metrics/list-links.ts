// From a figure to the rows behind it, in the same range.
import { useMemo } from "react";
import { linkTo } from "../../lib/links.ts";
import { rangeParameters, type TimeRange } from "../../lib/time-range.ts";

interface Wanted {
  readonly filter?: string;
  readonly sort?: string;
}

export type ListLink = (list: "traces" | "spans" | "sessions", wanted: Wanted) => string;

function listLink(projectId: string, range: TimeRange): ListLink {
  return (list, wanted) => {
    const given = Object.entries({ ...rangeParameters(range), ...wanted });
    const parameters = new URLSearchParams(given.filter((each): each is [string, string] => each[1] !== null));
    const search = parameters.toString();
    return linkTo(list, { projectId }) + (search === "" ? "" : `?${search}`);
  };
}

export function useListLink(projectId: string, range: TimeRange): ListLink {
  return useMemo(() => listLink(projectId, range), [projectId, range]);
}
