// The rows of tests/vectors/playground.json about protocols, parameters, errors, keys and spans. The other rows are run by the tests of
// subscriptions, datasets, evaluators and REST.
import { describe, expect, test } from "bun:test";
import { Failure } from "../../src/kernel/failure.ts";
import { type ModelProvider, parameterFamily } from "../../src/model/prompt.ts";
import { builtInProviders } from "../../src/providers/built-in-providers.ts";
import { playgroundLimits } from "../../src/providers/call-limits.ts";
import { type ConnectionOptions, resolveEndpoint } from "../../src/providers/endpoints.ts";
import { llmSpan } from "../../src/providers/llm-span.ts";
import type {
  CallMessage,
  CallParameters,
  CallTools,
  ModelCall,
  ModelEndpoint,
} from "../../src/providers/model-call.ts";
import { requireModelCall } from "../../src/providers/model-call-checks.ts";
import { noRetries, playgroundRetries } from "../../src/providers/retries.ts";
import { message, modelEndpoint, TEST_KEY } from "../support/model-calls.ts";
import { type MadeCall, providerCalls } from "../support/provider-calls.ts";
import { type ScriptedRequest, scriptedModelsOfSuite } from "../support/scripted-models.ts";
import document from "../vectors/playground.json" with { type: "json" };

const rows = new Map(document.vectors.map((vector) => [vector.id, vector as unknown as Vector]));

interface Vector {
  readonly request: { readonly op: string; readonly input: Input };
  readonly state?: string;
  readonly expect: Expected;
}
interface Input {
  readonly model: string;
  readonly modelProvider?: ModelProvider;
  readonly customProvider?: keyof typeof customEndpoints;
  readonly connectionConfig?: ConnectionOptions | null;
  readonly credentials?: null | string | Readonly<Record<string, string>>;
  readonly headers?: unknown;
  readonly invocationParameters?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly messages?: readonly never[] | string;
  readonly template?: null;
  readonly tools?: string | readonly { readonly raw: Record<string, never> }[];
  readonly toolChoice?: Readonly<Record<string, unknown>>;
  readonly disableParallelToolCalls?: boolean;
  readonly responseFormat?: { readonly jsonSchema: { readonly name: string } };
  readonly streamModelOutput?: boolean;
}
interface Expected {
  readonly text?: string;
  readonly events?: readonly (string | { readonly TextChunk: string })[];
  readonly events_end?: readonly string[];
  readonly toolCalls?: readonly { readonly id?: string; readonly name: string; readonly arguments?: string }[];
  readonly chunksPerCall?: number;
  readonly requests?: number;
  readonly error?: string;
  readonly message?: string;
  readonly messageContains?: readonly string[];
  readonly messageMustNotContain?: string;
  readonly wire?: Readonly<Record<string, unknown>>;
  readonly wireAbsent?: readonly string[];
  readonly wireHeaders?: Readonly<Record<string, string>>;
  readonly wirePath?: string;
  readonly span?: Readonly<Record<string, unknown>> & {
    readonly tokens?: Readonly<Record<string, number>>;
    readonly attributes?: Readonly<Record<string, unknown>>;
  };
  readonly at_s?: readonly [number, number];
}

const models = scriptedModelsOfSuite();
const calls = providerCalls();

const customEndpoints = {
  openai: (): Partial<ModelEndpoint> => ({ baseUrl: models.openAi }),
  responses: (): Partial<ModelEndpoint> => ({ baseUrl: models.openAi, wire: "openai_responses" }),
  google: (): Partial<ModelEndpoint> => ({
    provider: "GOOGLE",
    wire: "google",
    baseUrl: models.address,
    llmProvider: "google",
  }),
  azure: (): Partial<ModelEndpoint> => ({
    provider: "AZURE_OPENAI",
    baseUrl: `${models.address}/openai/v1`,
    llmProvider: "azure",
  }),
};

/** The call of a row; rejects if it is refused. `<fake>` is the scripted provider. */
async function callOf({ request: { input }, state = "" }: Vector): Promise<{ call: ModelCall; isCustom: boolean }> {
  const provider = input.modelProvider ?? "OPENAI";
  const custom = input.customProvider;
  const endpoint =
    custom === undefined ? await resolved(input, provider, state) : modelEndpoint("", customEndpoints[custom]());
  const call: ModelCall = {
    endpoint,
    model: input.model,
    messages: messagesOf(input),
    tools: toolsOf(input),
    responseFormat:
      input.responseFormat === undefined ? null : { type: "json_schema", json_schema: input.responseFormat.jsonSchema },
    parameters: parametersOf(input, endpoint.provider),
    streaming: input.streamModelOutput ?? true,
  };
  requireModelCall(call);
  return { call, isCustom: custom !== undefined };
}

