// Experiments for tests of pages: a dataset, and runs with evaluations, as programs report them.
import { expect } from "bun:test";
import type { HttpClient } from "./http.ts";

interface SaidOfRun {
  readonly name: string;
  readonly score?: number;
  readonly label?: string;
  readonly explanation?: string;
}

export interface SeededRun {
  /** The place of its example in the dataset. */
  readonly example: number;
  readonly repetition?: number;
  readonly output: unknown;
  readonly error?: string;
  readonly latencyMs?: number;
  readonly traceId?: string;
  readonly said?: readonly SaidOfRun[];
}

interface SeededDataset {
  readonly id: string;
  readonly exampleIds: readonly string[];
}

async function sent<Answer>(answer: Awaited<ReturnType<HttpClient["post"]>>): Promise<Answer> {
  expect([answer.status, answer.status === 200 ? "" : answer.text]).toEqual([200, ""]);
  return (answer.json() as { data: Answer }).data;
}

export async function seedDataset(
  client: HttpClient,
  name: string,
  examples: readonly { readonly input: object; readonly output: object }[],
): Promise<SeededDataset> {
  const json = {
    name,
    action: "create",
    inputs: examples.map(({ input }) => input),
    outputs: examples.map(({ output }) => output),
  };
  const { dataset_id: id } = await sent<{ dataset_id: string }>(
    await client.post("/v1/datasets/upload?sync=true", { json }),
  );
  const answer = await client.get(`/v1/datasets/${id}/examples`);
  const { data } = answer.json() as { data: { examples: { id: string }[] } };
  return { id, exampleIds: data.examples.map((example) => example.id) };
}

/** Its id. */
export async function seedExperiment(
  client: HttpClient,
  dataset: SeededDataset,
  options: { readonly name: string; readonly repetitions?: number },
  runs: readonly SeededRun[],
): Promise<string> {
  const { id } = await sent<{ id: string }>(
    await client.post(`/v1/datasets/${dataset.id}/experiments`, { json: options }),
  );
  const startMs = Date.now() - 60_000;
  for (const { example, repetition = 1, output, error, latencyMs = 100, traceId, said = [] } of runs) {
    const times = {
      start_time: new Date(startMs).toISOString(),
      end_time: new Date(startMs + latencyMs).toISOString(),
    };
    const json = {
      dataset_example_id: dataset.exampleIds[example]!,
      repetition_number: repetition,
      output,
      error: error ?? null,
      trace_id: traceId ?? null,
      ...times,
    };
    const run = await sent<{ id: string }>(await client.post(`/v1/experiments/${id}/runs`, { json }));
    for (const { name, ...result } of said) {
      const evaluation = { experiment_run_id: run.id, name, annotator_kind: "CODE", ...times, result };
      await sent(await client.post("/v1/experiment_evaluations", { json: evaluation }));
    }
  }
  return id;
}
