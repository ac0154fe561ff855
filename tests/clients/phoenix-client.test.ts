// The official TypeScript client, unmodified, against the real service: spans, traces, sessions, projects.
import { beforeAll, describe, expect, test } from "bun:test";
import { createClient, type PhoenixClient } from "@arizeai/phoenix-client";
import {
  addSessionAnnotation,
  deleteSession,
  deleteSessions,
  getSession,
  getSessionTurns,
  listSessions,
} from "@arizeai/phoenix-client/sessions";
import {
  addDocumentAnnotation,
  addSpanAnnotation,
  addSpanNote,
  deleteSpan,
  getSpanAnnotations,
  getSpans,
  logSpanAnnotations,
  logSpans,
  SpanCreationError,
} from "@arizeai/phoenix-client/spans";
import { getTraces } from "@arizeai/phoenix-client/traces";
import { forEachService } from "../support/services.ts";

type LoggedSpan = Parameters<typeof logSpans>[0]["spans"][number];

const BASE_TIME = Date.parse("2025-03-01T12:00:00.000Z");

function hexId(digits: number, number: number): string {
  return number.toString(16).padStart(digits, "0");
}

/** The `number`-th trace: one root span of `number` seconds, one model call below it; each third one failed. */
function conversation(number: number, sessionId: string): LoggedSpan[] {
  const start = BASE_TIME + number * 60_000;
  const end = start + number * 1000;
  const trace_id = hexId(32, number);
  const failed = number % 3 === 0;
  return [
    {
      name: "turn",
      context: { trace_id, span_id: hexId(16, number * 2) },
      span_kind: "CHAIN",
      start_time: new Date(start).toISOString(),
      end_time: new Date(end).toISOString(),
      status_code: failed ? "ERROR" : "OK",
      attributes: {
        "session.id": sessionId,
        "input.value": `question ${number}`,
        "input.mime_type": "text/plain",
        "output.value": `answer ${number}`,
        "turn.number": number,
        "turn.label": String(number),
      },
    },
    {
      name: "model call",
      context: { trace_id, span_id: hexId(16, number * 2 + 1) },
      parent_id: hexId(16, number * 2),
      span_kind: "LLM",
      start_time: new Date(start).toISOString(),
      end_time: new Date(end).toISOString(),
      status_code: "OK",
      attributes: { "llm.token_count.prompt": number, "llm.token_count.completion": 1 },
    },
  ];
}

