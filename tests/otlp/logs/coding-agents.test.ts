// What coding agents send as logs becomes the spans of a trace a turn.
import { describe, expect, test } from "bun:test";
import type { DecodedLogs } from "../../../src/ingest/incoming-logs.ts";
import { type JsonObject, parseJson } from "../../../src/kernel/json.ts";
import { flatten } from "../../../src/model/attributes/flatten.ts";
import type { IncomingSpan } from "../../../src/model/span.ts";
import { otlpAttributes } from "../../support/otlp-encode.ts";
import { decodedLogs, otlpLogs, recordedLogs, SESSION_START } from "../../support/otlp-logs.ts";
import { wireFormats } from "../../support/otlp-request.ts";

const START_US = SESSION_START * 1000;

async function readExports(agent: string, format: "protobuf" | "json" = "protobuf"): Promise<DecodedLogs[]> {
  return (await recordedLogs(agent)).map((each) => decodedLogs(each, format));
}

const read = async (agent: string) => (await readExports(agent)).flatMap(({ spans }) => [...spans]);
const attributesOf = (span: IncomingSpan) => flatten(parseJson(span.attributes) as JsonObject);
/** Kind, name, beginning and end in milliseconds of the session, failure. */
const shape = (span: IncomingSpan) => [
  span.kind,
  span.name,
  (span.startUs - START_US) / 1000,
  (span.endUs - START_US) / 1000,
  span.status === "ERROR" ? span.statusMessage : null,
];

describe("every agent", () => {
  test.each(["claude-code", "codex", "gemini-cli"])(
    "%s reads the same in both encodings, and drops nothing",
    async (agent) => {
      const [protobuf, json] = await Promise.all(wireFormats.map((format) => readExports(agent, format)));
      expect(json).toEqual(protobuf!);
      expect(protobuf!.map(({ rejections }) => rejections)).toEqual(protobuf!.map(() => ({ count: 0, message: "" })));
      expect(protobuf!.flatMap(({ messages }) => messages)).toEqual([]);
    },
  );

  test.each(["claude-code", "codex", "gemini-cli"])(
    "%s has one session, its ids, and a turn above each step",
    async (agent) => {
      const spans = await read(agent);
      expect(new Set(spans.map(({ sessionKey }) => sessionKey))).toEqual(new Set(["session-1"]));
      expect(new Set(spans.map(({ spanKey }) => spanKey)).size).toBe(spans.length);
      for (const span of spans) {
        expect(span.traceKey).toMatch(/^[0-9a-f]{32}$/);
        expect(span.spanKey).toMatch(/^[0-9a-f]{16}$/);
        if (span.kind === "AGENT") expect(span.parentKey).toBeNull();
        else expect(span.parentKey).toMatch(/^[0-9a-f]{16}$/);
      }
      for (const turn of spans.filter(({ kind }) => kind === "AGENT")) {
        const steps = spans.filter(({ traceKey, kind }) => traceKey === turn.traceKey && kind !== "AGENT");
        expect(steps.every(({ parentKey }) => parentKey === turn.spanKey)).toBe(true);
      }
    },
  );
});

describe("Claude Code", () => {
  test("turns, model calls and tools", async () => {
    const spans = await read("claude-code");
    expect(spans.map(shape)).toEqual([
      ["AGENT", "claude_code.user_prompt", 0, 0, null],
      ["LLM", "claude_code.api_request", 300, 1500, null],
      ["TOOL", "Bash", 1600, 2100, null],
      ["LLM", "claude_code.api_error", 2600, 3000, "Overloaded"],
      ["LLM", "claude_code.api_request", 4000, 5000, null],
      ["AGENT", "claude_code.user_prompt", 60000, 60000, null],
      ["TOOL", "Read", 60995, 61000, "File does not exist."],
    ]);
    const [first, second] = [spans[0]!.traceKey, spans[5]!.traceKey];
    expect(spans.map(({ traceKey }) => traceKey)).toEqual([first, first, first, first, first, second, second]);
    expect(spans.map(({ inputHead }) => inputHead)).toEqual([
      "How is the weather in Malmö?",
      null,
      '{"command":"weather Malmö"}',
      null,
      null,
      null,
      null,
    ]);
  });

  test("tokens with those of the cache, cost, and all that was sent", async () => {
    const [, call, tool] = await read("claude-code");
    expect(call).toMatchObject({ model: "example-1", userKey: "user-1", promptTokens: 1204, completionTokens: 60 });
    expect(attributesOf(call!)).toMatchObject({
      "openinference.span.kind": "LLM",
      "llm.provider": "anthropic",
      "llm.token_count.prompt": 1204,
      "llm.token_count.prompt_details.cache_read": 1000,
      "llm.token_count.prompt_details.cache_write": 200,
      "llm.token_count.total": 1264,
      "llm.cost.total": 0.0125,
      "prompt.id": "prompt-1",
      query_source: "repl_main_thread",
      input_tokens: 4,
    });
    expect(attributesOf(tool!)).toMatchObject({
      "tool.name": "Bash",
      "tool.id": "call-1",
      "tool.parameters.command": "weather Malmö",
      "input.mime_type": "application/json",
    });
  });
});

