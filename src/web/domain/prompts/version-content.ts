// What a version of a prompt says, as REST gives it: the very JSON that was stored, with every digit. It never changes, so it is asked
// for once.
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { parseStoredJson } from "../../../kernel/json.ts";
import { failureOfResponse, type PageFailure, unreachable } from "../../lib/failure.ts";
import { fetchApi } from "../../lib/session.ts";
import type { PromptVersionContent } from "./version-parts.ts";

/** No change touches a version. */
const UNTOUCHED: ReadonlySet<string> = new Set();

export function useVersionContent(versionId: string): UseQueryResult<PromptVersionContent, PageFailure> {
  return useQuery<PromptVersionContent, PageFailure>({
    queryKey: ["PromptVersionContent", versionId],
    queryFn: ({ signal }) => fetchVersion(versionId, signal),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { shows: UNTOUCHED },
  });
}

/** Throws a PageFailure. */
export async function fetchVersion(versionId: string, signal?: AbortSignal): Promise<PromptVersionContent> {
  const response = await fetchApi(
    `v1/prompt_versions/${encodeURIComponent(versionId)}`,
    signal === undefined ? {} : { signal },
  ).catch((error: unknown) => {
    throw unreachable(error);
  });
  if (!response.ok) throw await failureOfResponse(response);
  return parseStoredJson<{ readonly data: PromptVersionContent }>(await response.text()).data;
}
