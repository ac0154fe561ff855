// The part of `spanlight demo` that is no trace: verdicts, a dataset with an experiment, and a prompt.
import {
  EXAMPLE_DATASET,
  EXAMPLE_PROMPT,
  exampleAnnotations,
  exampleExperiment,
  exampleOutcome,
  examplePrompt,
  exampleUpload,
} from "../demo-data/example-evaluation.ts";

/** Asks the service; an answer of failure is returned, too. */
type Ask = (method: string, path: string, body?: unknown) => Promise<Response>;
type Require = (answer: Response) => Promise<void>;

interface Data<Value> {
  readonly data: Value;
}
interface Named {
  readonly id: string;
}

/** Sends what is missing: a dataset or a prompt that is there already stays as it is. */
export async function sendEvaluation(ask: Ask, requireSuccess: Require): Promise<void> {
  const send = async <Value>(path: string, body: unknown): Promise<Value> => {
    const answer = await ask("POST", path, body);
    await requireSuccess(answer);
    return (answer.status === 204 ? null : ((await answer.json()) as Data<Value>).data) as Value;
  };
  for (const [path, data] of Object.entries(exampleAnnotations)) await send(`${path}?sync=true`, { data });
  if ((await findDatasets(ask, requireSuccess)).length === 0) {
    const { dataset_id: id } = await send<{ dataset_id: string }>("/v1/datasets/upload?sync=true", exampleUpload);
    await sendExperiment(id);
  }
  const prompt = await ask("POST", "/v1/prompts", examplePrompt);
  if (prompt.status === 409) return;
  await requireSuccess(prompt);
  const version = ((await prompt.json()) as Data<Named>).data;
  await send(`/v1/prompt_versions/${version.id}/tags`, { name: "production", description: "What customers get" });

  async function sendExperiment(dataset: string): Promise<void> {
    const found = await ask("GET", `/v1/datasets/${dataset}/examples`);
    await requireSuccess(found);
    const { examples } = ((await found.json()) as Data<{ examples: { node_id: string }[] }>).data;
    const experiment = await send<Named>(`/v1/datasets/${dataset}/experiments`, exampleExperiment);
    const now = new Date().toISOString();
    const times = { start_time: now, end_time: now };
    for (const [at, example] of examples.entries()) {
      const { output, score } = exampleOutcome(at);
      const body = { dataset_example_id: example.node_id, output, repetition_number: 1, ...times };
      const run = await send<Named>(`/v1/experiments/${experiment.id}/runs`, body);
      const evaluation = {
        experiment_run_id: run.id,
        name: "exact",
        annotator_kind: "CODE",
        result: { score },
        ...times,
      };
      await send("/v1/experiment_evaluations", evaluation);
    }
  }
}

/** Deletes what `sendEvaluation` made, as far as it is there. */
export async function removeEvaluation(ask: Ask, requireSuccess: Require): Promise<void> {
  const remove = async (path: string) => {
    const answer = await ask("DELETE", path);
    if (answer.status !== 404) await requireSuccess(answer);
  };
  for (const dataset of await findDatasets(ask, requireSuccess)) {
    const found = await ask("GET", `/v1/datasets/${dataset.id}/experiments`);
    await requireSuccess(found);
    for (const { id } of ((await found.json()) as Data<Named[]>).data)
      await remove(`/v1/experiments/${id}?delete_project=true`);
    await remove(`/v1/datasets/${dataset.id}`);
  }
  await remove(`/v1/prompts/${EXAMPLE_PROMPT}`);
}

async function findDatasets(ask: Ask, requireSuccess: Require): Promise<readonly Named[]> {
  const found = await ask("GET", `/v1/datasets?name=${EXAMPLE_DATASET}`);
  await requireSuccess(found);
  return ((await found.json()) as Data<Named[]>).data;
}
