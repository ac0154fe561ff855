// What evaluations runs lack, and the export of runs with all of their evaluations, on both databases.

import { expect, test } from "bun:test";
import { globalId } from "../../../src/kernel/ids.ts";
import { openTestApi } from "../../support/api.ts";
import { datasetsOf } from "../../support/datasets.ts";
import { forEachDriver } from "../../support/drivers.ts";
import { openForSuite } from "../../support/suite.ts";

const times = { start_time: "2026-01-02T03:05:00+00:00", end_time: "2026-01-02T03:05:01.500000+00:00" };

forEachDriver("runs and their evaluations", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  const { ask, uploaded, examples } = datasetsOf(() => api);

  /** An experiment with a successful run of each of three examples, and a failed one. */
  const started = async (name: string) => {
    const inputs = [{ q: "a" }, { q: "b" }, { q: "c" }];
    const { dataset_id } = await uploaded({
      name,
      inputs,
      outputs: [{ a: 1 }, { a: 2 }, { a: 3 }],
      example_ids: ["own", null, null],
    });
    const ids = (await examples(dataset_id))
      .map(({ node_id }) => node_id)
      .sort((one, other) => rowOf(one) - rowOf(other));
    const { data } = await ask(`POST /v1/datasets/${dataset_id}/experiments`, { name, repetitions: 2 });
    const post = async (example: string, more: object = {}) =>
      (
        await ask(`POST /v1/experiments/${data.id}/runs`, {
          dataset_example_id: example,
          output: `said ${rowOf(example)}`,
          repetition_number: 1,
          ...times,
          ...more,
        })
      ).data.id as string;
    const runs = [await post(ids[0]!), await post(ids[1]!), await post(ids[2]!)];
    await post(ids[0]!, { repetition_number: 2, error: "too slow" });
    return { id: data.id as string, dataset_id, ids, runs };
  };
  const evaluate = (run: string, name: string, more: object = { result: { score: 1 } }) =>
    ask("POST /v1/experiment_evaluations", {
      experiment_run_id: run,
      name,
      annotator_kind: "CODE",
      ...times,
      ...more,
    });
  const lacking = (id: string, query: string) => ask(`GET /v1/experiments/${id}/incomplete-evaluations?${query}`);
  const named = (body: { data: { experiment_run: { id: string }; evaluation_names: string[] }[] }) =>
    body.data.map(({ experiment_run, evaluation_names }) => [experiment_run.id, ...evaluation_names]);

  test("a run is listed with the names that it lacks or has with an error", async () => {
    const { id, runs, ids } = await started("lacking");
    await evaluate(runs[0]!, "exact");
    await evaluate(runs[0]!, "tone");
    await evaluate(runs[1]!, "tone", { result: {} });
    await evaluate(runs[2]!, "exact", { error: "no model" });
    const found = await lacking(id, "evaluation_name=tone&evaluation_name=exact&evaluation_name=%20exact%20");
    expect(named(found as never)).toEqual([
      [runs[1]!, "exact"],
      [runs[2]!, "exact", "tone"],
    ]);
    expect(found.data[0]).toMatchObject({
      experiment_run: { dataset_example_id: ids[1], repetition_number: 1, error: null },
      dataset_example: { id: ids[1], node_id: ids[1], input: { q: "b" }, output: { a: 2 }, source: null },
    });
    expect(named((await lacking(id, "evaluation_name=other")) as never)).toHaveLength(3);
  });

  test("pages go on where the cursor says, also when earlier runs are complete meanwhile", async () => {
    const { id, runs } = await started("paged");
    const first = await lacking(id, "evaluation_name=exact&limit=1");
    expect(named(first as never)).toEqual([[runs[0]!, "exact"]]);
    await evaluate(runs[0]!, "exact");
    const cursor = JSON.parse(first.text).next_cursor;
    const second = await lacking(id, `evaluation_name=exact&limit=5&cursor=${cursor}`);
    expect(named(second as never)).toEqual([
      [runs[1]!, "exact"],
      [runs[2]!, "exact"],
    ]);
    expect(JSON.parse(second.text).next_cursor).toBeNull();
  });

  test("an invalid request is answered with an error", async () => {
    const { id } = await started("wrong");
    expect((await lacking(id, "")).status).toBe(400);
    expect((await lacking(id, "evaluation_name=%20")).status).toBe(400);
    expect((await lacking(id, "evaluation_name=a&cursor=x")).status).toBe(422);
    expect((await lacking("nothing", "evaluation_name=a")).status).toBe(422);
    expect((await lacking(globalId("Dataset", 1), "evaluation_name=a")).status).toBe(404);
    expect((await lacking(globalId("Experiment", 99_999), "evaluation_name=a")).status).toBe(404);
    expect((await ask(`GET /v1/experiments/${globalId("Experiment", 99_999)}/json`)).status).toBe(404);
    expect((await ask("GET /v1/experiments/nothing/json")).status).toBe(422);
  });

  test("the CSV file has a row a run, and columns a name in the order in which rows have them first", async () => {
    const { id, ids, runs } = await started("as CSV");
    await evaluate(runs[0]!, "tone", { result: { label: "kind, mostly", score: 0.5 }, metadata: { by: "Jörg" } });
    await evaluate(runs[0]!, "exact", { result: { score: 1 } });
    await evaluate(runs[2]!, "also", { error: 'said "no"' });
    const file = await ask(`GET /v1/experiments/${id}/csv`);
    const of = (name: string) =>
      [
        "label",
        "score",
        "explanation",
        "metadata",
        "annotator_kind",
        "trace_id",
        "error",
        "start_time",
        "end_time",
      ].map((column) => `annotation_${name}_${column}`);
    const [header, first, second, third, fourth, ...rest] = file.text.split("\n");
    expect(header!.split(",")).toEqual([
      ..."example_id,repetition_number,input,reference_output,output,metadata,error,latency_ms,start_time,end_time".split(
        ",",
      ),
      ..."trace_id,prompt_token_count,completion_token_count".split(","),
      ...of("exact"),
      ...of("tone"),
      ...of("also"),
    ]);
    const said = `said ${rowOf(ids[0]!)}`;
    const [start, end] = [times.start_time, times.end_time];
    expect(first).toBe(
      `${ids[0]},1,"{""q"": ""a""}","{""a"": 1}",${said},{},,1500.0,${start},${end},,,,` +
        `,1.0,,{},CODE,,,${start},${end},` +
        `"kind, mostly",0.5,,"{""by"": ""J\\u00f6rg""}",CODE,,,${start},${end},,,,,,,,,`,
    );
    expect(second).toStartWith(`${ids[0]},2,`);
    expect(second).toContain(",too slow,1500.0,");
    expect(third).toEndWith(",".repeat(27));
    expect(fourth).toEndWith(`,,,{},CODE,,"said ""no""",${start},${end}`);
    expect(rest).toEqual([""]);
    const { data } = await ask(`POST /v1/datasets/${(await started("empty")).dataset_id}/experiments`, {});
    expect((await ask(`GET /v1/experiments/${data.id}/csv`)).status).toBe(404);
    expect((await ask("GET /v1/experiments/nothing/csv")).status).toBe(422);
  });

  test("the export has every run with its example and its evaluations, by example and repetition", async () => {
    const { id, dataset_id, ids, runs } = await started("Größe & 'Art'");
    await evaluate(runs[0]!, "tone", { result: { label: "kind" }, metadata: { by: "me" }, trace_id: "abc" });
    await evaluate(runs[0]!, "exact", { error: "no model" });
    // Later versions do not reach it.
    await uploaded({
      name: "Größe & 'Art'",
      action: "update",
      inputs: [{ q: "a" }],
      outputs: [{ a: 100 }],
      example_ids: ["own"],
    });
    const exported = await ask(`GET /v1/experiments/${id}/json`);
    const rows = JSON.parse(exported.text);
    expect(rows.map((row: Record<string, unknown>) => [row.example_id, row.repetition_number, row.error])).toEqual([
      [ids[0], 1, null],
      [ids[0], 2, "too slow"],
      [ids[1], 1, null],
      [ids[2], 1, null],
    ]);
    expect(rows[0]).toEqual({
      example_id: ids[0],
      repetition_number: 1,
      input: { q: "a" },
      reference_output: { a: 1 },
      output: `said ${rowOf(ids[0]!)}`,
      error: null,
      latency_ms: 1500,
      ...times,
      trace_id: null,
      prompt_token_count: null,
      completion_token_count: null,
      annotations: [
        {
          name: "exact",
          annotator_kind: "CODE",
          label: null,
          score: null,
          explanation: null,
          trace_id: null,
          error: "no model",
          metadata: {},
          ...times,
        },
        {
          name: "tone",
          annotator_kind: "CODE",
          label: "kind",
          score: null,
          explanation: null,
          trace_id: "abc",
          error: null,
          metadata: { by: "me" },
          ...times,
        },
      ],
    });
    const { data } = await ask(`POST /v1/datasets/${dataset_id}/experiments`, {});
    expect((await ask(`GET /v1/experiments/${data.id}/json`)).status).toBe(404);
  });
});

function rowOf(id: string): number {
  return Number(atob(id).split(":")[1]);
}
