// The rows of tests/vectors/playground.json about the transport, chatCompletion and templates, over /graphql and with stored spans.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openPrincipal, type Principal } from "../../src/access/principal.ts";
import { globalId } from "../../src/kernel/ids.ts";
import { parameterFamily } from "../../src/model/prompt.ts";
import { openTestApi, send, type TestApi } from "../support/api.ts";
import {
  type ChatPayload,
  PARTS_TYPE,
  postSubscription,
  type ReadChat,
  readChat,
} from "../support/chat-subscriptions.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askGraphql } from "../support/graphql.ts";
import { TEST_KEY } from "../support/model-calls.ts";
import { keyOf } from "../support/principals.ts";
import { type ScriptedModels, startScriptedModels } from "../support/scripted-models.ts";
import document from "../vectors/playground.json" with { type: "json" };

interface Input {
  readonly model: string;
  readonly modelProvider?: "OPENAI";
  readonly connectionConfig?: object | null;
  readonly credentials?: null | string | Readonly<Record<string, string>>;
  readonly headers?: unknown;
  readonly invocationParameters?: object;
  readonly messages?: readonly never[];
  readonly template?: null;
  readonly variables?: object;
  readonly repetitions?: number;
  readonly tools?: string | readonly { readonly raw: object }[];
  readonly toolChoice?: object;
  readonly disableParallelToolCalls?: boolean;
  readonly responseFormat?: object;
  readonly streamModelOutput?: boolean;
  readonly customProvider?: string;
  readonly customProviderId?: string;
}
interface ChatVector {
  readonly id: string;
  readonly group: string;
  readonly request: { readonly input: Input; readonly variables?: object; readonly as?: "viewer" };
  readonly state?: string;
  readonly fake?: string;
  readonly expect: Readonly<Record<string, never>> & {
    readonly text?: string;
    readonly events?: readonly (string | { readonly TextChunk: string })[];
    readonly events_end?: readonly string[];
    readonly toolCalls?: readonly object[];
    readonly chunksPerCall?: number;
    readonly requests?: number;
    readonly error?: string;
    readonly message?: string;
    readonly messageContains?: readonly string[];
    readonly messageMustNotContain?: string;
    readonly repetitions?: readonly number[];
    readonly maxConcurrentRequests?: number;
    /** The second one says what the error is. */
    readonly parts?: readonly [
      object,
      { readonly payload: { readonly errors: readonly [{ readonly messageContains: string }] } },
    ];
    readonly wire?: object;
    readonly wireAbsent?: readonly string[];
    readonly wireHeaders?: object;
    readonly wirePath?: string;
    readonly span?: { readonly attributes?: Readonly<Record<string, unknown>>; readonly tokens?: object } & Record<
      string,
      unknown
    >;
  };
}
interface TemplateVector {
  readonly id: string;
  readonly request: { readonly format: string; readonly text: string; readonly variables: object };
  readonly expect: { readonly text?: string; readonly error?: string; readonly errorNotNull?: boolean };
}

const rows = document.vectors as unknown as readonly ChatVector[];

/** Rows that other tests run, with the place. */
const elsewhere: Readonly<Record<string, string>> = {
  t2: "waits 12 s: playground.test.ts has a heartbeat",
  c16: "waits 30 s: tests/providers/vectors.test.ts has it sped up",
  c17: "waits 90 s: tests/modules/evaluation/playground has its events, tests/providers/vectors.test.ts the limit",
};

/** Models of the scripted provider that behave as a row describes. */
const behaviours: Readonly<Record<string, string>> = { "each answer takes 0.4 s": "slow-first-byte-400" };

/** What rows describe instead of quoting. */
const sentences: Readonly<Record<string, string>> = {
  "bad request naming Host": '"Host"',
  "bad request naming the header": "X-Bad",
  "bad request naming X-Test": '"X-Test"',
  "variant and provider named": "variant 'openai' does not match model provider 'ANTHROPIC'",
  "same refusal for stored keys": "A custom base URL cannot be used with the server-configured OpenAI API key",
  "same refusal": "A custom base URL cannot be used with the server-configured Azure OpenAI API key",
  "Value 'NOPE' does not exist in 'GenerativeProviderKey' enum.":
    'Value "NOPE" does not exist in "GenerativeProviderKey" enum.',
  "extra_body must be a JSON object": "extra_body",
};