function resolved(input: Input, provider: ModelProvider, state: string): Promise<ModelEndpoint> {
  const { keyVariables } = builtInProviders.get(provider)!;
  const address = provider === "OPENAI" ? models.openAi : models.address;
  const connection = input.connectionConfig === undefined ? { baseUrl: "<fake>" } : input.connectionConfig;
  const sent: Readonly<Record<string, string>> =
    input.credentials === undefined
      ? { [keyVariables[0]!]: TEST_KEY }
      : typeof input.credentials === "string"
        ? { [input.credentials]: TEST_KEY }
        : (input.credentials ?? {});
  const named = /^(\w+) (?:in the environment|stored as a secret)$/.exec(state)?.[1];
  const isStored = state.includes("stored");
  const find = (name: string, here: boolean) => (here && name === named ? "key-of-the-server" : null);
  return resolveEndpoint(
    {
      provider,
      model: input.model,
      connection:
        connection === null
          ? null
          : (JSON.parse(JSON.stringify(connection).replaceAll("<fake>", address)) as ConnectionOptions),
      credentials: Object.entries(sent).map(([name, value]) => ({ name, value })),
      headers: input.headers ?? null,
    },
    {
      findSecret: async (name) => find(name, isStored),
      findVariable: (name) => find(name, !isStored),
      allowsMetadata: false,
      allowedProviders: null,
    },
  );
}

function messagesOf({ messages, template }: Input): readonly CallMessage[] {
  if (typeof messages === "string") {
    const [, id, result] = /^TOOL (\w+) \{(\w):\d\}$/.exec(messages)!;
    return [message("tool", [{ type: "tool_result", tool_call_id: id!, tool_result: { [result!]: 1 } }])];
  }
  return messages ?? [message("user", template === null ? "hi {{x}}" : "hi there")];
}

function toolsOf({ tools, toolChoice, disableParallelToolCalls }: Input): CallTools | null {
  if (tools === undefined) return null;
  const [choice] = Object.entries(toolChoice ?? {});
  const choices: Readonly<Record<string, CallTools["tool_choice"]>> = {
    none: { type: "none" },
    zeroOrMore: { type: "zero_or_more" },
    oneOrMore: { type: "one_or_more" },
    functionName: { type: "specific_function", function_name: String(choice?.[1]) },
  };
  const chosen = choices[choice?.[0] ?? ""];
  return {
    tools:
      typeof tools === "string"
        ? [{ type: "function", function: { name: tools.split("(")[0]! } }]
        : tools.map(({ raw }) => ({ type: "raw", raw })),
    ...(chosen === undefined ? {} : { tool_choice: chosen }),
    ...(disableParallelToolCalls === undefined ? {} : { disable_parallel_tool_calls: disableParallelToolCalls }),
  };
}

/** From the names of GraphQL to those of stored parameters. */
function parametersOf({ invocationParameters }: Input, provider: ModelProvider): CallParameters {
  const [family, values] = Object.entries(invocationParameters ?? { [parameterFamily(provider)]: {} })[0]!;
  return { type: family, [family]: snakeCase(values) } as unknown as CallParameters;
}

function snakeCase(value: unknown, key = ""): unknown {
  if (typeof value === "string" && /Effort|Level/.test(key)) return value.toLowerCase();
  if (typeof value !== "object" || value === null || Array.isArray(value) || key === "extraBody") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      snakeCase(member, name),
    ]),
  );
}

/** The events of the subscription for the events of a call. */
function eventsOf({ events }: MadeCall): (string | { readonly TextChunk: string })[] {
  return events.flatMap((event): (string | { readonly TextChunk: string })[] => {
    switch (event.type) {
      case "text":
        return [{ TextChunk: event.text }];
      case "tool_call":
        return ["ToolCallChunk"];
      case "finish":
        return ["ChatCompletionSubscriptionResult"];
      case "failure":
        return ["ChatCompletionSubscriptionError", "ChatCompletionSubscriptionResult"];
      default:
        return [];
    }
  });
}

/** Seconds of the rows are divided by this. */
const SPEED_UP = 100;
const spedUp = (isCustom: boolean, endpoint: ModelEndpoint) => {
  const limits = playgroundLimits(endpoint, isCustom);
  return {
    limits: { ...limits, idleSeconds: limits.idleSeconds / SPEED_UP },
    retries: isCustom
      ? noRetries
      : {
          delaySeconds: (attempt: Parameters<typeof noRetries.delaySeconds>[0]) => {
            const seconds = playgroundRetries.delaySeconds(attempt);
            return seconds === null ? null : seconds / SPEED_UP;
          },
        },
  };
};

