// What evaluators say of runs over REST, on both databases.

import { beforeAll, expect, test } from "bun:test";
import { globalId } from "../../../src/kernel/ids.ts";
import { openTestApi } from "../../support/api.ts";
import { datasetsOf } from "../../support/datasets.ts";
import { forEachDriver } from "../../support/drivers.ts";
import { openForSuite } from "../../support/suite.ts";

const times = { start_time: "2026-01-02T03:05:02Z", end_time: "2026-01-02T03:05:03" };

forEachDriver("evaluations of runs", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  let run = "";
  const { ask, uploaded, examples } = datasetsOf(() => api);
  beforeAll(async () => {
    const { dataset_id } = await uploaded({ name: "questions", inputs: [{ q: "2+2" }] });
    const [example] = await examples(dataset_id);
    const { data } = await ask(`POST /v1/datasets/${dataset_id}/experiments`, {});
    const body = { dataset_example_id: example!.node_id, output: 4, repetition_number: 1, ...times };
    run = (await ask(`POST /v1/experiments/${data.id}/runs`, body)).data.id;
  });
  const evaluate = (more: object) =>
    ask("POST /v1/experiment_evaluations", {
      experiment_run_id: run,
      name: "exact",
      annotator_kind: "CODE",
      ...times,
      ...more,
    });
  const stored = () =>
    api.stored.storage.handle.read(api.context(), "short").selectFrom("experiment_evaluations").selectAll().execute();

  test("a new evaluation of a name replaces everything of the earlier one, under its id", async () => {
    const first = await evaluate({
      result: { label: "good", score: "0.5", metadata: { a: 0, b: 2 } },
      metadata: { a: 1 },
    });
    expect(first.status).toBe(200);
    const [row] = await stored();
    expect(row).toMatchObject({ label: "good", score: 0.5, metadata: '{"a":1,"b":2}', error: null });
    expect((await evaluate({ result: { metadata: 1 }, error: "broken", annotator_kind: "LLM" })).data).toEqual(
      first.data,
    );
    expect(await stored()).toEqual([
      { ...row!, label: null, score: null, metadata: "{}", error: "broken", annotator_kind: "LLM" },
    ]);
    expect(row!.end_us - row!.start_us).toBe(1_000_000);
  });

  test("several at once under a new name make one", async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => evaluate({ name: "", result: { score: 1 } })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
  });

  test("those that are sent together are each answered by itself, and the last one of a name stays", async () => {
    const unknown = globalId("ExperimentRun", 99_999);
    const names = ["a", "b", "a", "c"];
    const answers = await Promise.all([
      ...names.map((name, at) => evaluate({ name, result: { score: at } })),
      evaluate({ experiment_run_id: unknown, result: { score: 1 } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 404]);
    expect(answers[4]!.text).toContain(unknown);
    expect(answers[0]!.data).toEqual(answers[2]!.data);
    const scores = (await stored()).flatMap(({ name, score }) => (names.includes(name) ? [[name, score]] : []));
    expect(scores.sort()).toEqual([
      ["a", 2],
      ["b", 1],
      ["c", 3],
    ]);
  });

  test("an invalid request is answered with an error", async () => {
    const { status, text } = await evaluate({ result: null });
    expect([status, JSON.parse(text).detail[0].type]).toEqual([422, "value_error"]);
    const result = {};
    expect((await evaluate({ result, annotator_kind: "code" })).status).toBe(422);
    expect((await evaluate({ result, name: "x".repeat(10_000) })).status).toBe(422);
    expect((await evaluate({ result, experiment_run_id: "nothing" })).status).toBe(422);
    expect((await evaluate({ result, experiment_run_id: globalId("Experiment", 1) })).status).toBe(404);
    expect((await evaluate({ result, experiment_run_id: globalId("ExperimentRun", 99_999) })).status).toBe(404);
  });
});