forEachDriver("vectors of the playground over GraphQL", (driver) => {
  let url: string;
  let models: ScriptedModels;
  let api: TestApi;
  let principal: Principal = openPrincipal;
  /** With a variable in the environment of the server. */
  const others = new Map<string, TestApi>();

  const open = (variables: Readonly<Record<string, string>>) =>
    openTestApi(url, {
      resolvePrincipal: () => principal,
      variables: { SERVICE_ALLOW_PRIVATE_PROVIDERS: "true", ...variables },
    });
  beforeAll(async () => {
    models = await startScriptedModels();
    url = await driver.createDatabase();
    api = await open({});
    await addCustomProviders();
  });
  afterAll(async () => {
    for (const each of others.values()) await each.close();
    await api.close();
    await models.close();
  });

  const customIds = new Map<string, string>();
  async function addCustomProviders(): Promise<void> {
    const mutation = `mutation Create($input: CreateGenerativeModelCustomProviderMutationInput!) {
      createGenerativeModelCustomProvider(input: $input) { provider { id } }
    }`;
    const key = { apiKey: TEST_KEY };
    const openai = (openaiApiType: string) => ({
      openai: { openaiAuthenticationMethod: key, openaiClientKwargs: { baseUrl: models.openAi }, openaiApiType },
    });
    const configs: Readonly<Record<string, object>> = {
      openai: openai("CHAT_COMPLETIONS"),
      responses: openai("RESPONSES"),
      anthropic: {
        anthropic: { anthropicAuthenticationMethod: key, anthropicClientKwargs: { baseUrl: models.address } },
      },
      google: {
        googleGenai: {
          googleGenaiAuthenticationMethod: key,
          googleGenaiClientKwargs: { httpOptions: { baseUrl: models.address } },
        },
      },
      azure: {
        azureOpenai: {
          azureOpenaiAuthenticationMethod: key,
          azureOpenaiClientKwargs: { azureEndpoint: models.address },
          openaiApiType: "CHAT_COMPLETIONS",
        },
      },
    };
    for (const [name, clientConfig] of Object.entries(configs)) {
      const { data, errors } = await askGraphql(api, mutation, { input: { name, provider: name, clientConfig } });
      if (errors !== undefined) throw new Error(errors[0]!.message);
      const made = data as { createGenerativeModelCustomProvider: { provider: { id: string } } };
      customIds.set(name, made.createGenerativeModelCustomProvider.provider.id);
    }
  }

  /** The server in the state of the row. */
  async function inState(state = ""): Promise<{ api: TestApi; restore: () => Promise<void> }> {
    const named = /^(\w+) (in the environment|stored as a secret)$/.exec(state);
    const stored =
      state === "another key stored" ? "OPENAI_API_KEY" : named?.[2]?.startsWith("stored") ? named[1]! : null;
    if (stored !== null) {
      await api.secrets.changeSecrets(api.context(), [{ key: stored, value: "sk-stored-in-the-server" }]);
      return {
        api,
        restore: async () => void (await api.secrets.changeSecrets(api.context(), [{ key: stored, value: null }])),
      };
    }
    const nothing = async () => {};
    if (named === null) return { api, restore: nothing };
    const variable = named[1]!;
    const other = others.get(variable) ?? (await open({ [variable]: "sk-of-the-environment" }));
    others.set(variable, other);
    return { api: other, restore: nothing };
  }

  function variablesOf({ fake, request: { input, variables } }: ChatVector) {
    const provider = input.modelProvider ?? (input.customProvider === "google" ? "GOOGLE" : "OPENAI");
    const family = parameterFamily(provider as "OPENAI");
    const key = `${provider}_API_KEY`;
    const credentials = input.customProvider === undefined ? credentialsOf(input.credentials, key) : [];
    const connection = input.connectionConfig === undefined ? { baseUrl: "<fake>" } : input.connectionConfig;
    const address = provider === "OPENAI" ? models.openAi : models.address;
    const custom =
      input.customProvider === undefined ? idOf(input.customProviderId) : customIds.get(input.customProvider);
    return {
      input: {
        promptVersion: {
          templateFormat: "MUSTACHE",
          template: { messages: messagesOf(input) },
          invocationParameters: input.invocationParameters ?? {
            [family]: family === "anthropic" ? { maxTokens: 9 } : {},
          },
          modelProvider: provider,
          modelName: behaviours[fake ?? ""] ?? input.model,
          ...(input.tools === undefined ? {} : { tools: toolsOf(input) }),
          ...(input.responseFormat === undefined ? {} : { responseFormat: input.responseFormat }),
          ...(custom === undefined ? {} : { customProviderId: custom }),
          ...variables,
        },
        connectionConfig:
          custom === undefined ? JSON.parse(JSON.stringify(connection).replaceAll("<fake>", address)) : null,
        credentials,
        ...(input.headers === undefined ? {} : { headers: input.headers }),
        ...(input.template === null
          ? {}
          : { template: { variables: input.variables ?? { x: "there" }, format: "MUSTACHE" } }),
        repetitions: input.repetitions ?? 1,
        ...(input.streamModelOutput === undefined ? {} : { streamModelOutput: input.streamModelOutput }),
      },
    };
  }

  async function check(vector: ChatVector): Promise<void> {
    const { expect: expected, request } = vector;
    const { api: asked, restore } = await inState(vector.state);
    models.requests.length = 0;
    models.mostAtOnce = 0;
    principal = request.as === "viewer" ? keyOf(1, "VIEWER") : openPrincipal;
    try {
      const response = await postSubscription(asked, variablesOf(vector));
      expect([response.status, response.headers.get("content-type")]).toEqual([200, PARTS_TYPE]);
      const read = await readChat(response);
      expect(read.parts[0]).toEqual({});
      const refusal = expected.error ?? expected.parts?.[1].payload.errors[0].messageContains;
      if (refusal !== undefined) {
        expect(read.parts).toHaveLength(2);
        expect(read.errors.join()).toContain(sentences[refusal] ?? refusal);
        expect(read.events).toEqual([]);
        expect(models.requests).toEqual([]);
        return;
      }
      expect(read.errors).toEqual([]);
      checkEvents(expected, read);
      checkSpans(expected, read);
      checkWire(expected);
    } finally {
      await restore();
    }
  }

  function checkWire({
    requests,
    maxConcurrentRequests,
    wire,
    wireAbsent,
    wireHeaders,
    wirePath,
  }: ChatVector["expect"]) {
    if (requests !== undefined) expect(models.requests).toHaveLength(requests);
    if (maxConcurrentRequests !== undefined) expect(models.mostAtOnce).toBe(maxConcurrentRequests);
    const [request] = models.requests;
    if (wire !== undefined) expect(request?.body).toMatchObject(wire);
    for (const name of wireAbsent ?? []) expect(request?.body).not.toHaveProperty(name);
    if (wireHeaders !== undefined) expect(request?.headers).toMatchObject(wireHeaders);
    if (wirePath !== undefined) expect(request?.path).toBe(wirePath);
  }

  const chatRows = rows.filter(
    ({ group, id }) => ["transport", "chatCompletion", "wire"].includes(group) && !(id in elsewhere),
  );
  test("are complete", () => expect(chatRows).toHaveLength(57));
  test.each(chatRows.map((row) => [row.id, row] as const))("%s", (_id, row) => check(row));

  describe("templates", () => {
    const templateRows = (rows as unknown as readonly (TemplateVector & { readonly group: string })[]).filter(
      ({ group }) => group === "templates",
    );
    test("are complete", () => expect(templateRows).toHaveLength(16));
    test.each(templateRows.map((row) => [row.id, row] as const))("%s", async (_id, { request, expect: expected }) => {
      const query = `query Apply($template: PromptChatTemplateInput!, $options: PromptTemplateOptions!) {
        applyChatTemplate(template: $template, templateOptions: $options) {
          messages { content { ... on TextContentPart { text { text } } } }
        }
      }`;
      principal = openPrincipal;
      const { data, errors } = await askGraphql(api, query, {
        template: { messages: [{ role: "USER", content: [{ text: { text: request.text } }] }] },
        options: { variables: request.variables, format: request.format },
      });
      if (expected.text === undefined) expect(errors?.[0]?.message).toContain(expected.error ?? "");
      else {
        const filled = data as { applyChatTemplate: { messages: { content: { text: { text: string } }[] }[] } };
        const { text } = filled.applyChatTemplate.messages[0]!.content[0]!.text;
        // White space in JSON is free.
        const isJson = expected.text.startsWith('{"');
        expect(isJson ? JSON.parse(text) : text).toEqual(isJson ? JSON.parse(expected.text) : expected.text);
      }
    });
  });

  test("a query in parts, and a subscription in one piece, are told apart", async () => {
    const query = "subscription { chatCompletion(input: {}) { __typename } }";
    const plain = await send(api.server, "POST /graphql", { json: { query } });
    expect(await plain.json()).toMatchObject({ data: null });
    const variables = variablesOf(rows.find(({ id }) => id === "t1")!);
    const refused = await postSubscription(api, variables, { headers: { accept: "application/json" } });
    expect(await refused.json()).toMatchObject({
      data: null,
      errors: [{ message: "subscriptions need Accept: multipart/mixed", extensions: { code: "BAD_REQUEST" } }],
    });
  });
});

