// What becomes of calls that end badly: the events of chats, with calls that end as the test says.
import { describe, expect, test } from "bun:test";
import { openPrincipal } from "../../../../src/access/principal.ts";
import { fail } from "../../../../src/kernel/failure.ts";
import type {
  RecordedCallRequest,
  RecordedEvent,
} from "../../../../src/modules/evaluation/model-calls/model-calls.schema.ts";
import type { ChatEvent, ChatVariant } from "../../../../src/modules/evaluation/playground/chats.schema.ts";
import { createChatsService } from "../../../../src/modules/evaluation/playground/chats.service.ts";
import type { ModelEndpoint } from "../../../../src/providers/model-call.ts";
import type { CallContext } from "../../../../src/storage/storage.ts";
import { message, modelAttempt, modelEndpoint, modelFailure, openAi } from "../../../support/model-calls.ts";

type Calls = (request: RecordedCallRequest) => AsyncGenerator<RecordedEvent, void, undefined>;

const context = { principal: openPrincipal } as CallContext;
const spent = { promptTokens: 0, completionTokens: 0, cost: null, isEstimated: false, hasFailed: true };
const record = { spanKey: "00f067aa0ba902b7", problem: null, spent };

const variant = (changes: Partial<ChatVariant> = {}): ChatVariant => ({
  provider: "OPENAI",
  customProviderId: null,
  model: "text",
  connection: null,
  headers: null,
  messages: [message("user", "hi")],
  template: null,
  tools: null,
  responseFormat: null,
  parameters: openAi({}),
  metadata: {},
  ...changes,
});

interface Asked {
  readonly run: Calls;
  readonly isCustom?: boolean;
  readonly endpoint?: Partial<ModelEndpoint>;
  readonly variants?: readonly ChatVariant[];
  readonly repetitions?: number;
}

async function eventsOf({
  run,
  isCustom = false,
  endpoint,
  variants = [variant()],
  repetitions = 1,
}: Asked): Promise<ChatEvent[]> {
  const chats = createChatsService({
    calls: { run },
    endpoints: {
      resolveEndpoint: async () => ({ endpoint: modelEndpoint("http://127.0.0.1/v1", endpoint), isCustom }),
    },
    projects: { ensureProject: async (_context, project) => ({ ...project, id: 4 }) as never },
  });
  const request = { variants, repetitions, credentials: [], streaming: true };
  return Array.fromAsync(await chats.runChat(context, request, new AbortController().signal));
}

function failing(kind: "timeout" | "cancelled", firstTokenUs: number | null): Calls {
  return async function* () {
    const failure = modelFailure(kind);
    yield { type: "failure", failure, attempt: modelAttempt({ failure, firstTokenUs }), ...record };
  };
}

describe("a time limit", () => {
  const timedOut = { type: "error", code: "timeout", isPlaygroundTimeout: true, message: "Playground task timed out" };

  test("of the playground has its own message", async () => {
    const [error, result] = await eventsOf({ run: failing("timeout", 1_500_000), isCustom: true });
    expect(error).toMatchObject(timedOut);
    expect(result).toMatchObject({ type: "result", spanKey: record.spanKey });
    expect((await eventsOf({ run: failing("timeout", null) }))[0]).toMatchObject(timedOut);
    const google = { wire: "google", provider: "GOOGLE" } as const;
    const parameters = { type: "google", google: {} } as const;
    expect(
      (await eventsOf({ run: failing("timeout", 1), endpoint: google, variants: [variant({ parameters })] }))[0],
    ).toMatchObject(timedOut);
  });

  test("of a built-in client of OpenAI between pieces is that of the provider", async () => {
    const [error] = await eventsOf({ run: failing("timeout", 1_500_000) });
    expect(error).toMatchObject({ code: "timeout", isPlaygroundTimeout: false, message: "It failed: timeout" });
  });
});

test("what cannot be recorded is said, beside the answer", async () => {
  const events = await eventsOf({
    async *run() {
      yield { type: "finish", attempt: modelAttempt(), ...record, spanKey: null, problem: "the database is away" };
    },
  });
  expect(events).toMatchObject([
    { type: "error", code: "not_recorded", message: "The answer could not be recorded: the database is away" },
    { type: "result", spanKey: null },
  ]);
});