forEachService("phoenix-client", (service) => {
  const project = { project: "conversations" };
  let client: PhoenixClient;

  beforeAll(async () => {
    client = createClient({ options: { baseUrl: service.running.url } });
    const spans = [1, 2, 3, 4, 5, 6].flatMap((number) => conversation(number, number <= 4 ? "first" : "second"));
    expect(await logSpans({ client, project, spans })).toEqual({ totalReceived: 12, totalQueued: 12 });
  });

  describe("getServerVersion", () => {
    test("the version it reports lets the client use every route it knows", async () => {
      const [major] = await client.getServerVersion();
      expect(major).toBeGreaterThanOrEqual(20);
    });
  });

  describe("logSpans", () => {
    test("a span that is stored already is refused by name, and nothing else of the request is stored", async () => {
      const spans = [...conversation(7, "third"), ...conversation(1, "first")];
      const refusal = await logSpans({ client, project, spans }).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(SpanCreationError);
      expect((refusal as SpanCreationError).duplicateSpans.map(({ spanId }) => spanId)).toEqual([
        hexId(16, 2),
        hexId(16, 3),
      ]);
      expect((await getSpans({ client, project, traceIds: [hexId(32, 7)] })).spans).toEqual([]);
    });

    test("a span without a time zone is refused by its index", async () => {
      const [span] = conversation(8, "third");
      const naive = { ...span!, start_time: "2025-03-01T12:00:00" };
      const refusal = await logSpans({ client, project, spans: [naive] }).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(SpanCreationError);
      expect((refusal as SpanCreationError).invalidSpans.map(({ spanId }) => spanId)).toEqual([hexId(16, 16)]);
    });
  });

  describe("getSpans", () => {
    test("pages through every span once, newest first", async () => {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await getSpans({ client, project, limit: 5, cursor });
        seen.push(...page.spans.map((span) => span.context.span_id));
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(seen).toHaveLength(12);
      expect(new Set(seen).size).toBe(12);
    });

    test("finds the spans of some traces, root spans, names, kinds and states", async () => {
      const names = async (filter: Omit<Parameters<typeof getSpans>[0], "client" | "project">) =>
        (await getSpans({ client, project, ...filter })).spans
          .map((span) => `${span.name} ${span.context.trace_id.slice(-1)}`)
          .sort();
      expect(await names({ traceIds: [hexId(32, 2)] })).toEqual(["model call 2", "turn 2"]);
      expect(await names({ parentId: null, traceIds: [hexId(32, 2), hexId(32, 3)] })).toEqual(["turn 2", "turn 3"]);
      expect(await names({ parentId: hexId(16, 6) })).toEqual(["model call 3"]);
      expect(await names({ name: "turn", statusCode: "ERROR" })).toEqual(["turn 3", "turn 6"]);
      expect(await names({ spanKind: ["LLM"], traceIds: [hexId(32, 5)] })).toEqual(["model call 5"]);
      expect(await names({ name: ["turn", "none"], traceIds: [hexId(32, 1)] })).toEqual(["turn 1"]);
    });

    test("tells a number from a text in attributes", async () => {
      const traces = async (attributes: Record<string, string | number | boolean>) =>
        (await getSpans({ client, project, attributes })).spans.map((span) => span.context.trace_id);
      expect(await traces({ "turn.number": 4 })).toEqual([hexId(32, 4)]);
      expect(await traces({ "turn.number": "4" })).toEqual([]);
      expect(await traces({ "turn.label": "4" })).toEqual([hexId(32, 4)]);
      expect(await traces({ "turn.label": 4 })).toEqual([]);
      expect(await traces({ "input.value": "question 2", "session.id": "first" })).toEqual([hexId(32, 2)]);
    });

    test("a time range takes its start and leaves its end", async () => {
      const { spans } = await getSpans({
        client,
        project,
        startTime: new Date(BASE_TIME + 2 * 60_000),
        endTime: new Date(BASE_TIME + 4 * 60_000),
        name: "turn",
      });
      expect(spans.map((span) => span.context.trace_id).sort()).toEqual([hexId(32, 2), hexId(32, 3)]);
    });

    test("a project that is not there is answered with status 404", async () => {
      await expect(getSpans({ client, project: { project: "no such project" } })).rejects.toMatchObject({
        status: 404,
      });
    });
  });

  describe("getTraces", () => {
    test("lists newest first, without spans, with token sums", async () => {
      const { traces, nextCursor } = await getTraces({ client, project });
      expect(traces.map((trace) => trace.trace_id)).toEqual([6, 5, 4, 3, 2, 1].map((number) => hexId(32, number)));
      expect(traces[0]).toMatchObject({
        token_count_prompt: 6,
        token_count_completion: 1,
        token_count_total: 7,
        spans: null,
      });
      expect(nextCursor).toBeNull();
    });

    test("pages by latency without losing or repeating a trace", async () => {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await getTraces({ client, project, sort: "latency_ms", order: "asc", limit: 4, cursor });
        seen.push(...page.traces.map((trace) => trace.trace_id));
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(seen).toEqual([1, 2, 3, 4, 5, 6].map((number) => hexId(32, number)));
    });

    test("filters by session and time, and includes spans when asked", async () => {
      const { traces } = await getTraces({
        client,
        project,
        sessionId: "first",
        startTime: new Date(BASE_TIME + 3 * 60_000),
        includeSpans: true,
      });
      expect(traces.map((trace) => trace.trace_id)).toEqual([hexId(32, 4), hexId(32, 3)]);
      expect(traces[0]?.spans?.map((span) => span.name).sort()).toEqual(["model call", "turn"]);
    });
  });

  describe("sessions", () => {
    test("are listed, each with its traces in order", async () => {
      // Both came with one request: which row was made first is no promise.
      const sessions = await listSessions({ client, ...project });
      expect(sessions.map((session) => session.sessionId).sort()).toEqual(["first", "second"]);
      expect(sessions.find(({ sessionId }) => sessionId === "first")?.traces.map((trace) => trace.traceId)).toEqual(
        [1, 2, 3, 4].map((number) => hexId(32, number)),
      );
    });

    test("are found by either id, with the turns of the conversation", async () => {
      const byName = await getSession({ client, sessionId: "second" });
      expect(await getSession({ client, sessionId: byName.id })).toEqual(byName);
      const turns = await getSessionTurns({ client, sessionId: "second" });
      expect(turns.map((turn) => [turn.input?.value, turn.output?.value])).toEqual([
        ["question 5", "answer 5"],
        ["question 6", "answer 6"],
      ]);
    });
  });

  describe("projects", () => {
    test("are created by their first span and found by name and id", async () => {
      const { data } = await client.GET("/v1/projects", { params: { query: { name_contains: "CONVERS" } } });
      expect(data?.data).toMatchObject([{ name: "conversations", description: null }]);
      const id = data!.data[0]!.id;
      const found = await client.GET("/v1/projects/{project_identifier}", {
        params: { path: { project_identifier: id } },
      });
      expect(found.data?.data).toMatchObject({ id, name: "conversations" });
    });

    test("are created, changed and deleted", async () => {
      const created = await client.POST("/v1/projects", { body: { name: "short-lived", description: "at first" } });
      expect(created.data?.data).toMatchObject({ name: "short-lived", description: "at first" });
      const path = { project_identifier: "short-lived" };
      const changed = await client.PUT("/v1/projects/{project_identifier}", {
        params: { path },
        body: { description: "then" },
      });
      expect(changed.data?.data.description).toBe("then");
      await client.DELETE("/v1/projects/{project_identifier}", { params: { path } });
      await expect(client.GET("/v1/projects/{project_identifier}", { params: { path } })).rejects.toMatchObject({
        response: { status: 404 },
      });
    });

    test("the default project cannot be deleted", async () => {
      const path = { project_identifier: "default" };
      await expect(client.DELETE("/v1/projects/{project_identifier}", { params: { path } })).rejects.toMatchObject({
        response: { status: 403 },
      });
    });
  });

  describe("annotations", () => {
    const spanId = hexId(16, 2);
    const said = {
      name: "correctness",
      annotatorKind: "LLM",
      label: "correct",
      score: 0.9,
      explanation: "as asked",
    } as const;

    test("are logged for spans, documents and sessions, and read back", async () => {
      const [logged] = await logSpanAnnotations({
        client,
        sync: true,
        spanAnnotations: [{ ...said, spanId, metadata: { judge: "one" } }],
      });
      const { annotations } = await getSpanAnnotations({ client, project, spanIds: [spanId] });
      expect(annotations).toMatchObject([
        { id: logged!.id, name: said.name, annotator_kind: "LLM", metadata: { judge: "one" }, source: "API" },
      ]);
      expect(annotations[0]!.result).toEqual({ label: "correct", score: 0.9, explanation: "as asked" });
      const session = { client, sync: true, sessionAnnotation: { ...said, sessionId: "first" } };
      expect((await addSessionAnnotation(session))?.id).toBeString();
      const documentAnnotation = { ...said, spanId, documentPosition: 0 };
      await expect(addDocumentAnnotation({ client, sync: true, documentAnnotation })).rejects.toThrow();
    });

    test("are replaced under the same identifier, and notes are added", async () => {
      const spanAnnotation = { ...said, name: "tone", spanId, identifier: "once" };
      const first = await addSpanAnnotation({ client, sync: true, spanAnnotation });
      expect(
        await addSpanAnnotation({ client, sync: true, spanAnnotation: { ...spanAnnotation, label: "rude" } }),
      ).toEqual(first);
      const note = { client, spanNote: { spanId, note: " to be looked at " } };
      expect((await addSpanNote(note)).id).not.toBe((await addSpanNote(note)).id);
      const all = await getSpanAnnotations({
        client,
        project,
        spanIds: [spanId],
        includeAnnotationNames: ["tone", "note"],
      });
      expect(all.annotations.map(({ name, result }) => [name, result?.label ?? result?.explanation])).toEqual([
        ["note", "to be looked at"],
        ["note", "to be looked at"],
        ["tone", "rude"],
      ]);
    });
  });

  describe("deletes", () => {
    const doomed = { project: "doomed" };
    const spansLeft = async () =>
      (await getSpans({ client, project: doomed, name: "turn" })).spans.map((span) => span.context.trace_id);

    beforeAll(async () => {
      const spans = [21, 22, 23, 24].flatMap((number) => conversation(number, `doomed ${number}`));
      await logSpans({ client, project: doomed, spans });
    });

    test("a span goes alone, then its trace, then sessions with all they hold", async () => {
      await deleteSpan({ client, spanIdentifier: hexId(16, 43) });
      expect(
        (await getSpans({ client, project: doomed, traceIds: [hexId(32, 21)] })).spans.map((span) => span.name),
      ).toEqual(["turn"]);
      const path = { trace_identifier: hexId(32, 21) };
      await client.DELETE("/v1/traces/{trace_identifier}", { params: { path } });
      expect((await spansLeft()).sort()).toEqual([22, 23, 24].map((number) => hexId(32, number)));
      await deleteSession({ client, sessionId: "doomed 22" });
      expect((await spansLeft()).sort()).toEqual([23, 24].map((number) => hexId(32, number)));
      await deleteSessions({ client, sessionIds: ["doomed 23", "doomed 24", "unknown"] });
      expect(await spansLeft()).toEqual([]);
      await expect(getSession({ client, sessionId: "doomed 24" })).rejects.toMatchObject({ response: { status: 404 } });
    });
  });
});