describe("Codex", () => {
  test("turns by time, model calls from their request on", async () => {
    const [first, second] = await readExports("codex");
    expect(first!.spans.map(shape)).toEqual([
      ["AGENT", "codex.user_prompt", 1000, 1000, null],
      ["LLM", "codex.sse_event", 1100, 2000, null],
    ]);
    expect(first!.wanted).toEqual([null, null]);
    expect(second!.spans.map(shape)).toEqual([
      ["TOOL", "shell", 2100, 2600, null],
      ["LLM", "codex.api_request", 2900, 3000, "internal server error"],
      ["AGENT", "codex.user_prompt", 60000, 60000, null],
      ["LLM", "codex.sse_event", 61000, 61000, null],
    ]);
    // The turn of these began in the export before.
    expect(second!.wanted).toEqual([
      { sessionKey: "session-1", timeUs: START_US + 2_600_000 },
      { sessionKey: "session-1", timeUs: START_US + 3_000_000 },
      null,
      null,
    ]);
  });

  test("tokens, and what a tool was given and said", async () => {
    const [, call, tool] = await read("codex");
    expect(attributesOf(call!)).toMatchObject({
      "llm.token_count.prompt": 1200,
      "llm.token_count.completion": 60,
      "llm.token_count.total": 1260,
      "llm.token_count.prompt_details.cache_read": 1000,
      "llm.token_count.completion_details.reasoning": 40,
    });
    expect(call!.userKey).toBe("account-1");
    expect(tool).toMatchObject({ outputHead: "It rains in Malmö.", inputHead: '{"command":["weather","Malmö"]}' });
  });
});

describe("Gemini CLI", () => {
  test("turns, model calls with what they asked and answered, tools", async () => {
    const spans = await read("gemini-cli");
    expect(spans.map(shape)).toEqual([
      ["AGENT", "gemini_cli.user_prompt", 1000, 1000, null],
      ["LLM", "gemini_cli.api_response", 1100, 2000, null],
      ["TOOL", "run_shell_command", 2100, 2600, null],
      ["LLM", "gemini_cli.api_error", 2900, 3000, "Resource exhausted"],
    ]);
    expect(spans[1]).toMatchObject({
      promptTokens: 1200,
      completionTokens: 60,
      inputPreview: "How is the weather in Malmö?",
      outputPreview: "It rains in Malmö.",
    });
  });
});

describe("records", () => {
  const record = (attributes: Record<string, unknown>) => ({
    timeUnixNano: "1",
    attributes: otlpAttributes(attributes),
  });

  test("that are of no agent and no message, or of no session, are counted", () => {
    const { spans, rejections } = decodedLogs(
      otlpLogs([
        record({ "event.name": "codex.user_prompt" }),
        record({ "event.name": "something.else" }),
        record({}),
        record({ "event.name": "codex.user_prompt", "conversation.id": "session-1" }),
      ]),
      "json",
    );
    expect(spans).toHaveLength(1);
    expect(rejections).toEqual({
      count: 3,
      message:
        "An event of a coding agent has no conversation.id; " +
        "A log record is neither a message of a span nor of a coding agent (2 times)",
    });
  });

  test("without a time of their own have that of the event", () => {
    const attributes = {
      "event.name": "codex.user_prompt",
      "conversation.id": "s",
      "event.timestamp": "2026-03-02T09:00:00Z",
    };
    const { spans } = decodedLogs(otlpLogs([{ attributes: otlpAttributes(attributes) }]), "protobuf");
    expect(spans[0]!.startUs).toBe(START_US);
  });

  test("of another form do not stop the others", () => {
    const logRecords = [
      { traceId: 7 },
      { attributes: otlpAttributes({ "event.name": "codex.user_prompt", "conversation.id": "s" }) },
    ];
    const body = Buffer.from(JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }));
    const { spans, rejections } = decodedLogs(otlpLogs([]), "json", { body });
    expect([spans.length, rejections.count]).toEqual([1, 1]);
  });
});
