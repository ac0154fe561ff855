// POST /v1/logs over a database: turns of coding agents as they grow, and what the answer says.
import { afterAll, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { encodeExportResponse } from "../../src/otlp/transport/response.ts";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { otlpAttributes } from "../support/otlp-encode.ts";
import { logsBody, type OtlpLogs, otlpLogs, recordedLogs } from "../support/otlp-logs.ts";

const PROTOBUF = { "content-type": "application/x-protobuf" };
const NEITHER = "A log record is neither a message of a span nor of a coding agent";
const other = { attributes: otlpAttributes({ "event.name": "other" }) };

forEachDriver("POST /v1/logs", (driver) => {
  const opened = driver.createDatabase().then((database) => openTestApi(database));
  afterAll(async () => (await opened).close());

  const sendLogs = async (logs: OtlpLogs, project: string) => {
    const { server } = await opened;
    const headers = { ...PROTOBUF, "x-project-name": project };
    const answer = await send(server, "POST /v1/logs", { body: logsBody(logs, "protobuf"), headers });
    expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, 0]);
  };

  interface Listed {
    readonly name: string;
    readonly span_kind: string;
    readonly parent_id: string | null;
    readonly context: { readonly trace_id: string; readonly span_id: string };
    readonly start_time: string;
    readonly end_time: string;
  }
  const spansOf = async (project: string): Promise<Listed[]> => {
    const { server } = await opened;
    const answer = await send(server, `GET /v1/projects/${project}/spans?limit=100`);
    const { data } = (await answer.json()) as { data: Listed[] };
    return data.sort((left, right) => (left.start_time < right.start_time ? -1 : 1));
  };
  interface Turn {
    readonly trace_id: string;
    readonly start_time: string;
    readonly end_time: string;
  }
  const tracesOf = async (project: string) => {
    const { server } = await opened;
    const answer = await send(server, `GET /v1/projects/${project}/traces?sort=start_time&order=asc`);
    return ((await answer.json()) as { data: Turn[] }).data;
  };

  describe.each([
    ["claude-code", 2, 7],
    ["codex", 2, 6],
    ["gemini-cli", 1, 4],
  ] as const)("%s", (agent, turns, spans) => {
    test("is a trace a turn, whichever way its exports come", async () => {
      const exports = await recordedLogs(agent);
      for (const each of exports) await sendLogs(each, agent);
      const listed = await spansOf(agent);
      const traces = await tracesOf(agent);
      expect([traces.length, listed.length]).toEqual([turns, spans]);
      // A turn lasts as long as its last step, though that came later.
      for (const turn of listed.filter(({ span_kind }) => span_kind === "AGENT")) {
        const trace = traces.find(({ trace_id }) => trace_id === turn.context.trace_id)!;
        const steps = listed.filter(({ context }) => context.trace_id === trace.trace_id);
        const last = steps
          .map(({ end_time }) => end_time)
          .sort()
          .at(-1)!;
        expect([turn.end_time, trace.end_time]).toEqual([last, last]);
        expect(steps.every(({ parent_id, context }) => (parent_id ?? context.span_id) === turn.context.span_id)).toBe(
          true,
        );
      }
      // Sent again, in any order: nothing changes.
      for (const each of [...exports, exports[0]!]) await sendLogs(each, agent);
      expect(await spansOf(agent)).toEqual(listed);
      expect(await tracesOf(agent)).toEqual(traces);
    });
  });

  test("turns that are named grow from either end", async () => {
    const [first, second] = await recordedLogs("gemini-cli");
    const renamed = JSON.parse(JSON.stringify([second, first]).replaceAll("session-1", "session-2")) as OtlpLogs[];
    for (const each of renamed) await sendLogs(each, "backwards");
    const listed = await spansOf("backwards");
    expect(listed).toHaveLength(4);
    const turn = listed.find(({ span_kind }) => span_kind === "AGENT")!;
    expect(turn.end_time).toBe(
      listed
        .map(({ end_time }) => end_time)
        .sort()
        .at(-1)!,
    );
  });

  test("counts what it drops, in the encoding of the request", async () => {
    const { server } = await opened;
    const json = await send(server, "POST /v1/logs", { json: otlpLogs([other, other]) });
    expect([json.status, await json.json()]).toEqual([
      200,
      { partialSuccess: { rejectedLogRecords: "2", errorMessage: `${NEITHER} (2 times)` } },
    ]);
    const body = gzipSync(logsBody(otlpLogs([other]), "protobuf"));
    const packed = await send(server, "POST /v1/logs", { body, headers: { ...PROTOBUF, "content-encoding": "gzip" } });
    expect([packed.status, packed.headers.get("content-type")]).toEqual([200, PROTOBUF["content-type"]]);
    expect(new Uint8Array(await packed.arrayBuffer())).toEqual(encodeExportResponse(1, NEITHER));
  });

  test("refuses another media type, half a message and half JSON", async () => {
    const { server } = await opened;
    const body = logsBody(otlpLogs([other]), "protobuf");
    const text = await send(server, "POST /v1/logs", { body, headers: { "content-type": "text/plain" } });
    const half = await send(server, "POST /v1/logs", { body: body.slice(0, -2), headers: PROTOBUF });
    const json = await send(server, "POST /v1/logs", {
      body: '{"resourceLogs":[',
      headers: { "content-type": "application/json" },
    });
    expect([text.status, half.status, json.status]).toEqual([415, 422, 422]);
  });
});
