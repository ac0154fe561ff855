// Annotations and notes over REST: written, listed, deleted, and kept for targets that come later, on both databases.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Principal } from "../../src/access/principal.ts";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { findGlobalId } from "../../src/kernel/ids.ts";
import { annotationsFeature } from "../../src/modules/evaluation/annotations/annotations.feature.ts";
import { verifyStorage } from "../../src/modules/tracing/traces/verify/verify.service.ts";
import { ownedTables } from "../../src/server/features.ts";
import { openTestApi, send, type TestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { incomingSpan } from "../support/spans.ts";

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly annotator_kind: string;
  readonly identifier: string;
  readonly source: string;
  readonly result: {
    readonly label: string | null;
    readonly score: number | null;
    readonly explanation: string | null;
  };
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly user_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

const PROJECT = "annotated";

forEachDriver("annotations over REST", (driver) => {
  let api: TestApi;
  let principal: Principal = { kind: "open" };
  beforeAll(async () => {
    api = await openTestApi(await driver.createDatabase(), {
      resolvePrincipal: () => principal,
      settings: { bodyLimit: 64 * 1024 * 1024 },
    });
    await store(
      { spanKey: "s1", traceKey: "t1", sessionKey: "c1" },
      { spanKey: "s2", traceKey: "t1", sessionKey: "c1" },
      { spanKey: "s3", traceKey: "t2" },
      {
        spanKey: "retrieval",
        traceKey: "t3",
        kind: "RETRIEVER",
        attributes: '{"retrieval":{"documents":[{"document":{"id":"a"}},{"document":{"id":"b"}}]}}',
      },
    );
  });
  afterAll(async () => {
    const report = await verifyStorage(api.stored.storage, api.context(), ownedTables);
    expect(report.differences).toEqual([]);
    await api.close();
  });

  const store = (...spans: Parameters<typeof incomingSpan>[0][]) =>
    ingestBatch(
      api.stored.ingest,
      spans.map((span) => incomingSpan({ projectName: PROJECT, ...span })),
    );
  const ask = async (line: string, json?: unknown) => {
    const response = await send(api.server, line, json === undefined ? {} : { json });
    const text = await response.text();
    return { status: response.status, text, ...(text.startsWith("{") ? JSON.parse(text) : {}) };
  };
  const annotate = (what: string, data: readonly object[], sync = true) =>
    ask(`POST /v1/${what}_annotations?sync=${sync}`, { data });
  const list = async (what: string, query: string) =>
    (await ask(`GET /v1/projects/${PROJECT}/${what}_annotations?${query}`)).data as Listed[];
  const kept = () => api.features.use(annotationsFeature).pending;
  const said = (rest: object) => ({ name: "q", annotator_kind: "LLM", ...rest });

  test.each([
    ["span", { span_id: "s1" }, "SpanAnnotation"],
    ["trace", { trace_id: "t1" }, "TraceAnnotation"],
    ["session", { session_id: "c1" }, "ProjectSessionAnnotation"],
  ])("of a %s are answered with their ids and listed as they were sent", async (what, target, type) => {
    const [[key, id]] = Object.entries(target) as [[string, string]];
    const sent = said({
      ...target,
      result: { label: "good\u0000", score: 0.1, explanation: "because" },
      metadata: { n: 1, deep: { big: 12345678901234567890n.toString() } },
      identifier: "i",
    });
    const { status, data } = await annotate(what, [sent, said({ ...target, name: "", annotator_kind: "CODE" })]);
    expect(status).toBe(200);
    expect(data.map(({ id: given }: { id: string }) => findGlobalId(given)?.type)).toEqual([type, type]);
    const [plain, full] = await list(what, `${key}s=${id}`);
    expect(full).toMatchObject({
      id: data[0].id,
      [key]: id,
      name: "q",
      annotator_kind: "LLM",
      result: { label: "good\uFFFD", score: 0.1, explanation: "because" },
      metadata: { n: 1, deep: { big: "12345678901234567890" } },
      identifier: "i",
      source: "API",
      user_id: null,
    });
    expect(plain).toMatchObject({ name: "", metadata: {}, result: { label: null, score: null, explanation: null } });
  });

  test("of the same target, name and identifier the last one stays, under the id of the first", async () => {
    const first = await annotate("span", [said({ span_id: "s2", result: { label: "a", score: 1 } })]);
    const [before] = await list("span", "span_ids=s2");
    const again = await annotate("span", [
      said({ span_id: "s2", result: { label: "b" } }),
      said({ span_id: "s2", annotator_kind: "HUMAN", result: { explanation: "c" } }),
      said({ span_id: "s2", identifier: "other" }),
    ]);
    expect(again.data.slice(0, 2)).toEqual([first.data[0], first.data[0]]);
    const rows = await list("span", "span_ids=s2");
    expect(rows.map(({ identifier }) => identifier)).toEqual(["other", ""]);
    expect(rows[1]).toMatchObject({
      id: before!.id,
      annotator_kind: "HUMAN",
      result: { label: null, score: null, explanation: "c" },
      created_at: before!.created_at,
    });
    expect(rows[1]!.updated_at > before!.updated_at).toBe(true);
  });

  test("one unknown target refuses them all", async () => {
    const refused = await annotate("trace", [
      said({ trace_id: "t2", name: "never" }),
      said({ trace_id: "nowhere", name: "never" }),
    ]);
    expect([refused.status, refused.text]).toEqual([404, "No trace has the id nowhere"]);
    expect(await list("trace", "trace_ids=t2")).toEqual([]);
  });

  test("what is wrong is named, and nothing of the body is stored", async () => {
    const good = said({ span_id: "s3", name: "mixed" });
    const wrong = async (item: object) => {
      const { status, text } = await annotate("span", [good, { ...good, ...item }]);
      return [status, text.includes("detail") ? JSON.parse(text).detail[0].loc : text] as const;
    };
    expect(await wrong({ result: { score: "much" } })).toEqual([422, ["body", "data", 1, "result", "score"]]);
    expect(await wrong({ name: "n".repeat(1025) })).toEqual([422, ["body", "data", 1, "name"]]);
    expect(await wrong({ name: "note" })).toEqual([
      400,
      'The name "note" is reserved for notes: send those to POST /v1/span_notes',
    ]);
    for (const score of ["NaN", "Infinity", '"inf"', '"1e999"', "1e999"]) {
      const body = `{"data":[{"span_id":"s3","name":"mixed","annotator_kind":"LLM","result":{"score":${score}}}]}`;
      const headers = { "content-type": "application/json" };
      expect((await send(api.server, "POST /v1/span_annotations?sync=true", { body, headers })).status).toBe(422);
    }
    expect(await list("span", "span_ids=s3")).toEqual([]);
  });

  test("a whole score is answered with its fraction", async () => {
    await annotate("span", [said({ span_id: "retrieval", name: "whole", result: { score: 1 } })]);
    const path = `GET /v1/projects/${PROJECT}/span_annotations?span_ids=retrieval&include_annotation_names=whole`;
    expect((await ask(path)).text).toContain('"score":1.0');
  });

  test("documents are judged by their place in what the span retrieved", async () => {
    const judged = (document_position: number) => [said({ span_id: "retrieval", document_position })];
    expect((await annotate("document", judged(1))).status).toBe(200);
    const beyond = await annotate("document", judged(2));
    expect([beyond.status, beyond.text]).toEqual([
      422,
      "document_position: span retrieval retrieved no document at position 2",
    ]);
    expect((await annotate("document", [{ ...judged(0)[0], identifier: "x" }])).status).toBe(422);
  });

  test("pages lead through all of them, and names choose", async () => {
    const names = ["p1", "p2", "p3", "p4", "note"];
    await annotate(
      "trace",
      names.slice(0, 4).map((name) => said({ trace_id: "t2", name, identifier: "paged" })),
    );
    await ask("POST /v1/trace_notes", { data: { trace_id: " t2 ", note: " beside \n", identifier: "paged" } });
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = await ask(
        `GET /v1/projects/${PROJECT}/trace_annotations?identifier=paged&limit=2&cursor=${encodeURIComponent(cursor)}`,
      );
      seen.push(...page.data.map(({ name }: Listed) => name));
      cursor = page.next_cursor ?? "";
    } while (cursor !== "");
    expect(seen).toEqual(names.toReversed());
    const chosen = await list("trace", "trace_ids=t2&include_annotation_names=p1&include_annotation_names=note");
    expect(chosen.map(({ name, result }) => [name, result.explanation])).toEqual([
      ["note", "beside"],
      ["p1", null],
    ]);
    expect((await list("trace", "trace_ids=t2&exclude_annotation_names=note")).map(({ name }) => name)).not.toContain(
      "note",
    );
  });

  test("notes without an identifier are added, with one they are replaced", async () => {
    const note = (rest: object) => ask("POST /v1/session_notes", { data: { session_id: "c1", ...rest } });
    const ids = [await note({ note: "one" }), await note({ note: "one" })].map(({ data }) => data.id);
    expect(new Set(ids).size).toBe(2);
    const first = await note({ note: "two", identifier: "mine" });
    expect((await note({ note: "three", identifier: "mine" })).data).toEqual(first.data);
    const notes = await list("session", "session_ids=c1&include_annotation_names=note");
    expect(notes.map(({ result }) => result.explanation)).toEqual(["three", "one", "one"]);
    expect(notes[1]!.identifier).toStartWith("px-session-note:");
  });

  describe("before their target", () => {
    test.each([
      ["span", { span_id: "late" }, { span_ids: "late" }],
      ["trace", { trace_id: "later" }, { trace_ids: "later" }],
      ["session", { session_id: "latest" }, { session_ids: "latest" }],
    ])("those of a %s wait and are there once it comes", async (what, target, query) => {
      const answer = await annotate(
        what,
        [said({ ...target, result: { label: "first" } }), said({ ...target, result: { label: "last" } })],
        false,
      );
      expect([answer.status, answer.data]).toEqual([200, []]);
      expect(await kept().apply(api.context())).toBe(0);
      const keys = { spanKey: "late", traceKey: "later", sessionKey: "latest", ...target };
      await store({ spanKey: `${what}-late`, traceKey: `${what}-later`, ...namesOf(keys, what) });
      expect(await kept().apply(api.context())).toBe(2);
      const rows = await list(what, new URLSearchParams(query as Record<string, string>).toString());
      expect(rows.map(({ result }) => result.label)).toEqual(["last"]);
      expect(await kept().apply(api.context())).toBe(0);
    });

    test("later annotations stay", async () => {
      await annotate("span", [said({ span_id: "again", name: "late", result: { label: "kept" } })], false);
      await store({ spanKey: "again", traceKey: "again" });
      await annotate("span", [said({ span_id: "again", name: "late", result: { label: "newer" } })], true);
      await kept().apply(api.context());
      expect((await list("span", "span_ids=again"))[0]!.result.label).toBe("newer");
    });

    test("what is there is written at once, and documents out of range are passed over", async () => {
      await annotate("document", [said({ span_id: "retrieval", document_position: 7, name: "far" })], false);
      await annotate("span", [said({ span_id: "s3", name: "at once" }), said({ span_id: "never" })], false);
      expect((await list("span", "span_ids=s3")).map(({ name }) => name)).toEqual(["at once"]);
    });

    test("after a day they are dropped", async () => {
      const { storage } = api.stored;
      await storage.handle.write(api.context()).updateTable("pending_annotations").set({ received_us: 1 }).execute();
      expect(await kept().dropOld(api.context())).toBe(1);
      expect(await kept().dropOld(api.context())).toBe(0);
    });
  });

  test("two writers of the same annotation at once make one row", async () => {
    const both = Array.from({ length: 8 }, (_, writer) =>
      annotate(
        "span",
        ["s3", "s1", "s2"].map((span_id) => said({ span_id, name: "race", result: { label: `${writer}` } })),
      ),
    );
    const answers = await Promise.all(both);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1);
  });

  test("a deletion takes what matches every filter, in its project alone", async () => {
    await store({ projectName: "elsewhere", spanKey: "e1", traceKey: "e1" });
    await annotate("span", [
      said({ span_id: "s1", name: "gone" }),
      said({ span_id: "s1", name: "gone", identifier: "i" }),
    ]);
    await annotate("span", [said({ span_id: "e1", name: "gone" })]);
    const remove = (query: string) => ask(`DELETE /v1/projects/${PROJECT}/span_annotations?${query}`);
    expect((await remove("name=gone")).status).toBe(422);
    expect((await remove("name=gone&start_time=2020-01-01T00:00:00Z&end_time=2021-01-01T00:00:00Z")).status).toBe(204);
    expect((await remove("name=gone&identifier=i&annotator_kind=LLM&delete_all=true")).status).toBe(204);
    expect(
      (await list("span", "span_ids=s1&include_annotation_names=gone")).map(({ identifier }) => identifier),
    ).toEqual([""]);
    expect((await remove("name=gone&delete_all=true")).status).toBe(204);
    expect(await list("span", "span_ids=s1&include_annotation_names=gone")).toEqual([]);
    const other = await ask("GET /v1/projects/elsewhere/span_annotations?span_ids=e1");
    expect(other.data).toHaveLength(1);
  });

  test("members delete their own, administrators all", async () => {
    const people = await Promise.all(
      ["one", "two"].map(async (username) => {
        const { id } = await api.accounts.users.createUser(api.context(), {
          authMethod: "LOCAL",
          username,
          email: `${username}@example.com`,
          password: "password-of-a-person-1",
          role: "MEMBER",
          passwordOptional: false,
          sendWelcome: false,
        });
        return id;
      }),
    );
    const as = (userId: number, role: "MEMBER" | "ADMIN") => {
      principal = { kind: "user", userId, role, credential: "login", mustChangePassword: false };
    };
    for (const userId of people) {
      as(userId, "MEMBER");
      await annotate("trace", [said({ trace_id: "t1", name: "own", identifier: `${userId}` })]);
    }
    const owners = async () =>
      (await list("trace", "trace_ids=t1&include_annotation_names=own")).map(
        ({ user_id }) => findGlobalId(user_id!)?.rowId,
      );
    expect(await owners()).toEqual(people.toReversed());
    await ask(`DELETE /v1/projects/${PROJECT}/trace_annotations?name=own&delete_all=true`);
    expect(await owners()).toEqual([people[0]]);
    as(people[1]!, "ADMIN");
    await ask(`DELETE /v1/projects/${PROJECT}/trace_annotations?name=own&delete_all=true`);
    expect(await owners()).toEqual([]);
    principal = { kind: "open" };
  });

  test("100,000 in one body are stored", async () => {
    const data = Array.from({ length: 100_000 }, (_, number) =>
      said({ span_id: "s1", name: `n${number % 500}`, identifier: `${number}` }),
    );
    expect((await annotate("span", data, false)).status).toBe(200);
    expect(await list("span", "span_ids=s1&limit=10000&include_annotation_names=n7")).toHaveLength(200);
  });

  test("they go with what they are about", async () => {
    expect((await ask("DELETE /v1/traces/t1")).status).toBe(204);
    for (const table of ["span_annotations", "trace_annotations", "session_annotations"] as const) {
      const rows = await api.stored.storage.handle
        .read(api.context(), "short")
        .selectFrom(table)
        .select("id")
        .execute();
      expect(rows.length).toBeLessThan(20);
    }
    expect((await ask(`GET /v1/projects/${PROJECT}/span_annotations?span_ids=s1`)).status).toBe(404);
  });
});

/** The keys of a span that brings what is waited for. */
function namesOf(keys: Readonly<Record<string, string>>, what: string) {
  if (what === "span") return { spanKey: keys.spanKey! };
  return what === "trace" ? { traceKey: keys.traceKey! } : { sessionKey: keys.sessionKey! };
}