test("a refusal of one repetition is its error, and no result", async () => {
  let calls = 0;
  const events = await eventsOf({
    repetitions: 2,
    async *run() {
      calls++;
      if (calls === 2) throw fail("spending.budget_used_up", "rate_limited", "The daily budget is used up");
      yield { type: "finish", attempt: modelAttempt(), ...record };
    },
  });
  expect(events.map(({ type, repetition }) => `${type} ${repetition}`).toSorted()).toEqual(["error 2", "result 1"]);
  expect(events.find(({ type }) => type === "error")).toMatchObject({ code: "spending.budget_used_up" });
});

test("a mistake of the program ends the chat", async () => {
  const reading = eventsOf({
    async *run() {
      yield* [];
      throw new Error("a mistake");
    },
  });
  expect(reading).rejects.toThrow("a mistake");
  await reading.catch(() => {});
});

describe("variants", () => {
  const answering: Calls = async function* ({ call, metadata }) {
    yield { type: "text", text: `${call.model} ${JSON.stringify(metadata)}` };
    yield { type: "finish", attempt: modelAttempt(), ...record };
  };

  test("run side by side, each with its own prompt", async () => {
    const variants = [variant({ model: "a", metadata: { prompt_version_id: "x" } }), variant({ model: "b" })];
    const events = await eventsOf({ run: answering, variants, repetitions: 2 });
    const texts = events.flatMap((event) => (event.type === "text" ? [`${event.variant}: ${event.text}`] : []));
    expect(texts.toSorted()).toEqual([
      '0: a {"prompt_version_id":"x","repetition":1}',
      '0: a {"prompt_version_id":"x","repetition":2}',
      '1: b {"repetition":1}',
      '1: b {"repetition":2}',
    ]);
  });

  test("are refused with their place, before anything is called", async () => {
    const refused = (asked: Partial<Asked>) =>
      eventsOf({ run: answering, ...asked }).then(
        () => null,
        (error: unknown) => (error as Error).message,
      );
    expect(await refused({ variants: [variant(), variant({ model: " " })] })).toStartWith("variants[1]: A model name");
    expect(await refused({ variants: [variant({ model: "" })] })).toStartWith("A model name");
    expect(await refused({ variants: [] })).toBe("the number of variants must be from 1 to 8");
    expect(await refused({ variants: Array.from({ length: 9 }, () => variant()) })).toContain("from 1 to 8");
    for (const repetitions of [0, -1, 1.5, 101]) {
      expect(await refused({ repetitions })).toBe("repetitions must be from 1 to 100");
    }
  });

  test("with a template that cannot be filled have an error for each repetition, and are not called", async () => {
    const template = { format: "MUSTACHE", variables: {} } as const;
    const broken = variant({ template, messages: [message("user", [{ type: "text", text: "{{b}} {{a}}" }])] });
    const events = await eventsOf({ run: answering, variants: [broken, variant()], repetitions: 2 });
    expect(events.filter(({ variant: position }) => position === 0)).toMatchObject([
      { type: "error", code: "template", message: "Missing template variable(s): a, b", repetition: 1 },
      { type: "error", code: "template", repetition: 2 },
    ]);
  });

  test("fill their texts and results of tools, and leave images and arguments alone", async () => {
    const template = { format: "F_STRING", variables: { a: 1 } } as const;
    let sent: RecordedCallRequest | null = null;
    const call = {
      type: "tool_call",
      tool_call_id: "1",
      tool_call: { type: "function", name: "f", arguments: "{a}" },
    } as const;
    const image = { type: "image", url: "data:image/png;base64,{a}" } as const;
    const messages = [
      message("user", [{ type: "text", text: "{a}" }, image]),
      message("assistant", [call]),
      message("tool", [{ type: "tool_result", tool_call_id: "1", tool_result: { answer: "{a}" } }]),
    ];
    await eventsOf({
      variants: [variant({ template, messages })],
      async *run(request) {
        sent = request;
        yield { type: "finish", attempt: modelAttempt(), ...record };
      },
    });
    expect((sent as unknown as RecordedCallRequest).call.messages).toEqual([
      message("user", [{ type: "text", text: "1" }, image]),
      message("assistant", [call]),
      message("tool", [{ type: "tool_result", tool_call_id: "1", tool_result: { answer: "1" } }]),
    ]);
  });
});