function credentialsOf(given: Input["credentials"], variable: string) {
  if (given === null) return [];
  const sent =
    given === undefined ? { [variable]: TEST_KEY } : typeof given === "string" ? { [given]: TEST_KEY } : given;
  return Object.entries(sent).map(([envVarName, value]) => ({ envVarName, value }));
}

/** Of an id such as `GenerativeModelCustomProvider:999`. */
function idOf(text: string | undefined): string | undefined {
  const [type, row] = text?.split(":") ?? [];
  return type === undefined ? undefined : globalId(type, Number(row));
}

function messagesOf({ messages }: Input) {
  if (typeof messages === "string") {
    const result = { toolResult: { toolCallId: "t1", result: { r: 1 } } };
    return [{ role: "TOOL", content: [result] }];
  }
  return messages ?? [{ role: "USER", content: [{ text: { text: "hi {{x}}" } }] }];
}

function toolsOf({ tools, toolChoice, disableParallelToolCalls }: Input) {
  const [name] = typeof tools === "string" ? tools.split("(") : [];
  return {
    tools: typeof tools === "string" ? [{ function: { name } }] : tools,
    ...(toolChoice === undefined ? {} : { toolChoice }),
    ...(disableParallelToolCalls === undefined ? {} : { disableParallelToolCalls }),
  };
}

