// Reads answers of every protocol over real connections: successful, unusual and broken ones.
import { describe, expect, test } from "bun:test";
import type { ModelCall, Wire } from "../../src/providers/model-call.ts";
import type { TokenUsage } from "../../src/providers/model-event.ts";
import { callTools, modelCall, TEST_KEY } from "../support/model-calls.ts";
import { type MadeCall, providerCalls } from "../support/provider-calls.ts";
import { scriptedModelsOfSuite } from "../support/scripted-models.ts";
import { until } from "../support/until.ts";
import { TEST_ACCESS_KEYS, wireEndpoint, wireNames, wireParameters } from "../support/wire-endpoints.ts";

const models = scriptedModelsOfSuite();
const calls = providerCalls();

const callOf = (wire: Wire, model: string, changes: Partial<ModelCall> = {}) =>
  modelCall(wireEndpoint(models, wire), { model, parameters: wireParameters[wire], ...changes });
const ask = (wire: Wire, model: string, changes?: Partial<ModelCall>, needs?: Parameters<typeof calls.run>[1]) =>
  calls.run(callOf(wire, model, changes), needs);

const noDetails = { cacheWrite: null, promptAudio: null, completionAudio: null };
const usages: Readonly<Record<Wire, TokenUsage>> = {
  openai_chat: {
    ...{ prompt: 11, completion: 7, total: 18, cacheRead: 3, reasoning: 2 },
    ...noDetails,
    ...{ promptAudio: 0, completionAudio: 0 },
  },
  openai_responses: { prompt: 11, completion: 7, total: 18, cacheRead: 3, reasoning: 2, ...noDetails },
  anthropic: { prompt: 18, completion: 7, total: null, cacheRead: 3, reasoning: null, ...noDetails, cacheWrite: 4 },
  google: { prompt: 11, completion: 9, total: 20, cacheRead: null, reasoning: 2, ...noDetails },
  bedrock: { prompt: 18, completion: 7, total: 25, cacheRead: 3, reasoning: null, ...noDetails, cacheWrite: 4 },
};

const kindsByStatus = new Map([
  [401, "auth"],
  [403, "auth"],
  [429, "rate_limit"],
  [503, "overloaded"],
  [529, "overloaded"],
]);

