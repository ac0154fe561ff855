// What experiments are sent that is wrong, or comes at the wrong time, on both databases.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { openTestApi, type TestApi } from "../../support/api.ts";
import { datasetsOf } from "../../support/datasets.ts";
import { forEachDriver } from "../../support/drivers.ts";

const times = { start_time: "2026-01-02T03:05:02Z", end_time: "2026-01-02T03:05:03Z" };

forEachDriver("bad input of experiments", (driver) => {
  let api: TestApi;
  beforeAll(async () => {
    // JSON of other routes stays at 1 MiB.
    api = await openTestApi(await driver.createDatabase(), { settings: { bodyLimit: 32 * 1024 * 1024 } });
  });
  afterAll(() => api.close());
  const { ask, uploaded, examples } = datasetsOf(() => api);
  let last = 0;
  const started = async (more: object = {}) => {
    const { dataset_id } = await uploaded({ name: `asked ${++last}`, inputs: [{ q: "2+2" }, { q: "3+3" }] });
    const ids = (await examples(dataset_id)).map(({ node_id }) => node_id);
    const { data } = await ask(`POST /v1/datasets/${dataset_id}/experiments`, more);
    return { dataset_id, ids, id: data.id as string };
  };
  const putRun = (id: string, example: string, more: object = {}) =>
    ask(`POST /v1/experiments/${id}/runs`, {
      dataset_example_id: example,
      output: 1,
      repetition_number: 1,
      ...times,
      ...more,
    });
  const evaluate = (run: string, more: object = {}) =>
    ask("POST /v1/experiment_evaluations", {
      experiment_run_id: run,
      name: "exact",
      annotator_kind: "CODE",
      result: { score: 1 },
      ...times,
      ...more,
    });
  const evaluations = async (id: string) => {
    const text = (await ask(`GET /v1/experiments/${id}/json`)).text;
    return (JSON.parse(text) as { annotations: { name: string }[] }[]).map((run) => run.annotations.map((a) => a.name));
  };

  test("a run of an example of another dataset is stored, and lacks nowhere", async () => {
    const { id } = await started();
    const other = await started();
    expect((await putRun(id, other.ids[0]!)).status).toBe(200);
    const { data } = await ask(`GET /v1/experiments/${id}`);
    expect([data.successful_run_count, data.missing_run_count]).toEqual([1, 1]);
    expect((await ask(`GET /v1/experiments/${id}/incomplete-runs`)).data).toHaveLength(2);
    expect((await ask(`GET /v1/experiments/${id}/json`)).status).toBe(404);
    expect((await ask(`GET /v1/experiments/${id}/incomplete-evaluations?evaluation_name=exact`)).data).toEqual([]);
  });

  test("numbers of repetitions that cannot be are refused by name, those beyond the wanted ones are stored", async () => {
    const { id, ids } = await started({ repetitions: 2 });
    for (const repetition_number of [0, -1, 1.5, "x", null, 1e300]) {
      const { status, text } = await putRun(id, ids[0]!, { repetition_number });
      expect([status, JSON.parse(text).detail[0].loc.at(-1)]).toEqual([422, "repetition_number"]);
    }
    expect((await putRun(id, ids[0]!, { repetition_number: 3 })).status).toBe(200);
    expect((await ask(`GET /v1/experiments/${id}`)).data.missing_run_count).toBe(3);
  });

  test("a failed run that is sent again loses its evaluations by programs, not those by people", async () => {
    const { id, ids } = await started();
    const run = (await putRun(id, ids[0]!, { error: "slow" })).data.id;
    await evaluate(run);
    await evaluate(run, { name: "model", annotator_kind: "LLM" });
    await evaluate(run, { name: "person", annotator_kind: "HUMAN" });
    expect(await evaluations(id)).toEqual([["exact", "model", "person"]]);
    expect((await putRun(id, ids[0]!)).data.id).toBe(run);
    expect(await evaluations(id)).toEqual([["person"]]);
    await evaluate(run);
    expect((await putRun(id, ids[0]!, { output: "another" })).status).toBe(409);
    expect(await evaluations(id)).toEqual([["exact", "person"]]);
  });

  test("the same run from many at once is stored once", async () => {
    const { id, ids } = await started();
    const answers = await Promise.all(Array.from({ length: 8 }, (_none, output) => putRun(id, ids[0]!, { output })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
  });

  test("scores that are no numbers are refused by name", async () => {
    const { id, ids } = await started();
    const run = (await putRun(id, ids[0]!)).data.id;
    for (const score of ["NaN", "Infinity", "much", {}, []]) {
      const { status, text } = await evaluate(run, { result: { score } });
      expect([score, status, JSON.parse(text).detail[0].loc.at(-1)]).toEqual([score, 422, "score"]);
    }
    expect(await evaluations(id)).toEqual([[]]);
  });

  test("an experiment that is deleted while it runs takes no more, and leaves nothing behind", async () => {
    const { id, ids } = await started({ repetitions: 40 });
    const run = (await putRun(id, ids[1]!)).data.id;
    const sent = Array.from({ length: 40 }, (_none, at) => putRun(id, ids[0]!, { repetition_number: at + 1 }));
    const deleted = ask(`DELETE /v1/experiments/${id}`);
    for (const { status } of await Promise.all(sent)) expect([200, 404]).toContain(status);
    expect((await deleted).status).toBe(204);
    expect((await putRun(id, ids[0]!)).status).toBe(404);
    expect((await evaluate(run)).status).toBe(404);
    expect((await ask(`GET /v1/experiments/${id}/runs`)).data).toEqual([]);
  });

  test("an experiment goes with its dataset, and its runs and evaluations with it", async () => {
    const { dataset_id, id, ids } = await started();
    const run = (await putRun(id, ids[0]!)).data.id;
    expect((await ask(`DELETE /v1/datasets/${dataset_id}`)).status).toBe(204);
    expect((await putRun(id, ids[0]!)).status).toBe(404);
    expect((await evaluate(run)).status).toBe(404);
    // Like every experiment that is not there: clients read an empty page as "no runs".
    const listed = await ask(`GET /v1/experiments/${id}/runs`);
    expect([listed.status, listed.data, listed.next_cursor]).toEqual([200, [], null]);
    expect((await ask(`GET /v1/experiments/${id}/incomplete-runs`)).status).toBe(404);
  });

  test("a version that goes with its dataset while an experiment runs on it takes no more runs and no new experiment", async () => {
    const { dataset_id, id, ids } = await started({ repetitions: 40 });
    const { dataset_version_id: version_id } = (await ask(`GET /v1/experiments/${id}`)).data;
    const sent = Array.from({ length: 40 }, (_none, at) => putRun(id, ids[0]!, { repetition_number: at + 1 }));
    const deleted = ask(`DELETE /v1/datasets/${dataset_id}`);
    for (const { status } of await Promise.all(sent)) expect([200, 404]).toContain(status);
    expect((await deleted).status).toBe(204);
    expect((await putRun(id, ids[1]!)).status).toBe(404);
    expect((await ask(`GET /v1/experiments/${id}`)).status).toBe(404);
    expect((await ask(`POST /v1/datasets/${dataset_id}/experiments`, { version_id })).status).toBe(404);
  });

  test("an output of 20 MB is stored and read", async () => {
    const { id, ids } = await started();
    const output = "é".repeat(10 * 1024 * 1024);
    expect((await putRun(id, ids[0]!, { output })).status).toBe(200);
    const { data } = await ask(`GET /v1/experiments/${id}/runs`);
    expect(data[0].output === output).toBe(true);
  });

  test("names of 64 KB: of an experiment stored, of an evaluation refused", async () => {
    const name = "x".repeat(64 * 1024);
    const { id, ids } = await started({ name });
    expect((await ask(`GET /v1/experiments/${id}`)).data.name.length).toBe(name.length);
    const run = (await putRun(id, ids[0]!)).data.id;
    const { status, text } = await evaluate(run, { name });
    expect([status, JSON.parse(text).detail[0].loc.at(-1)]).toEqual([422, "name"]);
  });
});
