// Groups of failures over REST and in GraphQL: what falls together, what a later span, a deletion, another project and a decision change, and
// that everything agrees with what is recomputed from the spans.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { sql } from "kysely";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { silentLogger } from "../../src/kernel/logger.ts";
import type { IncomingSpan } from "../../src/model/span.ts";
import { failuresFeature } from "../../src/modules/tracing/failures/failures.feature.ts";
import { verifyFailures } from "../../src/modules/tracing/failures/verify/failures-verify.service.ts";
import { createSpanPayloadsStore } from "../../src/modules/tracing/spans/payload/span-payloads.store.ts";
import { occurrences } from "../analysis/failure-corpus.ts";
import { openTestApi, send, type TestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData } from "../support/graphql.ts";
import { encodeOtlp, type OtlpSpan, otlpAttributes, otlpExport } from "../support/otlp-encode.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import vectors from "../vectors/analysis-failure-groups.json";

interface Group {
  readonly id: string;
  readonly key: string;
  readonly kind: string;
  readonly type: string | null;
  readonly message: string;
  readonly state: string;
  readonly resolved_version: string | null;
  readonly reopened_version: string | null;
  readonly span_count: number;
  readonly trace_count: number;
  readonly session_count: number;
  readonly user_count: number;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
}

const exceptionEvents = (type: string, message: string) =>
  JSON.stringify([
    { name: "exception", timestamp: 1, attributes: { "exception.type": type, "exception.message": message } },
  ]);

/** Seconds since START_US. */
const at = (seconds: number) => ({ startUs: START_US + seconds * 1e6, endUs: START_US + seconds * 1e6 + 1000 });

function failing(message: string, given: Partial<IncomingSpan> = {}, type = "ValueError"): IncomingSpan {
  return incomingSpan({ status: "ERROR", statusMessage: message, events: exceptionEvents(type, message), ...given });
}

const inVersion = (version: string) =>
  JSON.stringify({ resource: { attributes: { "service.version": version, "deployment.environment.name": "test" } } });

interface GroupWithSpans {
  readonly key: string;
  readonly versions: readonly { readonly version: string | null }[];
  readonly spans: { readonly edges: readonly { readonly node: { readonly spanId: string } }[] };
}

/** Which part of the rows has the most frequent value among those that are together. */
function purity<Row>(rows: readonly Row[], together: (row: Row) => string, value: (row: Row) => string): number {
  const largest = [...Map.groupBy(rows, together).values()].map((some) =>
    Math.max(...[...Map.groupBy(some, value).values()].map((each) => each.length)),
  );
  return largest.reduce((sum, each) => sum + each, 0) / rows.length;
}

