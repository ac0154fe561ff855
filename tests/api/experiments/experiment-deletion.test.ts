// Deletions of experiments that fail or are cut off, on both databases: none is visible in part, others go on, and asking again goes on.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { type RawBuilder, sql } from "kysely";
import { createAttempts } from "../../../src/jobs/attempts.ts";
import type { JobContext } from "../../../src/jobs/job.ts";
import { createJobFailuresStore } from "../../../src/jobs/job-failures.store.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { silentLogger } from "../../../src/kernel/logger.ts";
import { experimentsFeature } from "../../../src/modules/evaluation/experiments/experiments.feature.ts";
import { openTestApi, type TestApi } from "../../support/api.ts";
import { datasetsOf } from "../../support/datasets.ts";
import { forEachDriver } from "../../support/drivers.ts";
import { askGraphql } from "../../support/graphql.ts";
import { wholeRun } from "../../support/job-runs.ts";

const TWO_DAYS_US = 2 * 24 * 3600 * 1_000_000;

forEachDriver("deletions of experiments", (driver) => {
  let api: TestApi;
  let datasetId: string;
  let exampleId: string;
  beforeAll(async () => {
    api = await openTestApi(await driver.createDatabase());
  });
  afterAll(() => api.close());
  const { ask, uploaded } = datasetsOf(() => api);
  const sweep = (job: JobContext) => api.features.use(experimentsFeature).experiments.sweepDismissed(job);
  const database = () => api.stored.storage.handle.write(api.context());
  const run = (statement: RawBuilder<unknown>) => statement.execute(database());
  let last = 0;
  beforeEach(async () => {
    datasetId = (await uploaded({ name: `questions ${++last}`, inputs: [{ q: "2+2" }] })).dataset_id;
    exampleId = (await ask(`GET /v1/datasets/${datasetId}/examples`)).data.examples[0].id;
  });

  async function experiment(name: string) {
    const { data } = await ask(`POST /v1/datasets/${datasetId}/experiments`, { name });
    const id: string = data.id;
    return { id, rowId: Number(atob(id).split(":")[1]), projectName: data.project_name as string };
  }
  const newRun = (output: string) => ({
    dataset_example_id: exampleId,
    repetition_number: 1,
    output,
    start_time: "2026-01-01T00:00:00Z",
    end_time: "2026-01-01T00:00:01Z",
  });
  const mutate = (name: string, id: string) =>
    askGraphql(api, `mutation ($id: ID!) { ${name}(experimentId: $id) { experiment { id } } }`, { id });
  const dismissLongAgo = (rowIds: readonly number[]) =>
    database()
      .updateTable("experiments")
      .set({ dismissed_us: systemClock.now() - TWO_DAYS_US })
      .where("id", "in", rowIds)
      .execute();
  const remaining = async () => {
    const rows = await database()
      .selectFrom("experiments")
      .select("name")
      .where("dataset_id", "=", Number(atob(datasetId).split(":")[1]))
      .orderBy("id")
      .execute();
    return rows.map(({ name }) => name);
  };

  /** Deleting the row of an experiment with this name fails. */
  async function breakDeletion(name: string): Promise<() => Promise<void>> {
    const lit = sql.lit(name);
    if (driver.name === "sqlite") {
      await run(sql`create trigger broken before delete on experiments when old.name = ${lit}
        begin select raise(abort, 'it is stuck'); end`);
      return async () => void (await run(sql`drop trigger broken`));
    }
    await run(sql`create or replace function refuse() returns trigger language plpgsql
      as $$ begin raise 'it is stuck'; end $$`);
    await run(sql`create trigger broken before delete on experiments for each row when (old.name = ${lit})
      execute function refuse()`);
    return async () => void (await run(sql`drop trigger broken on experiments`));
  }

  function attemptingRun(): JobContext {
    const needs = {
      failures: createJobFailuresStore(api.stored.storage.dialect),
      context: () => api.context(),
      clock: systemClock,
      log: silentLogger,
    };
    return { ...wholeRun(needs.context), attempt: createAttempts("dismissed-experiments", needs).attempt };
  }

  test("one that cannot be deleted is recorded, and keeps no other from being deleted", async () => {
    const [stuck, other] = [await experiment("stuck"), await experiment("other")];
    await experiment("living");
    await dismissLongAgo([stuck.rowId, other.rowId]);
    const mend = await breakDeletion("stuck");
    expect(await sweep(attemptingRun())).toBe(true);
    expect(await remaining()).toEqual(["stuck", "living"]);
    const { rows } = await sql<{ item: string; reason: string }>`select item, reason from job_failures`.execute(
      database(),
    );
    expect(rows).toEqual([{ item: stuck.id, reason: expect.stringContaining("it is stuck") }]);
    await mend();
    await sweep(wholeRun(() => api.context()));
    expect(await remaining()).toEqual(["living"]);
    for (const { projectName } of [stuck, other])
      expect((await ask(`GET /v1/projects/${projectName}`)).status).toBe(404);
  });

  test("one whose deletion has begun is not visible and cannot be restored, and asking again goes on", async () => {
    const [half, living] = [await experiment("half"), await experiment("living")];
    const [path, runs] = [`/v1/experiments/${half.id}`, `/v1/experiments/${half.id}/runs`];
    expect((await ask(`POST ${runs}`, newRun("!"))).status).toBe(200);
    expect((await mutate("dismissExperiment", half.id)).errors).toBeUndefined();
    const mend = await breakDeletion("half");
    expect((await ask(`DELETE ${path}?delete_project=true`)).status).toBe(500);

    expect((await ask(`GET ${path}`)).status).toBe(404);
    expect((await ask(`GET ${path}/json`)).status).toBe(404);
    expect((await ask(`PATCH ${path}`, { name: "again" })).status).toBe(404);
    expect((await ask(`GET /v1/datasets/${datasetId}/experiments`)).data.map(({ id }: { id: string }) => id)).toEqual([
      living.id,
    ]);
    expect((await ask(`POST ${runs}`, newRun("?"))).status).toBe(404);
    for (const name of ["dismissExperiment", "reinstateExperiment"]) {
      expect((await mutate(name, half.id)).errors?.[0]?.extensions.code).toBe("NOT_FOUND");
    }
    const node = await askGraphql(api, "query ($id: ID!) { node(id: $id) { id } }", { id: half.id });
    expect(node.errors).toHaveLength(1);
    const query = `query ($id: ID!) { node(id: $id) { ... on Dataset { experimentCount
      experiments { edges { node { name } } } } } }`;
    const { data } = await askGraphql(api, query, { id: datasetId });
    expect(data).toEqual({ node: { experimentCount: 1, experiments: { edges: [{ node: { name: "living" } }] } } });

    await mend();
    expect((await ask(`DELETE ${path}`)).status).toBe(204);
    expect(await remaining()).toEqual(["living"]);
    // As it was asked for at first.
    expect((await ask(`GET /v1/projects/${half.projectName}`)).status).toBe(404);
    expect((await ask(`DELETE ${path}`)).status).toBe(404);
  });

  test("in GraphQL, too, asking again goes on", async () => {
    const half = await experiment("half");
    const mend = await breakDeletion("half");
    const remove = () =>
      askGraphql(
        api,
        "mutation ($ids: [ID!]!) { deleteExperiments(input: { experimentIds: $ids }) { experiments { id } } }",
        { ids: [half.id] },
      );
    expect((await remove()).errors).toHaveLength(1);
    await mend();
    expect((await remove()).errors).toBeUndefined();
    expect(await remaining()).toEqual([]);
  });

  test("one that is reinstated while the job looks stays, with its project", async () => {
    const kept = await experiment("kept");
    await dismissLongAgo([kept.rowId]);
    await sweep({
      ...wholeRun(() => api.context()),
      async attempt(_item, work) {
        expect((await mutate("reinstateExperiment", kept.id)).errors).toBeUndefined();
        await work();
        return true;
      },
    });
    expect(await remaining()).toEqual(["kept"]);
    expect((await ask(`GET /v1/projects/${kept.projectName}`)).status).toBe(200);
  });

  test("a deletion without the project that a server of an earlier version has begun is finished without it", async () => {
    const begun = await experiment("begun");
    await database().updateTable("experiments").set({ dismissed_us: 0 }).where("id", "=", begun.rowId).execute();
    await sweep(wholeRun(() => api.context()));
    expect(await remaining()).toEqual([]);
    expect((await ask(`GET /v1/projects/${begun.projectName}`)).status).toBe(200);
  });
});
