// Sweeps on both databases: which traces a policy takes, what it spares, how it goes on after an interruption, and that what was
// foretold is what goes.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { type RawBuilder, sql } from "kysely";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { globalId } from "../../src/kernel/ids.ts";
import { silentLogger } from "../../src/kernel/logger.ts";
import { createDeletionService } from "../../src/modules/tracing/deletion/deletion.service.ts";
import { createTransferService } from "../../src/modules/tracing/deletion/transfer.service.ts";
import { createOldTracesService } from "../../src/modules/tracing/retention/old-traces.service.ts";
import { createOldTracesStore } from "../../src/modules/tracing/retention/old-traces.store.ts";
import { createPoliciesStore } from "../../src/modules/tracing/retention/policies.store.ts";
import { createPolicyAssignmentsStore } from "../../src/modules/tracing/retention/policy-assignments.store.ts";
import { createPreviewService, type PreviewLimits } from "../../src/modules/tracing/retention/preview.service.ts";
import type { RetentionRule } from "../../src/modules/tracing/retention/retention.schema.ts";
import { createSweepsService } from "../../src/modules/tracing/retention/sweeps.service.ts";
import { createSweepsStore } from "../../src/modules/tracing/retention/sweeps.store.ts";
import { verifyStorage } from "../../src/modules/tracing/traces/verify/verify.service.ts";
import { ownedTables } from "../../src/server/features.ts";
import { withLease } from "../../src/storage/lease.ts";
import { deadlinePassed } from "../../src/storage/stopped-read.ts";
import { createRollupsService } from "../../src/summaries/rollups/rollups.service.ts";
import { forEachDriver } from "../support/drivers.ts";
import { wholeRun } from "../support/job-runs.ts";
import { incomingSpan } from "../support/spans.ts";
import { openTestStorage, type TestStorage } from "../support/storage.ts";

const DAY_US = 24 * 3_600_000_000;
/** A Monday. */
const NOW_US = Date.parse("2026-11-23T05:30:00Z") * 1000;
const NONE: RetentionRule = {
  maxDays: null,
  maxCount: null,
  maxBytes: null,
  keepsAnnotated: false,
  keepsDatasetSources: false,
};
const clock = { now: () => NOW_US };

