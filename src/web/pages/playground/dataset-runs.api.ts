// Runs over datasets over REST.
import { type JsonObject, stringifyJson } from "../../../kernel/json.ts";
import { failureOfResponse, unreachable } from "../../lib/failure.ts";
import { fetchApi } from "../../lib/session.ts";
import type { DatasetRun, RunEstimate } from "./dataset-run.ts";

const ROOT = "v1/playground/dataset_runs";

export function estimateRun(body: JsonObject, signal: AbortSignal): Promise<RunEstimate> {
  return ask<RunEstimate>(`${ROOT}/estimate`, { body, signal });
}

export function startDatasetRun(body: JsonObject): Promise<DatasetRun> {
  return ask<DatasetRun>(ROOT, { body });
}

export function readDatasetRun(id: string, signal: AbortSignal): Promise<DatasetRun> {
  return ask<DatasetRun>(pathOf(id), { signal });
}

/** `pause` lets the running calls end. */
export function stopDatasetRun(id: string, mode: "pause" | "cancel"): Promise<DatasetRun> {
  return ask<DatasetRun>(`${pathOf(id)}/stop`, { body: { mode } });
}

export function resumeDatasetRun(id: string): Promise<DatasetRun> {
  return ask<DatasetRun>(`${pathOf(id)}/resume`, { body: {} });
}

const pathOf = (id: string) => `${ROOT}/${encodeURIComponent(id)}`;

interface Sent {
  /** Posts it; without it the request reads. */
  readonly body?: JsonObject;
  readonly signal?: AbortSignal;
}

async function ask<Data>(path: string, { body, signal }: Sent): Promise<Data> {
  const response = await fetchApi(path, {
    ...(body === undefined
      ? {}
      : { method: "POST", headers: { "content-type": "application/json" }, body: stringifyJson(body) }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    throw unreachable(error);
  });
  if (!response.ok) throw await failureOfResponse(response);
  const { data } = (await response.json()) as { readonly data: Data };
  return data;
}
