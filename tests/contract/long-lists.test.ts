// Pages of long traces and of long sessions: exactly those that sorting everything would give, and read out of indexes, so that a page
// costs its own rows.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { type Order, startAt, startBehind } from "../../src/kernel/list.ts";
import type { IncomingSpan } from "../../src/model/span.ts";
import { createSpanListStore } from "../../src/modules/tracing/spans/list/span-list.store.ts";
import { createTraceSpansStore } from "../../src/modules/tracing/spans/list/trace-spans.store.ts";
import { createSpanRowsStore } from "../../src/modules/tracing/spans/rows/span-rows.store.ts";
import { type SpanFilterInput, spanFilterOf } from "../../src/modules/tracing/spans/span-filter.rules.ts";
import { createTraceReadsStore } from "../../src/modules/tracing/traces/reads/trace-reads.store.ts";
import { forEachDriver } from "../support/drivers.ts";
import { openQueryPlans, type QueryPlans } from "../support/query-plans.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import { openTestStorage, type TestStorage } from "../support/storage.ts";

const LONG = 4000;
const TRACES = 400;
const SECOND_US = 1_000_000;

/** A span of which the places in every order are known. */
interface Known
  extends Pick<IncomingSpan, "traceKey" | "spanKey" | "parentKey" | "name" | "startUs" | "sessionKey" | "userKey"> {
  readonly id: number;
  readonly traceId: number;
}

/** The long trace arrives among the traces of two sessions, its spans in another order than they began, several at once. One
 *  session has no users, no roots at its ends, and traces of two roots. */
function incoming(): IncomingSpan[] {
  const ofLong = Array.from({ length: LONG }, (_, number) =>
    incomingSpan({
      traceKey: "long",
      spanKey: `l${number}`,
      parentKey: number === LONG - 1 ? null : `l${number % 10 === 0 ? LONG - 1 : number - (number % 10)}`,
      name: `step ${number % 3}`,
      startUs: START_US + Math.floor(((number * 7919) % LONG) / 3) * SECOND_US,
    }),
  );
  const ofSessions = Array.from({ length: TRACES * 3 }, (_, number) => {
    const trace = Math.floor(number / 3);
    const second = trace % 2 === 1;
    const isRoot = second ? number % 3 !== 0 && trace > 9 && trace < TRACES - 9 : number % 3 === 2;
    return incomingSpan({
      traceKey: `t${trace}`,
      spanKey: `s${number}`,
      parentKey: isRoot ? null : `s${number - (number % 3) + 2}`,
      sessionKey: second ? "plain" : "named",
      userKey: !second && trace > 20 && number % 3 === 1 ? `user ${trace}` : null,
      startUs: START_US + (Math.floor(trace / 4) * 40 + (number % 2)) * SECOND_US,
    });
  });
  const mixed: IncomingSpan[] = [];
  for (let at = 0; at < LONG; at += 40) {
    mixed.push(...ofLong.slice(at, at + 40), ...ofSessions.slice((at * 3) / 10, (at * 3) / 10 + 12));
  }
  return mixed;
}