function checkEvents(expected: ChatVector["expect"], { events }: ReadChat): void {
  const shown = events.map(({ __typename, content }) =>
    __typename === "TextChunk" ? { TextChunk: content } : __typename,
  );
  if (expected.events !== undefined) expect(shown).toEqual([...expected.events] as typeof shown);
  if (expected.events_end !== undefined)
    expect(shown.slice(-expected.events_end.length)).toEqual([...expected.events_end]);
  if (expected.text !== undefined) expect(events.map(({ content = "" }) => content).join("")).toBe(expected.text);
  const pieces = events.filter(({ __typename }) => __typename === "ToolCallChunk");
  const joined = [...Map.groupBy(pieces, ({ id }) => id)].map(([id, of]) => ({
    id,
    name: of.map((piece) => piece.function!.name).join(""),
    arguments: of.map((piece) => piece.function!.arguments).join(""),
  }));
  if (expected.toolCalls !== undefined) expect(joined).toMatchObject([...expected.toolCalls]);
  for (const { id } of joined) expect(id).not.toBe("");
  if (expected.chunksPerCall !== undefined) expect(pieces).toHaveLength(expected.chunksPerCall * joined.length);
  const message = events.find(({ __typename }) => __typename === "ChatCompletionSubscriptionError")?.message;
  if (expected.message !== undefined) expect(message).toBe(expected.message);
  for (const part of expected.messageContains ?? []) expect(message).toContain(part);
  if (expected.messageMustNotContain !== undefined) expect(JSON.stringify(events)).not.toContain(TEST_KEY);
  if (expected.repetitions !== undefined) {
    const results = events.filter(({ __typename }) => __typename === "ChatCompletionSubscriptionResult");
    expect(results.map(({ repetitionNumber }) => repetitionNumber!).toSorted()).toEqual([...expected.repetitions]);
  }
}

function checkSpans({ span: expected }: ChatVector["expect"], { events }: ReadChat): void {
  const results = events.filter(({ __typename }) => __typename === "ChatCompletionSubscriptionResult");
  for (const { span } of results)
    expect(span).toMatchObject({ name: "ChatCompletion", project: { name: "playground" } });
  if (expected === undefined) return;
  const { span } = results[0] as ChatPayload;
  const { tokens, attributes, spanKind, project: _project, event, ...plain } = expected;
  expect(span).toMatchObject({ ...plain, ...(event === undefined ? {} : { events: [{ name: event }] }) });
  if (spanKind !== undefined) expect(span?.spanKind.toLowerCase()).toBe(String(spanKind));
  for (const [name, count] of Object.entries(tokens ?? {})) {
    expect({ prompt: span?.tokenCountPrompt, completion: span?.tokenCountCompletion }).toMatchObject({ [name]: count });
  }
  const stored = JSON.parse(span!.attributes) as unknown;
  for (const [path, value] of Object.entries(attributes ?? {})) expect(stored).toHaveProperty(path, value);
}
