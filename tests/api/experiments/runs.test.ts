// Runs of experiments over REST: recorded, replaced, listed, and what is lacking, on both databases.

import { expect, test } from "bun:test";
import { globalId } from "../../../src/kernel/ids.ts";
import { openTestApi } from "../../support/api.ts";
import { datasetsOf } from "../../support/datasets.ts";
import { forEachDriver } from "../../support/drivers.ts";
import { openForSuite } from "../../support/suite.ts";

forEachDriver("runs of experiments", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  const { ask, uploaded, examples } = datasetsOf(() => api);
  let last = 0;
  const started = async (repetitions = 1) => {
    const { dataset_id } = await uploaded({
      name: `questions ${++last}`,
      inputs: [{ q: "2+2" }, { q: "3+3" }],
      example_ids: ["own", null],
    });
    const ids = (await examples(dataset_id)).map(({ node_id }) => node_id);
    const { data } = await ask(`POST /v1/datasets/${dataset_id}/experiments`, { repetitions });
    return { dataset_id, ids, id: data.id as string };
  };
  const body = (dataset_example_id: string, more: object = {}) => ({
    dataset_example_id,
    output: null,
    repetition_number: 1,
    start_time: "2026-01-02T03:05:00+00:00",
    end_time: "2026-01-02T03:05:01.500000",
    ...more,
  });
  const counts = async (id: string) => {
    const { data } = await ask(`GET /v1/experiments/${id}`);
    return [data.successful_run_count, data.failed_run_count, data.missing_run_count];
  };

  test("a failed run is replaced under its id, a successful one stays", async () => {
    const { id, ids } = await started();
    const post = (more: object) => ask(`POST /v1/experiments/${id}/runs`, body(ids[0]!, more));
    const failed = await post({ error: "", trace_id: "abc", id: "temp-1", experiment_id: "x" });
    expect(await counts(id)).toEqual([0, 1, 1]);
    const output = { a: [1, "\u0000", null] };
    const done = await post({ output });
    expect([done.status, done.data]).toEqual([200, failed.data]);
    expect(await post({ output: "late" })).toMatchObject({
      status: 409,
      text: `Experiment run ${done.data.id} already exists with a successful result and cannot be updated`,
    });
    expect((await post({ error: "late" })).status).toBe(409);
    expect(await counts(id)).toEqual([1, 0, 1]);
    expect(await ask(`GET /v1/experiments/${id}/runs`)).toMatchObject({
      data: [
        {
          id: done.data.id,
          experiment_id: id,
          dataset_example_id: ids[0],
          output,
          repetition_number: 1,
          start_time: "2026-01-02T03:05:00+00:00",
          end_time: "2026-01-02T03:05:01.500000+00:00",
          trace_id: null,
          error: null,
        },
      ],
      next_cursor: null,
    });
  });

  test("those that are sent together are each answered by itself", async () => {
    const { id, ids } = await started(20);
    const other = await started();
    const post = (experiment: string, more: object) =>
      ask(`POST /v1/experiments/${experiment}/runs`, body(ids[0]!, more));
    await post(id, { repetition_number: 1, error: "no" });
    await post(id, { repetition_number: 2 });
    const repetitions = Array.from({ length: 20 }, (_none, at) => at + 1);
    const answers = await Promise.all([
      ...repetitions.map((repetition_number) => post(id, { repetition_number, output: repetition_number })),
      post(id, { repetition_number: 9, output: "twice" }),
      post(id, { dataset_example_id: globalId("DatasetExample", 99_999) }),
      post(globalId("Experiment", 99_999), {}),
      post(other.id, { dataset_example_id: other.ids[1]! }),
    ]);
    const expected = [200, 409, ...repetitions.slice(2).map(() => 200), 409, 404, 404, 200];
    expect(answers.map(({ status }) => status)).toEqual(expected);
    const { data } = await ask(`GET /v1/experiments/${id}/runs`);
    const outputs = new Map(data.map((run: { id: string; output: unknown }) => [run.id, run.output]));
    const good = answers.slice(0, 20).flatMap((answer, at) => (at === 1 ? [] : [[answer.data.id, at + 1] as const]));
    expect(good.map(([run]) => outputs.get(run))).toEqual(good.map(([, output]) => output));
    expect(await counts(id)).toEqual([20, 0, 20]);
    expect(await counts(other.id)).toEqual([1, 0, 1]);
  });

  test("runs are listed newest first, in pages or all at once", async () => {
    const { id, ids } = await started(2);
    const made: string[] = [];
    for (const [example, repetition_number] of [
      [0, 1],
      [1, 1],
      [1, 2],
    ] as const) {
      made.push((await ask(`POST /v1/experiments/${id}/runs`, body(ids[example]!, { repetition_number }))).data.id);
    }
    const list = async (query: string) => {
      const { data, next_cursor } = await ask(`GET /v1/experiments/${id}/runs${query}`);
      return [data.map((run: { id: string }) => run.id), next_cursor];
    };
    expect(await list("")).toEqual([made.toReversed(), null]);
    expect(await list("?limit=2")).toEqual([[made[2], made[1]], made[0]]);
    expect(await list(`?limit=2&cursor=${made[0]}`)).toEqual([[made[0]], null]);
    expect(await ask(`GET /v1/experiments/${globalId("Experiment", 99_999)}/runs`)).toMatchObject({ data: [] });
    expect((await ask(`GET /v1/experiments/${id}/runs?cursor=x`)).status).toBe(422);
  });

  test("what is lacking: failed runs and those that never were, with the examples as they were noted", async () => {
    const { id, ids } = await started(2);
    await uploaded({ name: `questions ${last}`, action: "update", inputs: [{ q: "changed" }], example_ids: ["own"] });
    await ask(`POST /v1/experiments/${id}/runs`, body(ids[0]!));
    await ask(`POST /v1/experiments/${id}/runs`, body(ids[0]!, { repetition_number: 9 }));
    await ask(`POST /v1/experiments/${id}/runs`, body(ids[1]!, { error: "no" }));
    const lacking = (query = "") => ask(`GET /v1/experiments/${id}/incomplete-runs${query}`);
    const first = await lacking("?limit=1");
    expect(first.data).toEqual([
      {
        dataset_example: {
          id: ids[0],
          node_id: ids[0],
          input: { q: "2+2" },
          output: {},
          metadata: {},
          updated_at: expect.stringMatching(/\+00:00$/),
          source: null,
        },
        repetition_numbers: [2],
      },
    ]);
    expect(first.next_cursor).toBe(ids[1]!);
    // The cursor stays good when the rows before it are complete.
    await ask(`POST /v1/experiments/${id}/runs`, body(ids[0]!, { repetition_number: 2 }));
    const rest = await lacking(`?cursor=${first.next_cursor}`);
    expect(rest).toMatchObject({ data: [{ dataset_example: { id: ids[1] }, repetition_numbers: [1, 2] }] });
    expect((await lacking()).data).toEqual(rest.data);
    expect((await lacking(`?cursor=${id}`)).status).toBe(422);
    expect((await ask(`GET /v1/experiments/${globalId("Experiment", 99_999)}/incomplete-runs`)).status).toBe(404);
  });

  test("an invalid run is answered with an error", async () => {
    const { dataset_id, id, ids } = await started();
    const post = async (experiment: string, run: object) =>
      (await ask(`POST /v1/experiments/${experiment}/runs`, run)).status;
    expect(await post("nothing", body(ids[0]!))).toBe(422);
    expect(await post(dataset_id, body(ids[0]!))).toBe(404);
    expect(await post(globalId("Experiment", 99_999), body(ids[0]!))).toBe(404);
    expect(await post(id, body("own"))).toBe(422);
    expect(await post(id, body(dataset_id))).toBe(404);
    expect(await post(id, body(globalId("DatasetExample", 99_999)))).toBe(404);
    expect(await post(id, body(ids[0]!, { output: undefined }))).toBe(422);
    expect(await post(id, body(ids[0]!, { repetition_number: 0 }))).toBe(422);
  });
});
