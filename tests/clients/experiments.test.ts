// The official TypeScript client, unmodified, against the real service: experiments with their runs and evaluations, and going on
// with what is missing.
import { beforeAll, expect, test } from "bun:test";
import { createClient, type PhoenixClient } from "@arizeai/phoenix-client";
import { createDataset } from "@arizeai/phoenix-client/datasets";
import {
  asExperimentEvaluator,
  deleteExperiment,
  getExperiment,
  getExperimentInfo,
  listExperiments,
  resumeEvaluation,
  resumeExperiment,
  runExperiment,
} from "@arizeai/phoenix-client/experiments";
import { experimentProgram } from "../../src/web/pages/datasets/experiments/first-experiment.ts";
import { ROOT } from "../architecture/imports.ts";
import { forEachService } from "../support/services.ts";
import { until } from "../support/until.ts";

const silent = { info() {}, log() {}, error() {}, warn() {}, debug() {}, table() {} };

forEachService("experiments of phoenix-client", (service) => {
  let client: PhoenixClient;
  let dataset: { datasetId: string };
  const exact = asExperimentEvaluator({
    name: "exact",
    kind: "CODE",
    evaluate: async ({ output, expected }) => ({ score: output === expected?.a ? 1 : 0, label: "said" }),
  });
  beforeAll(async () => {
    client = createClient({ options: { baseUrl: service.running.url } });
    const examples = ["1", "2", "3"].map((q) => ({ input: { q }, output: { a: q } }));
    dataset = await createDataset({ client, name: "numbers", description: "counted", examples });
  });
  const common = () => ({
    client,
    logger: silent as never,
    setGlobalTracerProvider: false,
    useBatchSpanProcessor: false,
  });

  test("runExperiment with an evaluator: every run and evaluation is stored", async () => {
    const ran = await runExperiment({
      ...common(),
      experimentName: "copies",
      dataset,
      task: ({ input }) => String(input.q),
      evaluators: [exact],
      repetitions: 2,
    });
    const info = await getExperimentInfo({ client, experimentId: ran.id });
    expect(info).toMatchObject({ exampleCount: 3, successfulRunCount: 6, failedRunCount: 0, missingRunCount: 0 });
    const stored = await getExperiment({ client, experimentId: ran.id });
    expect(
      Object.values(stored.runs)
        .map(({ output }) => output)
        .sort(),
    ).toEqual(["1", "1", "2", "2", "3", "3"]);
    const exported = async () => {
      const answer = await fetch(`${service.running.url}/v1/experiments/${ran.id}/json`);
      return (await answer.json()) as { annotations: { name: string; score: number }[] }[];
    };
    // The client sends its evaluations without waiting for their answers.
    await until(async () => (await exported()).every(({ annotations }) => annotations.length > 0));
    expect((await exported()).map(({ annotations }) => annotations.map(({ name, score }) => [name, score]))).toEqual(
      Array.from({ length: 6 }, () => [["exact", 1]]),
    );
    expect((await listExperiments({ client, ...dataset })).map(({ id }) => id)).toContain(ran.id);
  });

  test("resumeExperiment and resumeEvaluation: what failed is made up for, once", async () => {
    let asked = 0;
    const failing = await runExperiment({
      ...common(),
      dataset,
      task: ({ input }) => {
        if (asked++ === 0) throw new Error("too slow");
        return String(input.q);
      },
    });
    const counts = async () => {
      const { successfulRunCount, failedRunCount, missingRunCount } = await getExperimentInfo({
        client,
        experimentId: failing.id,
      });
      return [successfulRunCount, failedRunCount, missingRunCount];
    };
    expect(await counts()).toEqual([2, 1, 0]);
    let again = 0;
    await resumeExperiment({
      ...common(),
      experimentId: failing.id,
      task: ({ input }) => {
        again++;
        return String(input.q);
      },
    });
    expect([again, await counts()]).toEqual([1, [3, 0, 0]]);
    let judged = 0;
    const counted = asExperimentEvaluator({
      name: "counted",
      kind: "CODE",
      evaluate: async () => ({ score: ++judged }),
    });
    await resumeEvaluation({ ...common(), experimentId: failing.id, evaluators: [counted] });
    await resumeEvaluation({ ...common(), experimentId: failing.id, evaluators: [counted] });
    expect(judged).toBe(3);
  });

  test("the program that a page shows for the first experiment runs as it stands", async () => {
    const { code } = experimentProgram("typescript", { base: service.running.url, datasetId: dataset.datasetId });
    const program = Bun.spawn([process.execPath, "-e", code], { cwd: ROOT, stdout: "ignore", stderr: "pipe" });
    expect([await program.exited, await new Response(program.stderr).text()]).toEqual([0, ""]);
    const listed = await fetch(`${service.running.url}/v1/datasets/${dataset.datasetId}/experiments?limit=1`);
    const { data } = (await listed.json()) as { data: readonly object[] };
    expect(data[0]).toMatchObject({ name: "first", successful_run_count: 3, missing_run_count: 0 });
  });

  test("deleteExperiment", async () => {
    const made = await runExperiment({ ...common(), dataset, task: () => "x" });
    await deleteExperiment({ client, experimentId: made.id, deleteProject: true });
    expect((await listExperiments({ client, ...dataset })).map(({ id }) => id)).not.toContain(made.id);
  });
});