async function check(id: string): Promise<void> {
  const vector = rows.get(id)!;
  const { expect: expected } = vector;
  models.requests.length = 0;
  if (expected.error !== undefined) {
    const refusal = await callOf(vector).then(
      () => null,
      (error: unknown) => error,
    );
    expect(refusal).toBeInstanceOf(Failure);
    expect((refusal as Failure).kind).toBe("invalid");
    const what = sentences[expected.error] ?? expected.error;
    expect((refusal as Failure).message).toContain(what);
    expect(models.requests).toEqual([]);
    return;
  }
  const { call, isCustom } = await callOf(vector);
  const started = performance.now();
  const made = await calls.run(call, spedUp(isCustom, call.endpoint));
  checkEvents(expected, made);
  checkMessage(expected, made);
  checkSpan(expected, call, made);
  checkWire(expected, models.requests);
  // No upper limit: that depends on the machine.
  if (expected.at_s !== undefined) {
    expect(performance.now() - started).toBeGreaterThanOrEqual((expected.at_s[0] * 1000) / SPEED_UP);
  }
}

/** Messages that rows describe instead of quoting. */
const sentences: Readonly<Record<string, string>> = {
  "bad request naming Host": '"Host"',
  "bad request naming the header": "X-Bad",
  "bad request naming X-Test": '"X-Test"',
  "variant and provider named":
    "Invocation parameters variant 'openai' does not match model provider 'ANTHROPIC' (expected 'anthropic').",
  "same refusal for stored keys": "A custom base URL cannot be used with the server-configured OpenAI API key",
  "same refusal": "A custom base URL cannot be used with the server-configured Azure OpenAI API key",
};

function checkEvents({ text, events, events_end, toolCalls, chunksPerCall, requests }: Expected, made: MadeCall): void {
  if (text !== undefined) expect(made.text).toBe(text);
  if (events !== undefined) expect(eventsOf(made).slice(0, events.length)).toEqual([...events]);
  if (events_end !== undefined) expect(eventsOf(made).slice(-events_end.length)).toEqual([...events_end]);
  if (requests !== undefined) expect(models.requests.length).toBe(requests);
  const pieces = made.events.filter((event) => event.type === "tool_call");
  const joined = [...Map.groupBy(pieces, ({ id }) => id)].map(([id, of]) => ({
    id,
    name: of.map(({ name }) => name).join(""),
    arguments: of.map((piece) => piece.arguments).join(""),
  }));
  if (toolCalls !== undefined) expect(joined).toMatchObject([...toolCalls]);
  for (const { id } of joined) expect(id).not.toBe("");
  if (chunksPerCall !== undefined) expect(pieces.length).toBe(chunksPerCall * joined.length);
}

function checkMessage({ message: whole, messageContains, messageMustNotContain }: Expected, made: MadeCall): void {
  // The playground has its own message for timeouts of custom providers.
  if (whole === "Playground task timed out") expect(made.failure?.kind).toBe("timeout");
  else if (whole !== undefined) expect(made.failure?.message).toBe(whole);
  for (const part of messageContains ?? []) expect(made.failure?.message).toContain(part);
  if (messageMustNotContain !== undefined) expect(JSON.stringify(made)).not.toContain(TEST_KEY);
}

function checkSpan({ span: expected }: Expected, call: ModelCall, made: MadeCall): void {
  if (expected === undefined) return;
  const span = llmSpan(call, made.attempt, { includeResponseBody: true });
  if (expected.name !== undefined) expect(span.name).toBe("ChatCompletion");
  if (expected.spanKind !== undefined) expect(span.kind.toLowerCase()).toBe("llm");
  if (expected.statusCode !== undefined) expect<unknown>(span.status).toBe(expected.statusCode);
  if (expected.statusMessage !== undefined) expect<unknown>(span.statusMessage).toBe(expected.statusMessage);
  if (expected.event !== undefined) expect<unknown>(span.events.map(({ name }) => name)).toEqual([expected.event]);
  for (const [name, count] of Object.entries(expected.tokens ?? {})) {
    expect(span.attributes[`llm.token_count.${name}`]).toBe(count);
  }
  expect(span.attributes).toMatchObject({ ...expected.attributes });
}

function checkWire({ wire, wireAbsent, wireHeaders, wirePath }: Expected, requests: readonly ScriptedRequest[]): void {
  const request = requests[0]!;
  if (wire !== undefined) expect(request.body).toMatchObject(wire);
  for (const name of wireAbsent ?? []) expect(request.body).not.toHaveProperty(name);
  if (wireHeaders !== undefined) expect(request.headers).toMatchObject(wireHeaders);
  if (wirePath !== undefined) expect(request.path).toBe(wirePath);
}

const otherTests: Readonly<Record<string, string>> = {
  c18: "how many repetitions run at once",
  c20: "variables of templates",
  c35: "which custom provider is taken",
  c37: "which custom provider is taken",
};

describe("vectors of the playground", () => {
  const ids = [...rows.keys()].filter((id) => /^[cw]\d/.test(id) && !(id in otherTests));
  test("are complete", () => expect(ids.length).toBe(51));
  test.each(ids)("%s", check);
});