describe.each([...wireNames])("%s", (wire) => {
  test("streams text, then reports usage and finish reason", async () => {
    const { short, attempt } = await ask(wire, "text");
    expect(short).toEqual(["Hello ", "world", "finish"]);
    expect(attempt).toMatchObject({
      number: 1,
      wire,
      text: "Hello world",
      toolCalls: [],
      finishReason: "stop",
      failure: null,
    });
    expect(attempt.usage).toEqual(usages[wire]);
    expect(attempt.firstTokenUs).toBeGreaterThanOrEqual(attempt.startUs);
    expect(attempt.endUs).toBeGreaterThanOrEqual(attempt.firstTokenUs!);
  });

  test("returns an answer that is not streamed in one piece, and records its body", async () => {
    const { short, attempt } = await ask(wire, "text", { streaming: false });
    expect(short).toEqual(["Hello world", "finish"]);
    expect(attempt).toMatchObject({ text: "Hello world", finishReason: "stop", usage: usages[wire] });
    expect(attempt.responseJson).toBe(attempt.response!.body);
    expect(attempt.response).toMatchObject({ status: 200, contentType: "application/json" });
  });

  test.each([1, 7, 100])("reads a stream in pieces of %d bytes", async (bytes) => {
    const whole = await ask(wire, "text");
    const odd = await ask(wire, `odd-${bytes}-text`);
    expect(odd.short).toEqual(whole.short);
    expect(odd.attempt.usage).toEqual(whole.attempt.usage);
    expect(odd.attempt.response!.body).toBe(whole.attempt.response!.body);
  });

  test("reads characters that are split over chunks", async () => {
    expect((await ask(wire, "odd-1-unicode")).text).toBe("Grüße 😀 世界");
  });

  test("keeps text in the chunk with the finish reason", async () => {
    expect((await ask(wire, "finaltext")).text).toBe("Hello world tail");
  });

  test("accepts empty answers, and answers cut off by the token limit", async () => {
    expect((await ask(wire, "empty")).short).toEqual(["finish"]);
    const { short, attempt } = await ask(wire, "length");
    expect(short.at(-1)).toBe("finish");
    expect(attempt.finishReason).toBe("length");
  });

  test.each([true, false])("calls tools, streaming %p", async (streaming) => {
    const { events, attempt } = await ask(wire, "tool", { tools: callTools(["f", "g"]), streaming });
    expect(attempt.finishReason).toBe("tool_calls");
    expect(attempt.toolCalls.map(({ name }) => name)).toEqual(["f", "g"]);
    for (const { arguments: text } of attempt.toolCalls) {
      expect(JSON.parse(text)).toEqual({ city: expect.stringContaining("because") });
    }
    const pieces = events.filter((event) => event.type === "tool_call");
    const ids = new Set(pieces.map(({ id }) => id));
    expect([...ids]).toEqual(attempt.toolCalls.map(({ id }) => id));
    expect(ids.has("")).toBe(false);
    const isPieceByPiece = streaming && (wire === "openai_chat" || wire === "bedrock");
    expect(pieces.map(({ name }) => name)).toEqual(isPieceByPiece ? ["f", "", "", "g", "", ""] : ["f", "g"]);
    if (isPieceByPiece) expect(pieces[0]!.arguments).toBe("");
  });

  test.each([400, 401, 403, 404, 422, 429, 500, 503, 529])("reports status %d without the key", async (status) => {
    const made = await ask(wire, `e${status}`);
    expect(made.short).toEqual(["failure"]);
    expect(made.failure).toMatchObject({
      kind: kindsByStatus.get(status) ?? "provider_error",
      status,
      retryAfterSeconds: null,
      isTransient: status === 429 || status >= 500,
    });
    const { displayName } = callOf(wire, "").endpoint;
    expect(made.failure!.message).toStartWith(`${displayName} answered ${status}: fake error ${status} key=`);
    expectNoSecret(made);
  });

  test("reports the retry-after delay", async () => {
    expect((await ask(wire, "e429-after-7")).failure?.retryAfterSeconds).toBe(7);
  });

  test.each(["sseerr", "odd-5-sseerr"])("keeps the text before an error in the stream: %s", async (model) => {
    const { short, failure, attempt } = await ask(wire, model);
    expect(short).toEqual(["partial", "failure"]);
    expect(failure).toMatchObject({ message: "mid stream boom", status: null });
    expect(attempt).toMatchObject({ text: "partial", finishReason: null });
    expect(attempt.response!.body).toContain("partial");
  });

  test.each(["cut", "odd-5-cut"])("keeps the text before the connection broke: %s", async (model) => {
    const { short, failure, attempt } = await ask(wire, model);
    expect(short).toEqual(["partial", "failure"]);
    expect(failure).toMatchObject({ kind: "connection", isTransient: true });
    expect(attempt.response!.body).toContain("partial");
  });

  test("rejects responses that are not answers of a model", async () => {
    for (const streaming of [true, false]) {
      const { short, failure } = await ask(wire, "html", { streaming });
      expect(short).toEqual(["failure"]);
      expect(failure).toMatchObject({ kind: "no_completion", isTransient: false });
      expect(failure!.message).toEndWith("sent no completion (text/html)");
    }
    const unreadable = await ask(wire, "badjson");
    expect(unreadable.failure?.kind).toBe("no_completion");
  });

  test("accepts a JSON answer although a stream was requested", async () => {
    expect((await ask(wire, "plain")).short).toEqual(["Hello world", "finish"]);
  });

  test("stops reading an answer that is too large", async () => {
    const limits = { ...calls.needs().limits, maximumBytes: 1e6 };
    const { failure } = await ask(wire, "huge-100000000", {}, { limits });
    expect(failure).toMatchObject({ kind: "too_large", isTransient: false });
    await until(() => models.abandoned.length === 1);
  });

  test("does not wait if the connection stays open after the last event", async () => {
    const { short, attempt } = await ask(wire, "open");
    expect(short).toEqual(["Hello ", "world", "finish"]);
    expect(attempt.failure).toBeNull();
  });

  test("does not follow a redirect to a metadata service", async () => {
    const { failure } = await ask(wire, "redirect-307-metadata");
    expect(failure).toMatchObject({ kind: "address", isTransient: false });
  });
});

test("the time to the first piece, between pieces, and of the whole attempt is limited", async () => {
  const { limits } = calls.needs();
  const late = await ask(
    "openai_chat",
    "slow-first-byte-60000",
    {},
    { limits: { ...limits, firstPieceSeconds: 0.05 } },
  );
  expect(late).toMatchObject({ short: ["failure"], failure: { kind: "timeout", isTransient: true } });
  // The idle limit applies only after the first piece.
  const thinking = await ask("openai_chat", "slow-first-byte-300", {}, { limits: { ...limits, idleSeconds: 0.1 } });
  expect(thinking.short).toEqual(["Hello ", "world", "finish"]);
  const pausing = await ask("openai_chat", "slow", {}, { limits: { ...limits, idleSeconds: 0.1 } });
  expect(pausing).toMatchObject({ short: ["first ", "failure"], failure: { kind: "timeout" } });
  const endless = await ask("openai_chat", "slow", {}, { limits: { ...limits, totalSeconds: 0.2 } });
  expect(endless.failure?.kind).toBe("timeout");
});