forEachDriver("failure groups", (driver) => {
  let api: TestApi;
  let number = 0;
  let projectName = "";
  beforeAll(async () => {
    api = await openTestApi(await driver.createDatabase());
  });
  beforeEach(() => {
    projectName = `failing ${++number}`;
  });
  afterAll(async () => {
    expect(await differences()).toEqual([]);
    await api.close();
  });

  const store = (...spans: readonly IncomingSpan[]) =>
    ingestBatch(
      api.stored.ingest,
      spans.map((span) => ({ ...span, projectName, traceKey: `${projectName} ${span.traceKey}` })),
    );
  const differences = () =>
    verifyFailures(
      api.stored.storage,
      api.context(),
      createSpanPayloadsStore(api.stored.storage.dialect, silentLogger),
    );
  const ask = async (line: string, json?: unknown, project = projectName) => {
    const [method, path = ""] = line.split(" ", 2);
    const url = `/v1/projects/${encodeURIComponent(project)}/failure_groups${path}`;
    const response = await send(api.server, `${method} ${url}`, json === undefined ? {} : { json });
    const text = await response.text();
    return { status: response.status, text, answer: response.status === 200 ? JSON.parse(text) : null };
  };
  const list = async (query = "", project = projectName): Promise<Group[]> =>
    (await ask(`GET ${query}`, undefined, project)).answer.data;
  const one = async (key: string) => (await ask(`GET /${key}`)).answer.data;
  const change = async (group: Group, json: object) => (await ask(`PATCH /${group.id}`, json)).answer.data as Group;

  test("spans of one cause are one group, with counts, versions, trend, and silent failures beside them", async () => {
    await store(
      failing("order 17 not found", {
        traceKey: "a",
        sessionKey: "one",
        userKey: "anna",
        extra: inVersion("1.0"),
        ...at(0),
      }),
      failing("order 18 not found", {
        traceKey: "b",
        sessionKey: "one",
        userKey: "ben",
        extra: inVersion("1.1"),
        ...at(3600),
      }),
      failing("order 19 not found", { traceKey: "b", userKey: "ben", extra: inVersion("1.1"), ...at(3601) }),
      failing("connection refused", { traceKey: "c", ...at(10) }, "OSError"),
      incomingSpan({ traceKey: "d", status: "OK" }),
      incomingSpan({
        ...{ traceKey: "e", kind: "LLM", status: "OK", name: "answer", silentFailure: 1, ...at(20) },
        attributes: JSON.stringify({
          llm: { output_messages: [{ message: { role: "assistant", content: "so" } }], finish_reason: "length" },
        }),
      }),
    );
    const groups = await list();
    expect(groups.map(({ kind, type, span_count }) => [kind, type, span_count])).toEqual([
      ["error", "ValueError", 3],
      ["cut_answer", null, 1],
      ["error", "OSError", 1],
    ]);
    expect(groups[0]).toMatchObject({ trace_count: 2, session_count: 1, user_count: 2, state: "open" });
    expect(groups[0]!.message).not.toContain("17");
    const details = await one(groups[0]!.key);
    expect(details.versions.map((each: never) => [each["version"], each["environment"], each["span_count"]])).toEqual([
      ["1.1", "test", 2],
      ["1.0", "test", 1],
    ]);
    const trend = await ask(
      `GET /${groups[0]!.id}?trend_start=2024-01-01T00:00:00Z&trend_end=2024-01-02T00:00:00Z&trend_unit=hour`,
    );
    expect(trend.answer.data.trend.map((each: never) => each["span_count"])).toEqual([1, 2]);
    const spans = await ask(`GET /${groups[0]!.key}/spans?limit=2`);
    expect(spans.answer.data.map((span: never) => span["status_message"])).toEqual([
      "order 19 not found",
      "order 18 not found",
    ]);
    const rest = await ask(`GET /${groups[0]!.key}/spans?limit=2&cursor=${spans.answer.next_cursor}`);
    expect(rest.answer.data).toHaveLength(1);
  });

  test("the vectors and planted causes, sent as OTLP, fall into the groups of their causes", async () => {
    const rows = vectors.rows.map(({ group, ...attributes }) => ({ cause: group, attributes }));
    const planted = occurrences(29, 5).map(({ cause, evidence: { exceptions, kind, toolName } }) => ({
      cause: String(cause),
      attributes: {
        "exception.type": exceptions[0]!.type,
        "exception.message": exceptions[0]!.message,
        "exception.stacktrace": exceptions[0]!.stackTrace,
      },
      span: { "openinference.span.kind": kind, ...(toolName === null ? {} : { "tool.name": toolName }) },
    }));
    for (const [set, failures] of [rows, planted].entries()) {
      projectName = `failing ${++number}`;
      const spans = failures.map(({ attributes, ...more }, at): OtlpSpan => {
        const given = Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null));
        const [traceId, spanId] = [`${set}${at}`.padStart(32, "a"), `${set}${at}`.padStart(16, "b")];
        return {
          ...{
            traceId,
            spanId,
            name: "step",
            startTimeUnixNano: "1700000000000000000",
            endTimeUnixNano: "1700000001000000000",
          },
          attributes: otlpAttributes("span" in more ? more.span : {}),
          events: [{ name: "exception", timeUnixNano: "1700000000500000000", attributes: otlpAttributes(given) }],
          status: { code: 2, message: given["exception.message"] ?? "" },
        };
      });
      const resource = otlpAttributes({ "openinference.project.name": projectName, "service.version": "7.1" });
      const response = await send(api.server, "POST /v1/traces", {
        headers: { "content-type": "application/x-protobuf" },
        body: encodeOtlp(otlpExport(spans, resource)),
      });
      expect(response.status).toBe(200);
      const found = await askData<{ project: { groups: { edges: { node: GroupWithSpans }[] } } }>(
        api,
        `{ project: getProjectByName(name: "${projectName}") { groups: failureGroups(first: 500) { edges { node {
          key versions { version } spans(first: 500) { edges { node { spanId } } } } } } } }`,
      );
      const groupOf = new Map(
        found.project.groups.edges.flatMap(({ node }) => node.spans.edges.map((span) => [span.node.spanId, node.key])),
      );
      expect(found.project.groups.edges[0]!.node.versions).toEqual([{ version: "7.1" }]);
      const placed = failures.map(({ cause }, at) => ({ cause, group: groupOf.get(spans[at]!.spanId!)! }));
      const least = set === 0 ? 1 : 0.99;
      expect(
        purity(
          placed,
          ({ cause }) => cause,
          ({ group }) => group,
        ),
      ).toBeGreaterThanOrEqual(least);
      expect(
        purity(
          placed,
          ({ group }) => group,
          ({ cause }) => cause,
        ),
      ).toBeGreaterThanOrEqual(least);
    }
  });

  test("pages of the list, and the same in GraphQL", async () => {
    await store(
      ...["alpha", "beta", "gamma"].flatMap((type, at) =>
        Array.from({ length: at + 1 }, () => failing("wrong", { traceKey: type }, type)),
      ),
    );
    const first = await ask("GET ?sort=span_count&limit=2");
    expect(first.answer.data.map((group: Group) => group.type)).toEqual(["gamma", "beta"]);
    const second = await ask(`GET ?sort=span_count&limit=2&cursor=${encodeURIComponent(first.answer.next_cursor)}`);
    expect(second.answer.data.map((group: Group) => group.type)).toEqual(["alpha"]);
    const asked = await askData<{ projects: { edges: { node: { name: string } }[] } }>(
      api,
      `{ projects { edges { node { name failureGroupCounts { open new reopened resolved ignored }
        failureGroups(first: 2, sort: SPAN_COUNT) { pageInfo { hasNextPage } edges { node {
          type kind isNew state spanCount versions { version spanCount } trend(timeRange: { start: "2024-01-01T00:00:00Z", end: "2024-01-02T00:00:00Z" }) { timestamp spanCount }
          fingerprints { fingerprint } exampleSpan { name failureGroup { type } } spans(first: 1) { edges { node { name } } }
        } } } } } } }`,
    );
    const project = asked.projects.edges.find(({ node }) => node.name === projectName)!.node;
    expect(project).toMatchObject({
      failureGroupCounts: { open: 3, new: 0, reopened: 0, resolved: 0, ignored: 0 },
      failureGroups: {
        pageInfo: { hasNextPage: true },
        edges: [
          {
            node: {
              ...{ type: "gamma", kind: "ERROR", isNew: false, state: "OPEN", spanCount: 3 },
              versions: [{ version: null, spanCount: 3 }],
              trend: [{ timestamp: "2024-01-01T00:00:00+00:00", spanCount: 3 }],
              exampleSpan: { name: "step", failureGroup: { type: "gamma" } },
            },
          },
          { node: { type: "beta", spanCount: 2 } },
        ],
      },
    });
  });

  test("a span that only passes on a failure is not counted, also where it comes later or the one below it goes", async () => {
    const inner = { traceKey: "deep", spanKey: `${projectName} inner`, parentKey: `${projectName} middle` };
    const middle = { traceKey: "deep", spanKey: `${projectName} middle`, parentKey: `${projectName} outer` };
    const outer = { traceKey: "deep", spanKey: `${projectName} outer` };
    await store(failing("boom", inner));
    expect((await list()).map((group) => group.span_count)).toEqual([1]);
    await store(failing("boom", outer, "app.ValueError"), failing("boom", middle));
    expect((await list()).map((group) => [group.type, group.span_count])).toEqual([["ValueError", 1]]);
    const asked = await askData<{ span: { failureGroup: { key: string } } }>(
      api,
      `{ span: getSpanByOtelId(spanId: "${outer.spanKey}") { failureGroup { key } } }`,
    );
    expect(asked.span.failureGroup.key).toBe((await list())[0]!.key);
    expect((await send(api.server, `DELETE /v1/spans/${encodeURIComponent(inner.spanKey)}`)).status).toBe(204);
    const [left] = await list();
    expect([left!.span_count, left!.type]).toEqual([1, "ValueError"]);
    const spans = await ask(`GET /${left!.key}/spans`);
    expect(spans.answer.data.map((span: never) => span["span_id"])).toEqual([middle.spanKey]);
  });

  test("deleted traces leave the counts, a session that comes later joins them, and groups without spans go", async () => {
    await store(failing("late", { traceKey: "x", ...at(1) }), failing("late", { traceKey: "y", ...at(2) }));
    expect((await list())[0]).toMatchObject({ span_count: 2, trace_count: 2, session_count: 0 });
    await store(incomingSpan({ traceKey: "x", sessionKey: `${projectName} s` }));
    expect((await list())[0]).toMatchObject({ span_count: 2, session_count: 1 });
    const remove = (key: string) =>
      send(api.server, `DELETE /v1/traces/${encodeURIComponent(`${projectName} ${key}`)}`);
    expect((await remove("x")).status).toBe(204);
    expect((await list())[0]).toMatchObject({ span_count: 1, trace_count: 1, session_count: 0 });
    expect((await remove("y")).status).toBe(204);
    expect(await list()).toEqual([]);
  });

  test("a trace that moves takes its failures along", async () => {
    const from = projectName;
    await store(failing("moving", { traceKey: "m" }), failing("moving", { traceKey: "stays" }));
    await list();
    projectName = `${from} to`;
    await store(incomingSpan({ traceKey: "there" }));
    const ids = await askData<{ trace: { id: string }; projects: { edges: { node: { id: string; name: string } }[] } }>(
      api,
      `{ trace: getTraceByOtelId(traceId: "${from} m") { id } projects { edges { node { id name } } } }`,
    );
    const target = ids.projects.edges.find(({ node }) => node.name === projectName)!.node.id;
    await askData(
      api,
      `mutation { transferTracesToProject(traceIds: ["${ids.trace.id}"], projectId: "${target}") { __typename } }`,
    );
    expect((await list()).map((group) => group.span_count)).toEqual([1]);
    expect((await list("", from)).map((group) => group.span_count)).toEqual([1]);
  });

  test("a resolved group opens again in a version that had not failed before, and an ignored one does not", async () => {
    await store(failing("again", { traceKey: "1", extra: inVersion("2.0") }));
    const [group] = await list();
    const resolved = await change(group!, { state: "resolved" });
    expect(resolved).toMatchObject({ state: "resolved", resolved_version: null });
    const soon = () => ({ startUs: Date.now() * 1000 + 60e6, endUs: Date.now() * 1000 + 61e6 });
    await store(failing("again", { traceKey: "2", extra: inVersion("2.0"), ...soon() }));
    expect((await list())[0]).toMatchObject({ state: "resolved", span_count: 2 });
    await store(failing("again", { traceKey: "3", extra: inVersion("2.1"), ...soon() }));
    expect((await list("?state=reopened"))[0]).toMatchObject({ reopened_version: "2.1", span_count: 3 });
    expect(await change(group!, { state: "resolved", resolved_version: "2.3" })).toMatchObject({
      state: "resolved",
      resolved_version: "2.3",
      reopened_version: null,
    });
    const later = () => ({ startUs: Date.now() * 1000 + 120e6, endUs: Date.now() * 1000 + 121e6 });
    await store(failing("again", { traceKey: "4", extra: inVersion("2.2"), ...later() }));
    expect((await list())[0]!.state).toBe("resolved");
    await store(failing("again", { traceKey: "5", ...later() }));
    expect((await list())[0]).toMatchObject({ state: "reopened", resolved_version: "2.3", reopened_version: null });
    await change(group!, { state: "ignored" });
    await store(failing("again", { traceKey: "6", extra: inVersion("9"), ...later() }));
    expect((await list())[0]).toMatchObject({ state: "ignored", span_count: 6 });
    const refused = await ask(`PATCH /${group!.id}`, { state: "open", resolved_version: "3" });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("resolved_version")]);
  });

  test("merges and splits hold for what comes", async () => {
    await store(failing("one", { traceKey: "1" }, "One"), failing("two", { traceKey: "1" }, "Two"));
    const [first, second] = (await list("?sort=first_seen")).toSorted((a, b) => (a.type! < b.type! ? -1 : 1));
    const merged = (await ask(`POST /${first!.id}/merge`, { failure_group_identifiers: [second!.id] })).answer.data;
    expect(merged).toMatchObject({ key: first!.key, span_count: 2, trace_count: 1 });
    await store(failing("two", { traceKey: "2" }, "Two"));
    expect((await list()).map((group) => [group.type, group.span_count])).toEqual([["One", 3]]);
    expect((await one(first!.key)).fingerprints.map((each: never) => each["type"]).sort()).toEqual(["One", "Two"]);
    const apart = await ask(`POST /${first!.key}/split`, { fingerprint: second!.key });
    expect(apart.answer.data).toMatchObject({ key: second!.key, type: "Two", span_count: 2 });
    expect((await ask(`POST /${first!.key}/split`, { fingerprint: first!.key })).status).toBe(422);
    expect((await ask(`POST /${first!.key}/split`, { attribute: "region" })).status).toBe(422);

    const inRegion = (region: string) => ({ traceKey: region, attributes: JSON.stringify({ cloud: { region } }) });
    await store(failing("one", inRegion("eu"), "One"), failing("one", inRegion("us"), "One"));
    const split = { attribute: "cloud.region", value: "eu" };
    const part = (await ask(`POST /${first!.key}/split`, split)).answer.data;
    expect(part).toMatchObject({ type: "One", span_count: 1 });
    await store(failing("one", { ...inRegion("eu"), traceKey: "eu again" }, "One"));
    const counts = new Map((await list()).map((group) => [group.key, group.span_count]));
    expect([counts.get(part.key), counts.get(first!.key), counts.get(second!.key)]).toEqual([2, 2, 2]);
    expect((await ask(`POST /${first!.key}/split`, split)).status).toBe(409);
  });

  test("spans from before the upgrade are grouped behind ingestion", async () => {
    await store(failing("old", { traceKey: "1" }), failing("old", { traceKey: "2" }), incomingSpan({ traceKey: "3" }));
    const write = api.stored.storage.handle.write(api.context());
    await sql`delete from pending_failures`.execute(write);
    expect(await list()).toEqual([]);
    await sql`update failure_scans set below_id = (select max(id) + 1 from spans)`.execute(write);
    const { settlement } = api.features.use(failuresFeature);
    while (await settlement.examineOlder(api.context()));
    expect((await list()).map((group) => group.span_count)).toEqual([2]);
  });

  test("conditions on error_group choose spans, traces and sessions, current to the last span", async () => {
    const sessionKey = `${projectName} session`;
    await store(
      failing("one", { traceKey: "1", sessionKey, name: "first" }),
      incomingSpan({ traceKey: "1", name: "fine" }),
    );
    const [group] = await list();
    await store(
      failing("one", { traceKey: "2", name: "second" }),
      failing("two", { traceKey: "2", name: "third" }, "Other"),
      incomingSpan({ traceKey: "3", name: "fine" }),
    );
    const names = async (condition: string) => {
      const { project } = await askData<{ project: { spans: { edges: { node: { name: string } }[] } } }>(
        api,
        `query($condition: String!) { project: getProjectByName(name: "${projectName}") {
          spans(first: 50, filterCondition: $condition) { edges { node { name } } } } }`,
        { condition },
      );
      return project.spans.edges.map(({ node }) => node.name).sort();
    };
    expect(await names(`error_group == '${group!.key}'`)).toEqual(["first", "second"]);
    expect(await names(`error_group in ['${group!.key}', 'x'] and name == 'second'`)).toEqual(["second"]);
    expect(await names(`error_group != '${group!.key}'`)).toEqual(["third"]);
    expect(await names("error_group is None")).toEqual(["fine", "fine"]);
    const rows = async (list: string, condition: string, member: string) => {
      const path = `/v1/projects/${encodeURIComponent(projectName)}/${list}?filter=${encodeURIComponent(condition)}`;
      const { data } = JSON.parse(await (await send(api.server, `GET ${path}`)).text());
      return data.map((row: Record<string, string>) => row[member]!.replace(`${projectName} `, "")).sort();
    };
    expect(await rows("traces", `error_group == '${group!.key}'`, "trace_id")).toEqual(["1", "2"]);
    expect(await rows("traces", `error_group == '${group!.key}' and num_spans == 1`, "trace_id")).toEqual([]);
    expect(await rows("traces", `not (error_group == '${group!.key}')`, "trace_id")).toEqual(["3"]);
    expect(await rows("traces", "error_group is None", "trace_id")).toEqual(["3"]);
    expect(await rows("sessions", `error_group == '${group!.key}'`, "session_id")).toEqual(["session"]);
    expect(await rows("sessions", `error_group != '${group!.key}'`, "session_id")).toEqual([]);
  });

  test("verify names a count that is wrong, and a failure in the wrong group", async () => {
    await store(
      failing("true", { traceKey: "1", spanKey: `${projectName} true` }),
      failing("other", { traceKey: "1" }, "Other"),
    );
    const [group, other] = await list();
    const write = api.stored.storage.handle.write(api.context());
    await sql`update failure_groups set trace_count = 7 where group_key = ${group!.key}`.execute(write);
    expect(await differences()).toEqual([`failure group ${group!.key}: traceCount is 7, recomputed 1`]);
    await sql`update failure_groups set trace_count = 1 where group_key = ${group!.key}`.execute(write);
    const keys = [group!, other!].map(({ key }) => key);
    await sql`update failures set fingerprint_id = (select id from failure_fingerprints where fingerprint = ${keys[0]})
      where fingerprint_id = (select id from failure_fingerprints where fingerprint = ${keys[1]})`.execute(write);
    expect((await differences()).some((line) => line.startsWith("span ") && line.includes(keys[1]!))).toBe(true);
    // Examined again, it is right again.
    await sql`insert into pending_failures select span_id from failures where true on conflict do nothing`.execute(
      write,
    );
    expect(await differences()).toEqual([]);
  });
});