forEachDriver("long lists", (driver) => {
  let store: TestStorage;
  let plans: QueryPlans;
  let spans: readonly Known[];
  let projectId: number;
  const ids = { named: 0, plain: 0 };
  const traceIdOf = (key: string) => spans.find(({ traceKey }) => traceKey === key)!.traceId;

  beforeAll(async () => {
    store = await openTestStorage(await driver.createDatabase());
    const sent = incoming();
    for (let first = 0; first < sent.length; first += 260) {
      await ingestBatch(store.ingest, sent.slice(first, first + 260));
    }
    // As the database does by itself after a while. Until then PostgreSQL has to look into the table whatever the index holds.
    if (driver.name === "postgres") await sql`vacuum spans`.execute(store.storage.handle.write(store.context()));
    plans = openQueryPlans(store);
    await plans.analyze();
    const database = store.storage.handle.read(store.context(), "short");
    const rows = await database.selectFrom("spans").select(["id", "trace_id", "project_id", "span_key"]).execute();
    const stored = new Map(rows.map((row) => [row.span_key, row]));
    projectId = rows[0]!.project_id;
    spans = sent.map((span) => {
      const { id, trace_id } = stored.get(span.spanKey)!;
      return { ...span, id, traceId: trace_id };
    });
    for (const row of await database.selectFrom("sessions").select(["id", "session_key"]).execute()) {
      ids[row.session_key as keyof typeof ids] = row.id;
    }
  }, 60_000);
  afterAll(async () => {
    await plans.close();
    await store.close();
  });

  const byId = (one: Known, other: Known) => one.id - other.id;
  const byStart = (one: Known, other: Known) => one.startUs - other.startUs || one.id - other.id;

  describe("the spans of traces over REST", () => {
    const pageOf = (filter: SpanFilterInput, sort: "arrival" | "startTime", order: Order, limit: number) => {
      const list = createSpanListStore(store.storage.dialect);
      return (after: Known | null, included: boolean) => {
        const place = after && { value: sort === "arrival" ? after.id : after.startUs, rowId: after.id };
        const start = included ? startAt(place) : startBehind(place);
        const scope = { projectId, filter: spanFilterOf(filter) };
        return list.list(store.context(), scope, { sort, order, limit, start });
      };
    };
    const cases: readonly (readonly [name: string, SpanFilterInput, (span: Known) => boolean])[] = [
      ["all", { traceKeys: ["long"] }, ({ traceKey }) => traceKey === "long"],
      [
        "those of a name",
        { traceKeys: ["long"], names: ["step 2"] },
        ({ traceKey, name }) => traceKey === "long" && name === "step 2",
      ],
      ["those of a parent", { traceKeys: ["long"], parentKey: "l20" }, ({ parentKey }) => parentKey === "l20"],
      [
        "those of a time",
        { traceKeys: ["long"], startUs: START_US + 9 * SECOND_US, endUs: START_US + 200 * SECOND_US },
        ({ traceKey, startUs }) =>
          traceKey === "long" && startUs >= START_US + 9 * SECOND_US && startUs < START_US + 200 * SECOND_US,
      ],
      [
        "those of three traces",
        { traceKeys: ["long", "t7", "t300", "none"] },
        ({ traceKey }) => ["long", "t7", "t300"].includes(traceKey),
      ],
      [
        "those of very many traces",
        { traceKeys: ["long", ...Array.from({ length: 500 }, (_, at) => `t${at}`)] },
        () => true,
      ],
    ];
    test.each(cases)("%s: every page, in every order", async (_name, filter, matches) => {
      for (const sort of ["arrival", "startTime"] as const) {
        for (const order of ["asc", "desc"] as const) {
          const wanted = spans.filter(matches).sort(sort === "arrival" ? byId : byStart);
          if (order === "desc") wanted.reverse();
          const limit = Math.min(700, Math.ceil(wanted.length / 3));
          for (const begin of [0, 1, 2, limit, Math.floor(wanted.length / 2), wanted.length - 3, wanted.length - 1]) {
            const from = wanted[begin]!;
            const read = pageOf(filter, sort, order, limit);
            const at = await read(begin === 0 ? null : from, true);
            expect(at.items.map(({ id }) => id)).toEqual(wanted.slice(begin, begin + limit).map(({ id }) => id));
            expect(at.next?.rowId).toBe(wanted[begin + limit]?.id);
            const behind = await read(from, false);
            expect(behind.items.map(({ id }) => id)).toEqual(
              wanted.slice(begin + 1, begin + 1 + limit).map(({ id }) => id),
            );
            expect(behind.next?.rowId).toBe(wanted[begin + 1 + limit]?.id);
          }
        }
      }
    });

    test("a page of a trace reads entries of an index and its own rows", async () => {
      const middle = spans.filter(({ traceKey }) => traceKey === "long")[LONG / 2]!;
      for (const sort of ["arrival", "startTime"] as const) {
        for (const order of ["asc", "desc"] as const) {
          const place = { value: sort === "arrival" ? middle.id : middle.startUs, rowId: middle.id };
          const list = createSpanListStore(store.storage.dialect);
          const made = await plans.plansOf((context) => {
            const scope = { projectId, filter: spanFilterOf({ traceKeys: ["long"] }) };
            return list.list(context, scope, { sort, order, limit: 50, start: startAt(place) });
          });
          const [, choosing] = made;
          expect(choosing).toMatch(/COVERING INDEX spans_by_trace_start|Index Only Scan.* using spans_by_trace_start/);
          expect(choosing!.match(/spans_by_\w+/g)).toEqual(["spans_by_trace_start"]);
          // The index has the order of the start: it is walked from the place on, to the end of the page.
          if (sort === "startTime") expect(choosing).not.toMatch(/TEMP B-TREE|Sort/);
          expect(made).toHaveLength(3);
        }
      }
    });
  });

  describe("the spans of traces over GraphQL", () => {
    const all = { roots: "none", filter: null, limit: 50, start: null } as const;

    test("a page of each trace, from any place on", async () => {
      const list = createTraceSpansStore(store.storage.dialect);
      const keys = ["long", ...Array.from({ length: TRACES }, (_, at) => `t${at}`)];
      const traceIds = keys.map(traceIdOf);
      for (const [limit, start] of [
        [1, null],
        [50, null],
        [50, spans.at(-900)!],
      ] as const) {
        const request = { ...all, limit, start: startBehind(start && { value: start.id, rowId: start.id }) };
        const found = (await list.listOfTraces(store.context(), traceIds, request, 20_000))!;
        const wanted = spans
          .filter(({ id }) => start === null || id < start.id)
          .sort(byId)
          .reverse();
        for (const [traceId, rows] of Map.groupBy(wanted, (span) => span.traceId)) {
          const page = found.get(traceId)!;
          expect(page.items.map(({ id }) => id)).toEqual(rows.slice(0, limit).map(({ id }) => id));
          expect(page.next?.rowId).toBe(rows[limit]?.id);
        }
      }
    });

    test("too many in all are refused", async () => {
      const list = createTraceSpansStore(store.storage.dialect);
      const of = (most: number) => list.listOfTraces(store.context(), [traceIdOf("long")], { ...all, limit: 99 }, most);
      expect((await of(100))?.size).toBe(1);
      expect(await of(99)).toBeNull();
    });

    test("the span that represents each trace", async () => {
      const list = createTraceSpansStore(store.storage.dialect);
      const byTrace = Map.groupBy(spans, (span) => span.traceId);
      for (const roots of ["strict", "orphans"] as const) {
        const found = (await list.listOfTraces(store.context(), [...byTrace.keys()], { ...all, roots }, 20_000))!;
        for (const [traceId, rows] of byTrace) {
          const keys = new Set(rows.map(({ spanKey }) => spanKey));
          const may = rows.filter(
            ({ parentKey }) => parentKey === null || (roots === "orphans" && !keys.has(parentKey)),
          );
          const [first] = may.sort((one, other) => one.startUs - other.startUs || other.id - one.id);
          expect(found.get(traceId)?.items.map(({ id }) => id) ?? []).toEqual(first === undefined ? [] : [first.id]);
        }
      }
    });

    test("the search for it ends with the first span that may be it", async () => {
      const list = createTraceSpansStore(store.storage.dialect);
      for (const roots of ["strict", "orphans"] as const) {
        const traceIds = [traceIdOf("long"), traceIdOf("t1")];
        const [search] = await plans.plansOf((context) =>
          list.listOfTraces(context, traceIds, { ...all, roots }, 20_000),
        );
        // Whatever sorts has to see everything.
        expect(search).toContain("spans_by_trace_start");
        expect(search).not.toMatch(/TEMP B-TREE|Sort/);
      }
    });

    test("a page of a trace chooses among entries of an index", async () => {
      const list = createTraceSpansStore(store.storage.dialect);
      const [choosing, reading] = await plans.plansOf((context) =>
        list.listOfTraces(context, [traceIdOf("long")], all, 20_000),
      );
      expect(choosing).toMatch(/COVERING INDEX spans_by_trace_start|Index Only Scan.* using spans_by_trace_start/);
      expect(reading).toMatch(/INTEGER PRIMARY KEY|spans_pkey/);
    });
  });

  describe("sessions", () => {
    /** By start, as traces of sessions are listed. */
    function tracesOf(session: "named" | "plain") {
      const byTrace = Map.groupBy(
        spans.filter(({ sessionKey }) => sessionKey === session),
        (span) => span.traceId,
      );
      return [...byTrace]
        .map(([id, rows]) => ({
          id,
          startUs: Math.min(...rows.map(({ startUs }) => startUs)),
          rows: rows.sort(byStart),
        }))
        .sort((one, other) => one.startUs - other.startUs || one.id - other.id);
    }

    test("a page of the traces of each, from any place on", async () => {
      const reads = createTraceReadsStore(store.storage.dialect);
      for (const session of ["named", "plain"] as const) {
        const wanted = tracesOf(session);
        for (const begin of [-1, 0, 1, 99, wanted.length - 2]) {
          const from = wanted[begin] ?? null;
          const request = { start: startBehind(from && { value: from.startUs, rowId: from.id }), limit: 60 };
          const found = await reads.listOfSessions(store.context(), [ids.named, ids.plain], request, 20_000);
          const page = found!.get(ids[session])!;
          const rest = wanted.slice(begin + 1);
          expect(page.items.map(({ id }) => id)).toEqual(rest.slice(0, 60).map(({ id }) => id));
          expect(page.next?.rowId).toBe(rest[60]?.id);
        }
      }
      const request = { start: null, limit: 9 };
      expect(await reads.listOfSessions(store.context(), [ids.named, ids.plain], request, 19)).toBeNull();
    });

    test("their first and last roots, and their first user", async () => {
      const rows = createSpanRowsStore(store.storage.dialect);
      const reads = createTraceReadsStore(store.storage.dialect);
      const both = [ids.named, ids.plain];
      for (const end of ["first", "last"] as const) {
        const found = await rows.findSessionEnds(store.context(), both, end);
        for (const session of ["named", "plain"] as const) {
          const roots = tracesOf(session).flatMap((trace) =>
            trace.rows.filter(({ parentKey }) => parentKey === null).sort(byId),
          );
          expect(found.find(({ sessionId }) => sessionId === ids[session])?.id).toBe(
            roots.at(end === "first" ? 0 : -1)!.id,
          );
        }
      }
      const users = await reads.findSessionUsers(store.context(), both);
      const first = tracesOf("named")
        .flatMap((trace) => trace.rows)
        .find(({ userKey }) => userKey !== null)!;
      expect([...users]).toEqual([[ids.named, first.userKey!]]);
      const traces = tracesOf("named").slice(0, 40);
      const ofTraces = await reads.findUsers(
        store.context(),
        traces.map(({ id }) => id),
      );
      const named = traces.flatMap(({ id, rows: own }) => {
        const user = own.find(({ userKey }) => userKey !== null)?.userKey;
        return user === undefined ? [] : [[id, user] as [number, string | null]];
      });
      expect([...ofTraces].sort()).toEqual(named.sort() as [number, string][]);
    });

    test("a page of their traces is walked on its index", async () => {
      const reads = createTraceReadsStore(store.storage.dialect);
      const request = { start: null, limit: 8 };
      const [plan] = await plans.plansOf((context) =>
        reads.listOfSessions(context, [ids.named, ids.plain], request, 99),
      );
      expect(plan).toContain("traces_by_session");
      expect(plan).not.toMatch(/WindowAgg|SCAN traces/);
    });
  });
});