describe("cancellation", () => {
  test("ends the call with a failure, keeps the partial answer, and closes the connection", async () => {
    const controller = new AbortController();
    const running = ask("openai_chat", "slow", {}, { signal: controller.signal });
    await until(() => models.requests.length === 1);
    setTimeout(() => controller.abort(), 100);
    const { short, failure, attempt } = await running;
    expect(short).toEqual(["first ", "failure"]);
    expect(failure).toMatchObject({ kind: "cancelled", isTransient: false });
    expect(attempt).toMatchObject({ text: "first ", response: { status: 200 } });
    await until(() => models.abandoned.length === 1);
  });

  test("between two attempts reports no attempt twice", async () => {
    const controller = new AbortController();
    const retries = {
      delaySeconds: () => {
        controller.abort();
        return 60;
      },
    };
    const { events, attempts } = await ask("openai_chat", "e500", {}, { signal: controller.signal, retries });
    expect(events.at(-1)).toMatchObject({ type: "failure", failure: { kind: "cancelled" }, attempt: null });
    expect(attempts.length).toBe(1);
  });

  test("before the start sends nothing", async () => {
    const { events } = await ask("openai_chat", "text", {}, { signal: AbortSignal.abort() });
    expect(events).toMatchObject([{ type: "failure", failure: { kind: "cancelled" }, attempt: null }]);
    expect(models.requests).toEqual([]);
  });

  test("leaving the loop closes the connection", async () => {
    for await (const event of callsOf("slow")) {
      expect(event.type).toBe("text");
      break;
    }
    await until(() => models.abandoned.length === 1);
  });

  async function* callsOf(model: string) {
    const { callModel } = await import("../../src/providers/call-model.ts");
    yield* callModel(callOf("openai_chat", model), calls.needs());
  }
});

describe("retries", () => {
  const atOnce = {
    delaySeconds: ({ number, failure }: { number: number; failure: unknown }) =>
      failure !== null && number < 3 ? 0 : null,
  };

  test("are separate attempts, each reported", async () => {
    const { short, attempts } = await ask("openai_chat", "flaky-2", {}, { retries: atOnce });
    expect(short).toEqual(["retry", "retry", "Hello ", "world", "finish"]);
    expect(attempts.map(({ number, failure }) => [number, failure?.status ?? null])).toEqual([
      [1, 500],
      [2, 500],
      [3, null],
    ]);
  });

  test("end with the last failure", async () => {
    const { short, attempts } = await ask("openai_chat", "cut", {}, { retries: atOnce });
    expect(short).toEqual(["partial", "retry", "partial", "retry", "partial", "failure"]);
    expect(attempts.length).toBe(3);
  });
});

describe("secrets", () => {
  test.each([...wireNames])("repeated by the model in pieces are redacted: %s", async (wire) => {
    const made = await ask(wire, "keyecho");
    expect(made.text).toStartWith("your key is ");
    expect(made.text).toContain("[REDACTED]");
    expect(made.text).toEndWith(" of course");
    expect(made.attempt.response!.body).toBe("[REDACTED: the answer repeats a secret of the call]");
    expectNoSecret(made);
  });

  test("are sent, but redacted in everything that is recorded", async () => {
    const secret = "a-secret-of-a-header";
    const endpoint = wireEndpoint(models, "openai_chat", { headers: { "x-team": secret } });
    const extra = { type: "openai", openai: { extra_body: { note: `${TEST_KEY} and ${secret}` } } } as const;
    const made = await calls.run(modelCall(endpoint, { model: "e400", parameters: extra }));
    expect(models.requests[0]!.headers).toMatchObject({ "x-team": secret, authorization: `Bearer ${TEST_KEY}` });
    expect(made.attempt.request.body).toContain('"note":"[REDACTED] and [REDACTED]"');
    expect(JSON.stringify(made)).not.toContain(secret);
    expectNoSecret(made);
  });

  test("failure messages have at most 2 kB", async () => {
    const endpoint = wireEndpoint(models, "openai_chat", { displayName: "é".repeat(3000) });
    const { failure } = await calls.run(modelCall(endpoint, { model: "e400" }));
    expect(Buffer.byteLength(failure!.message)).toBeLessThanOrEqual(2048);
    expect(failure!.message).toEndWith("é…");
  });
});

test("the request is recorded as sent, without query and keys", async () => {
  const { attempt } = await ask("google", "text");
  const [request] = models.requests;
  expect(attempt.request).toEqual({
    method: "POST",
    url: `${models.address}/v1beta/models/text:streamGenerateContent`,
    path: null,
    body: request!.text,
  });
  expect((await ask("anthropic", "text")).attempt.request).toMatchObject({
    url: `${models.address}/v1/messages`,
    path: "/v1/messages",
    body: models.requests.at(-1)!.text,
  });
});

test("the record has the provider's finish reason and response id", async () => {
  const { attempt } = await ask("google", "text");
  expect(attempt).toMatchObject({ finishReason: "stop", providerFinishReason: "STOP", responseId: "gemini-scripted" });
});

function expectNoSecret(made: MadeCall): void {
  const everything = JSON.stringify(made);
  for (const secret of [TEST_KEY, TEST_ACCESS_KEYS.accessKeyId, TEST_ACCESS_KEYS.secretAccessKey]) {
    expect(everything).not.toContain(secret);
  }
}