forEachDriver("retention", (driver) => {
  let store: TestStorage;
  let last = 0;
  beforeAll(async () => {
    store = await openTestStorage(await driver.createDatabase());
  });
  afterAll(async () => {
    expect((await verifyStorage(store.storage, store.context(), ownedTables)).differences).toEqual([]);
    expect(store.deadlocks()).toBe(0);
    await store.close();
  });

  const policies = () => createPoliciesStore(store.storage.dialect);
  const sweepsOf = (of: TestStorage, oldTraces = createOldTracesStore(of.storage.dialect)) => {
    const { storage } = of;
    const deletion = createDeletionService({
      ownedTables,
      storage,
      rollups: createRollupsService(storage),
      transfer: createTransferService(storage),
    });
    return createSweepsService({
      policies: createPoliciesStore(storage.dialect),
      assignments: createPolicyAssignmentsStore(storage.dialect),
      store: createSweepsStore(storage.dialect),
      oldTraces: createOldTracesService(oldTraces, clock),
      deletion,
      clock,
      log: silentLogger,
    });
  };
  const sweeps = () => sweepsOf(store);
  const recordedOf = async (policyId: number) =>
    (await sweeps().listOfPolicies(store.context(), [policyId], 10)).get(policyId) ?? [];
  const previewOf = async (
    projectId: number,
    rule: RetentionRule,
    limits?: PreviewLimits,
    oldTraces = createOldTracesStore(store.storage.dialect),
  ) => {
    const previews = createPreviewService(createOldTracesService(oldTraces, clock), limits);
    return (await previews.preview(store.context(), [projectId], rule)).get(projectId)!;
  };

  /** A project of its own with a trace of two spans for each age in days; the keys say the age. */
  async function project(ages: readonly number[], given: Parameters<typeof incomingSpan>[0] = {}) {
    const name = `kept ${++last}`;
    for (const age of ages) {
      const startUs = NOW_US - age * DAY_US;
      const common = { projectName: name, traceKey: `${last} ${age}`, startUs, ...given };
      await ingestBatch(store.ingest, [
        incomingSpan({ ...common, spanKey: "root" }),
        incomingSpan({ ...common, spanKey: "child", parentKey: "root" }),
      ]);
    }
    const row = await store.storage.handle
      .read(store.context(), "short")
      .selectFrom("projects")
      .select("id")
      .where("name", "=", name)
      .executeTakeFirstOrThrow();
    return { id: row.id, key: last };
  }

  const policyFor = async (projectId: number, rule: Partial<RetentionRule>, schedule = "0 * * * *") => {
    const policy = { ...NONE, ...rule, name: "of a test", schedule };
    const made = await policies().insert(store.context(), policy, NOW_US - DAY_US);
    await createPolicyAssignmentsStore(store.storage.dialect).assign(store.context(), [projectId], made.id);
    return made;
  };
  const agesOf = async ({ id, key }: { readonly id: number; readonly key: number }) => {
    const rows = await store.storage.handle
      .read(store.context(), "short")
      .selectFrom("traces")
      .select("trace_key")
      .where("project_id", "=", id)
      .orderBy("start_us", "desc")
      .execute();
    return rows.map((row) => Number(row.trace_key.slice(`${key} `.length)));
  };
  const traceId = async (traceKey: string) => {
    const query = store.storage.handle.read(store.context(), "short").selectFrom("traces");
    return (await query.select("id").where("trace_key", "=", traceKey).executeTakeFirstOrThrow()).id;
  };
  const serve = () => sweeps().serveSchedules(wholeRun(() => store.context()));

  /** What the rule leaves of traces of these ages; what was foretold and what was recorded are the same. */
  async function leftBy(rule: Partial<RetentionRule>, ages: readonly number[]) {
    const made = await project(ages);
    const { isEverything, isComplete, ...foretold } = await previewOf(made.id, { ...NONE, ...rule });
    expect(isComplete).toBe(true);
    const policy = await policyFor(made.id, rule);
    expect(await serve()).toBe(true);
    const left = await agesOf(made);
    const recorded = await recordedOf(policy.id);
    expect(foretold.traces).toBe(ages.length - left.length);
    expect(isEverything).toBe(left.length === 0);
    expect(recorded.map(({ traces, spans, bytes, failure }) => ({ traces, spans, bytes, failure }))).toEqual(
      foretold.traces === 0 ? [] : [{ ...foretold, failure: null }],
    );
    return left;
  }

  test("by age: whole traces that began before the time", async () => {
    expect(await leftBy({ maxDays: 7 }, [1, 6.9, 7, 7.1, 30])).toEqual([1, 6.9, 7]);
    expect(await leftBy({ maxDays: 0.5 }, [0.1, 1])).toEqual([0.1]);
    expect(await leftBy({ maxDays: 0 }, [1, 400])).toEqual([1, 400]);
  });

  test("by count: the newest of each project stay", async () => {
    expect(await leftBy({ maxCount: 2 }, [1, 2, 3, 4])).toEqual([1, 2]);
    expect(await leftBy({ maxCount: 4 }, [1, 2, 3, 4])).toEqual([1, 2, 3, 4]);
    expect(await leftBy({ maxCount: 0 }, [1, 2])).toEqual([1, 2]);
    expect(await leftBy({ maxDays: 3.5, maxCount: 2 }, [1, 2, 3, 4])).toEqual([1, 2]);
    expect(await leftBy({ maxDays: 1.5, maxCount: 2 }, [1, 2, 3, 4])).toEqual([1]);
  });

  test("by size: as many of the newest as fit", async () => {
    const probe = await project([1]);
    const all = { ...NONE, maxDays: 0.1 };
    const { bytes } = await previewOf(probe.id, all);
    expect(bytes).toBeGreaterThan(0);
    expect(await leftBy({ maxBytes: 2 * bytes }, [1, 2, 3, 4])).toEqual([1, 2]);
    expect(await leftBy({ maxBytes: bytes - 1 }, [1, 2])).toEqual([]);
    expect(await leftBy({ maxBytes: 100 * bytes }, [1, 2])).toEqual([1, 2]);
  });

  test("a preview of more than it may look at says what it found", async () => {
    const { id } = await project([1, 2, 3, 4]);
    const rule = { ...NONE, maxDays: 0.5 };
    const all = await previewOf(id, rule);
    expect(all).toMatchObject({ traces: 4, spans: 8, isEverything: true, isComplete: true });
    const some = await previewOf(id, rule, { milliseconds: 10_000, traces: 2 });
    expect(some).toEqual({ traces: 2, spans: 4, bytes: all.bytes / 2, isEverything: false, isComplete: false });
    const none = await previewOf(id, rule, { milliseconds: 0, traces: 2 });
    expect(none).toEqual({ traces: 0, spans: 0, bytes: 0, isEverything: false, isComplete: false });

    const late = () => Promise.reject(deadlinePassed());
    const real = createOldTracesStore(store.storage.dialect);
    const limits = { milliseconds: 10_000, traces: 100 };
    // The walk by size meets its time: what goes by age is still counted.
    const bySize = { ...rule, maxDays: 2.5, maxBytes: 1 };
    const sized = await previewOf(id, bySize, limits, { ...real, listSizes: late });
    expect(sized).toEqual({ traces: 2, spans: 4, bytes: all.bytes / 2, isEverything: false, isComplete: false });
    // The bytes do: traces and spans are all there.
    const counted = await previewOf(id, rule, limits, { ...real, measure: late });
    expect(counted).toEqual({ traces: 4, spans: 8, bytes: 0, isEverything: true, isComplete: false });
    const broken = previewOf(id, rule, limits, { ...real, measure: () => Promise.reject(new Error("broken")) });
    await expect(broken).rejects.toThrow("broken");
  });

  test("how long a trace lives by the word of its sender takes the place of the age, longer or shorter", async () => {
    const made = await project([1, 2, 6]);
    const add = (age: number, ...said: readonly (number | null)[]) =>
      ingestBatch(
        store.ingest,
        said.map((days, at) =>
          incomingSpan({
            projectName: `kept ${made.key}`,
            traceKey: `${made.key} ${age}`,
            spanKey: `said ${at} ${days}`,
            startUs: NOW_US - age * DAY_US,
            lifetimeUs: days === null ? null : days * DAY_US,
          }),
        ),
      );
    await add(3, 2, null);
    await add(4, 5);
    await add(4, 3);
    await add(20, 3, 30, 10);
    await add(30, 30);
    await add(31, 30.5);
    const rule = { ...NONE, maxDays: 5 };
    const foretold = await previewOf(made.id, rule);
    expect(foretold.traces).toBe(4);
    const policy = await policyFor(made.id, rule);
    expect(await serve()).toBe(true);
    expect(await agesOf(made)).toEqual([1, 2, 4, 20]);
    const [sweep] = await recordedOf(policy.id);
    expect(sweep).toMatchObject({ traces: foretold.traces, spans: foretold.spans, bytes: foretold.bytes });
    // Nothing is left of those that are gone.
    const { rows } = await sql<{ left: number }>`select count(*) as left from trace_lifetimes
      where trace_id not in (select id from traces)`.execute(store.storage.handle.read(store.context(), "short"));
    expect(Number(rows[0]!.left)).toBe(0);

    // What is too much goes, whatever its annotations; what has lived long enough goes where no rule asks for it.
    await policyFor(made.id, { maxCount: 3 });
    await serve();
    expect(await agesOf(made)).toEqual([1, 2, 4]);
    await add(9, 8.5);
    await policyFor(made.id, {});
    await serve();
    expect(await agesOf(made)).toEqual([1, 2, 4]);
  });

  test("what people annotated and what datasets were made of stays where the policy says so", async () => {
    const made = await project([10, 11, 12, 13, 14]);
    const context = store.context();
    const said = (kind: "HUMAN" | "LLM") => ({
      name: "right",
      identifier: "",
      annotator_kind: kind,
      metadata: "{}",
      source: "API" as const,
      created_us: NOW_US,
      updated_us: NOW_US,
    });
    const database = context.database.write(context);
    const spanOf = async (age: number) => {
      const rows = database
        .selectFrom("spans")
        .select("id")
        .where("trace_id", "=", await traceId(`${made.key} ${age}`));
      return (await rows.orderBy("id", "desc").executeTakeFirstOrThrow()).id;
    };
    await database
      .insertInto("trace_annotations")
      .values({ ...said("HUMAN"), trace_id: await traceId(`${made.key} 10`) })
      .execute();
    await database
      .insertInto("span_annotations")
      .values({ ...said("HUMAN"), span_id: await spanOf(11) })
      .execute();
    await database
      .insertInto("span_annotations")
      .values({ ...said("LLM"), span_id: await spanOf(12) })
      .execute();
    const dataset = await database
      .insertInto("datasets")
      .values({ name: `d ${made.key}`, metadata: "{}", created_us: NOW_US, updated_us: NOW_US })
      .returning("id")
      .executeTakeFirstOrThrow();
    const example = await database
      .insertInto("dataset_examples")
      .values({ dataset_id: dataset.id, origin: 0, created_us: NOW_US })
      .returning("id")
      .executeTakeFirstOrThrow();
    await database
      .insertInto("dataset_example_spans")
      .values({ example_id: example.id, span_id: await spanOf(13) })
      .execute();
    await policyFor(made.id, { maxDays: 1, keepsAnnotated: true, keepsDatasetSources: true });
    await serve();
    expect(await agesOf(made)).toEqual([10, 11, 13]);
  });

  test("sessions that lose their last trace go with it", async () => {
    const made = await project([1, 20], { sessionKey: "kept session" });
    const startUs = NOW_US - 20 * DAY_US;
    const left = { projectName: `kept ${made.key}`, traceKey: "left", sessionKey: "left session", startUs };
    await ingestBatch(store.ingest, [incomingSpan(left)]);
    await policyFor(made.id, { maxDays: 5 });
    await serve();
    const rows = await store.storage.handle
      .read(store.context(), "short")
      .selectFrom("sessions")
      .select(["session_key", "trace_count"])
      .where("session_key", "in", ["kept session", "left session"])
      .execute();
    expect(rows).toEqual([{ session_key: "kept session", trace_count: 1 }]);
  });

  test("a policy is served once for a time of its schedule, and a missed one is made up for", async () => {
    const made = await project([3]);
    const policy = await policyFor(made.id, { maxDays: 2.5 }, "0 0 * * 1");
    await policies().markServed(store.context(), policy.id, Date.parse("2026-11-23T00:00:00Z") * 1000);
    await serve();
    expect(await agesOf(made)).toEqual([3]);
    await policies().markServed(store.context(), policy.id, Date.parse("2026-11-02T00:00:00Z") * 1000);
    await serve();
    expect(await agesOf(made)).toEqual([]);
    const [served] = await policies().findAll(store.context(), [policy.id]);
    expect(new Date(served!.servedUs / 1000).toISOString()).toBe("2026-11-23T00:00:00.000Z");
  });

  test("a sweep that is asked for does not wait for the schedule", async () => {
    const made = await project([3]);
    const policy = await policyFor(made.id, { maxDays: 1 }, "0 0 * * 0");
    await policies().requestSweep(store.context(), policy.id, NOW_US);
    await serve();
    expect(await agesOf(made)).toEqual([]);
    expect((await policies().findAll(store.context(), [policy.id]))[0]!.servedUs).toBe(NOW_US);
  });

  test("what ends early goes on where it was, and says together what it took", async () => {
    const made = await project(Array.from({ length: 450 }, (_, number) => 10 + number / 1000));
    const policy = await policyFor(made.id, { maxDays: 1 });
    const service = sweeps();
    const round = () => service.serveSchedules({ ...wholeRun(() => store.context()), goOn: () => false });
    let rounds = 0;
    while (!(await round())) {
      rounds++;
      const [policyNow] = await policies().findAll(store.context(), [policy.id]);
      expect(policyNow!.servedUs).toBe(policy.servedUs);
    }
    expect(rounds).toBeGreaterThan(1);
    expect(await agesOf(made)).toEqual([]);
    const recorded = (await sweeps().listOfProjects(store.context(), [made.id], 10)).get(made.id) ?? [];
    expect(recorded.map(({ traces, spans }) => [traces, spans])).toEqual([[450, 900]]);
  });

  test("limits by size are chosen once, however many rounds it takes; another rule chooses again", async () => {
    const made = await project(Array.from({ length: 450 }, (_, number) => 10 + number / 1000));
    const policy = await policyFor(made.id, { maxBytes: 1 });
    let looks = 0;
    const oldTraces = createOldTracesStore(store.storage.dialect);
    const service = sweepsOf(store, {
      ...oldTraces,
      listSizes: (...asked) => {
        looks++;
        return oldTraces.listSizes(...asked);
      },
    });
    const round = () => service.serveSchedules({ ...wholeRun(() => store.context()), goOn: () => false });
    expect([await round(), await round(), looks]).toEqual([false, false, 1]);
    await policies().update(store.context(), policy.id, { maxBytes: 2 }, NOW_US);
    expect([await round(), looks]).toEqual([false, 2]);
    while (!(await round()));
    expect(looks).toBe(2);
    expect(await agesOf(made)).toEqual([]);
  });

  test("a project that fails is no hindrance for others, and its policy is due until it succeeds", async () => {
    const [stuck, fine] = [await project([3]), await project([4])];
    const policy = await policyFor(stuck.id, { maxDays: 1 });
    await createPolicyAssignmentsStore(store.storage.dialect).assign(store.context(), [fine.id], policy.id);
    const mend = await breakDeletion(stuck.id);
    const service = sweeps();
    const failed: string[] = [];
    const job = {
      ...wholeRun(() => store.context()),
      attempt: async (item: string, work: () => Promise<void>) =>
        work()
          .then(() => true)
          .catch(() => failed.push(item) === 0),
    };
    expect(await service.serveSchedules(job)).toBe(true);
    expect([await agesOf(stuck), await agesOf(fine), failed]).toEqual([[3], [], [globalId("Project", stuck.id)]]);
    const servedUs = async () => (await policies().findAll(store.context(), [policy.id]))[0]!.servedUs;
    expect(await servedUs()).toBe(policy.servedUs);
    const failures = async () =>
      ((await service.listOfProjects(store.context(), [stuck.id], 5)).get(stuck.id) ?? []).map(
        ({ failure }) => failure,
      );
    expect(await failures()).toEqual([expect.stringContaining("it is stuck")]);
    await mend();
    expect(await service.serveSchedules(job)).toBe(true);
    expect([await agesOf(stuck), await failures()]).toEqual([[], [null]]);
    expect(await servedUs()).toBeGreaterThan(policy.servedUs);
  });

  test("a sweep that is asked for during a sweep is made, too", async () => {
    const made = await project([3]);
    const policy = await policyFor(made.id, { maxDays: 1 });
    const servedUs = async () => (await policies().findAll(store.context(), [policy.id]))[0]!.servedUs;
    const whole = wholeRun(() => store.context());
    await sweeps().serveSchedules({
      ...whole,
      async attempt(_item, work) {
        await work();
        await policies().requestSweep(store.context(), policy.id, NOW_US);
        return true;
      },
    });
    expect(await servedUs()).toBe(-NOW_US);
    await serve();
    expect(await servedUs()).toBe(NOW_US);
  });

  /** Deleting traces of the project fails. */
  async function breakDeletion(projectId: number): Promise<() => Promise<void>> {
    const run = async (statement: RawBuilder<unknown>) =>
      void (await statement.execute(store.storage.handle.write(store.context())));
    const id = sql.lit(projectId);
    if (driver.name === "sqlite") {
      await run(sql`create trigger broken before delete on traces when old.project_id = ${id}
        begin select raise(abort, 'it is stuck'); end`);
      return () => run(sql`drop trigger broken`);
    }
    await run(sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'it is stuck'; end $$`);
    await run(sql`create trigger broken before delete on traces for each row when (old.project_id = ${id})
      execute function refuse()`);
    return () => run(sql`drop trigger broken on traces`);
  }

  // A file of SQLite has one server.
  if (driver.name === "sqlite") return;

  test("two servers do not sweep at once, and what one took the other does not count", async () => {
    const made = await project(Array.from({ length: 300 }, (_, number) => 10 + number / 1000));
    const policy = await policyFor(made.id, { maxDays: 1 });
    const both = [sweeps(), sweeps()];
    const serveUnlessHeld = async (one: ReturnType<typeof sweeps>) =>
      withLease(store.storage, store.context(), "retention", async () => {
        await one.serveSchedules(wholeRun(() => store.context()));
      });
    await Promise.all(both.map(serveUnlessHeld));
    expect(await agesOf(made)).toEqual([]);
    const recorded = await recordedOf(policy.id);
    expect(recorded.map(({ traces }) => traces)).toEqual([300]);
  });
});
