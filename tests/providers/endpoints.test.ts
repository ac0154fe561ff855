// Endpoints of built-in providers, and which credentials are sent to them.
import { describe, expect, test } from "bun:test";
import { Failure } from "../../src/kernel/failure.ts";
import { type ModelProvider, modelProviders } from "../../src/model/prompt.ts";
import { builtInProviders } from "../../src/providers/built-in-providers.ts";
import {
  azureBaseUrl,
  bedrockBaseUrl,
  checkedAddress,
  type EndpointRequest,
  type EndpointSources,
  hasServerKeys,
  resolveEndpoint,
  wireOf,
} from "../../src/providers/endpoints.ts";

interface Kept {
  readonly secrets?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string>>;
  readonly allowedProviders?: readonly ModelProvider[];
}
const sourcesOf = ({ secrets = {}, variables = {}, allowedProviders }: Kept): EndpointSources => ({
  findSecret: async (name) => secrets[name] ?? null,
  findVariable: (name) => variables[name] ?? null,
  allowsMetadata: false,
  allowedProviders: allowedProviders ?? null,
});
const resolve = (provider: ModelProvider, wishes: Partial<EndpointRequest> = {}, kept: Kept = {}) =>
  resolveEndpoint(
    { provider, model: "m", connection: null, credentials: [], headers: null, ...wishes },
    sourcesOf(kept),
  );
const refusalOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "no refusal",
    (error: unknown) => (error instanceof Failure && error.kind === "invalid" ? error.message : Promise.reject(error)),
  );
const sent = (name: string, value: string) => ({ credentials: [{ name, value }] });
const elsewhere = { connection: { baseUrl: "http://caller.example/v1/" } };

describe("keys", () => {
  test("come from the request, then the secret store, then the environment; empty ones are ignored", async () => {
    const kept = { secrets: { OPENAI_API_KEY: "stored" }, variables: { OPENAI_API_KEY: "environment" } };
    const keyOf = async (wishes: Partial<EndpointRequest>, from: Kept) =>
      (await resolve("OPENAI", wishes, from)).credentials;
    expect(await keyOf(sent("OPENAI_API_KEY", "request"), kept)).toEqual({ type: "api_key", apiKey: "request" });
    expect(await keyOf(sent("OPENAI_API_KEY", ""), kept)).toEqual({ type: "api_key", apiKey: "stored" });
    expect(await keyOf({}, { variables: kept.variables })).toEqual({ type: "api_key", apiKey: "environment" });
    const twice = [
      { name: "OPENAI_API_KEY", value: "first" },
      { name: "OPENAI_API_KEY", value: "second" },
    ];
    expect(await keyOf({ credentials: twice }, kept)).toEqual({ type: "api_key", apiKey: "first" });
  });

  test("of Google have a second variable", async () => {
    const { credentials } = await resolve("GOOGLE", {}, { variables: { GOOGLE_API_KEY: "second" } });
    expect(credentials).toEqual({ type: "api_key", apiKey: "second" });
  });

  test("that are missing are reported with their variable", async () => {
    for (const provider of modelProviders.filter((each) => !["OLLAMA", "AZURE_OPENAI", "AWS"].includes(each))) {
      const { modelsName, requiredVariables } = builtInProviders.get(provider)!;
      expect(await refusalOf(resolve(provider))).toBe(
        `An API key is required for ${modelsName} models. Set the ${requiredVariables[0]} environment variable or use a custom provider.`,
      );
    }
    expect(await refusalOf(resolve("AWS"))).toBe(
      "An API key is required for AWS Bedrock models. Set the AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY environment variable or use a custom provider.",
    );
    expect(await refusalOf(resolve("OLLAMA"))).toBe(
      "A base URL is required for Ollama models. Set the OLLAMA_BASE_URL environment variable (e.g., http://localhost:11434/v1) or use a custom provider.",
    );
    expect(await refusalOf(resolve("AZURE_OPENAI"))).toBe(
      "An Azure endpoint is required for Azure OpenAI models. Set the AZURE_OPENAI_ENDPOINT environment variable or use a custom provider.",
    );
  });

  test("of the server are never sent to an address of the caller", async () => {
    const cases: readonly [ModelProvider, Partial<EndpointRequest>, Readonly<Record<string, string>>][] = [
      ["OPENAI", elsewhere, { OPENAI_API_KEY: "k" }],
      ["GROQ", elsewhere, { GROQ_API_KEY: "k" }],
      ["ANTHROPIC", elsewhere, { ANTHROPIC_API_KEY: "k" }],
      ["GOOGLE", elsewhere, { GOOGLE_API_KEY: "k" }],
      ["AZURE_OPENAI", { connection: { azureEndpoint: "http://caller.example" } }, { AZURE_OPENAI_API_KEY: "k" }],
      [
        "AZURE_OPENAI",
        { connection: { azureEndpoint: "http://caller.example" } },
        { AZURE_TENANT_ID: "t", AZURE_CLIENT_ID: "c", AZURE_CLIENT_SECRET: "s" },
      ],
      [
        "AWS",
        { connection: { endpointUrl: "http://caller.example" } },
        { AWS_ACCESS_KEY_ID: "i", AWS_SECRET_ACCESS_KEY: "s" },
      ],
    ];
    for (const [provider, wishes, keys] of cases) {
      const expected = `A custom base URL cannot be used with the server-configured ${builtInProviders.get(provider)!.name} API key`;
      expect(await refusalOf(resolve(provider, wishes, { variables: keys }))).toStartWith(expected);
      const isApplication = "AZURE_TENANT_ID" in keys;
      if (!isApplication) expect(await refusalOf(resolve(provider, wishes, { secrets: keys }))).toStartWith(expected);
      for (const [name, value] of Object.entries(keys).slice(0, provider === "AWS" ? 1 : 0)) {
        expect(
          await refusalOf(resolve(provider, { ...wishes, ...sent(name, value) }, { variables: keys })),
        ).toStartWith(expected);
      }
    }
  });

  test("of the request are sent to the caller's address", async () => {
    const kept = { secrets: { ANTHROPIC_API_KEY: "stored" } };
    expect(await resolve("ANTHROPIC", { ...elsewhere, ...sent("ANTHROPIC_API_KEY", "own") }, kept)).toMatchObject({
      baseUrl: "http://caller.example/v1",
      credentials: { type: "api_key", apiKey: "own" },
    });
  });

  test("compatible servers get a placeholder if there is no key", async () => {
    const placeholder = { type: "api_key", apiKey: "sk-placeholder" } as const;
    expect((await resolve("OPENAI", elsewhere)).credentials).toEqual(placeholder);
    const configured = { variables: { GROQ_BASE_URL: "http://own.example/v1" } };
    expect((await resolve("GROQ", {}, configured)).credentials).toEqual(placeholder);
    expect(await refusalOf(resolve("ANTHROPIC", elsewhere))).toContain("An API key is required for Anthropic models");
    const ollama = await resolve("OLLAMA", {}, { variables: { OLLAMA_BASE_URL: "http://localhost:11434/v1" } });
    expect(ollama).toMatchObject({ baseUrl: "http://localhost:11434/v1", credentials: { type: "none" } });
  });

  test("of AWS may have several sources; the session token belongs to its keys", async () => {
    const kept = {
      secrets: { AWS_SECRET_ACCESS_KEY: "stored" },
      variables: { AWS_ACCESS_KEY_ID: "id", AWS_SESSION_TOKEN: "token", AWS_REGION: "eu-central-1" },
    };
    const mixed = await resolve("AWS", {}, kept);
    expect(mixed).toMatchObject({
      baseUrl: "https://bedrock-runtime.eu-central-1.amazonaws.com",
      region: "eu-central-1",
      credentials: { accessKeyId: "id", secretAccessKey: "stored", sessionToken: "token" },
    });
    const own = await resolve("AWS", sent("AWS_ACCESS_KEY_ID", "own"), kept);
    expect(own.credentials).toMatchObject({ accessKeyId: "own", sessionToken: null });
  });

  test("of Azure may be an application from the environment", async () => {
    const variables = {
      AZURE_OPENAI_ENDPOINT: "https://own.openai.azure.com/",
      AZURE_TENANT_ID: "t",
      AZURE_CLIENT_ID: "c",
      AZURE_CLIENT_SECRET: "s",
    };
    const application = {
      type: "azure_ad",
      authority: "https://login.microsoftonline.com",
      tenantId: "t",
      clientId: "c",
      clientSecret: "s",
      scope: "https://cognitiveservices.azure.com/.default",
    } as const;
    expect(await resolve("AZURE_OPENAI", {}, { variables })).toMatchObject({
      baseUrl: "https://own.openai.azure.com/openai/v1",
      credentials: application,
    });
    const national = { variables: { ...variables, AZURE_AUTHORITY_HOST: "https://login.microsoftonline.us/" } };
    expect((await resolve("AZURE_OPENAI", {}, national)).credentials).toEqual({
      ...application,
      authority: "https://login.microsoftonline.us",
    });
    const { AZURE_OPENAI_ENDPOINT } = variables;
    expect(await refusalOf(resolve("AZURE_OPENAI", {}, { variables: { AZURE_OPENAI_ENDPOINT } }))).toContain(
      "An API key is required for Azure OpenAI models",
    );
  });

  test("hasServerKeys reports whether all required ones are set", async () => {
    const has = (provider: ModelProvider, kept: Kept) => hasServerKeys(provider, sourcesOf(kept));
    expect(await has("OPENAI", {})).toBe(false);
    expect(await has("OPENAI", { secrets: { OPENAI_API_KEY: "k" } })).toBe(true);
    expect(await has("OPENAI", { variables: { OPENAI_API_KEY: "" } })).toBe(true);
    expect(await has("OLLAMA", {})).toBe(true);
    expect(await has("GOOGLE", { variables: { GOOGLE_API_KEY: "k" } })).toBe(true);
    expect(await has("AWS", { variables: { AWS_ACCESS_KEY_ID: "k" } })).toBe(false);
    const both = { variables: { AWS_ACCESS_KEY_ID: "k" }, secrets: { AWS_SECRET_ACCESS_KEY: "k" } };
    expect(await has("AWS", both)).toBe(true);
    const broken = {
      findSecret: () => Promise.reject(new Error("cannot be decrypted")),
      findVariable: () => null,
      allowsMetadata: false,
    };
    expect(await hasServerKeys("OPENAI", broken)).toBe(false);
  });
});

describe("protocols", () => {
  test("are chosen by the requested API, else the connection, else the model", () => {
    const of = (provider: ModelProvider, model: string, connection: EndpointRequest["connection"] = null) =>
      wireOf({ provider, model, connection });
    expect(of("OPENAI", "gpt-4o")).toBe("openai_chat");
    expect(of("OPENAI", "gpt-5")).toBe("openai_responses");
    expect(of("OPENAI", "whatever-comes-next")).toBe("openai_responses");
    expect(of("OPENAI", "gpt-5", { baseUrl: "http://a" })).toBe("openai_chat");
    expect(of("OPENAI", "gpt-5", { organization: "org-1", baseUrl: " " })).toBe("openai_responses");
    expect(of("OPENAI", "gpt-5", { openaiApiType: "CHAT_COMPLETIONS" })).toBe("openai_chat");
    expect(of("OPENAI", "gpt-4o", { openaiApiType: "RESPONSES" })).toBe("openai_responses");
    expect(of("AZURE_OPENAI", "gpt-5")).toBe("openai_responses");
    expect(of("AZURE_OPENAI", "my-deployment")).toBe("openai_chat");
    expect(of("AZURE_OPENAI", "my-deployment", { openaiApiType: "RESPONSES" })).toBe("openai_responses");
    expect(of("GROQ", "x", { openaiApiType: "RESPONSES" })).toBe("openai_chat");
    expect([of("ANTHROPIC", "x"), of("GOOGLE", "x"), of("AWS", "x")]).toEqual(["anthropic", "google", "bedrock"]);
  });
});

describe("addresses", () => {
  test("come from the caller, the environment, or the defaults", async () => {
    const key = { variables: { OPENAI_API_KEY: "k" } };
    expect((await resolve("OPENAI", {}, key)).baseUrl).toBe("https://api.openai.com/v1");
    const own = { variables: { ...key.variables, OPENAI_BASE_URL: "http://gateway.example/v1" } };
    expect((await resolve("OPENAI", {}, own)).baseUrl).toBe("http://gateway.example/v1");
    const empty = { connection: { baseUrl: "" }, ...sent("OPENAI_API_KEY", "own") };
    expect((await resolve("OPENAI", empty)).baseUrl).toBe("https://api.openai.com/v1");
  });

  test("of Azure endpoints and AWS regions", () => {
    for (const endpoint of ["https://x.azure.com", "https://x.azure.com/", "https://x.azure.com/openai/v1/"]) {
      expect(azureBaseUrl(endpoint)).toBe("https://x.azure.com/openai/v1");
    }
    expect(bedrockBaseUrl("us-gov-west-1")).toBe("https://bedrock-runtime.us-gov-west-1.amazonaws.com");
    for (const region of ["", "evil.example/", "us-east-1.evil.example", "us east", "US-EAST-1"]) {
      expect(() => bedrockBaseUrl(region)).toThrow("is not the name of a region of AWS");
    }
  });

  test("that are invalid are refused", () => {
    for (const address of [
      "ftp://a",
      "file:///a",
      "no address",
      "",
      "//a",
      "http://user@a/",
      "http://a/?x=1",
      "http://a/#x",
    ]) {
      expect(() => checkedAddress(address)).toThrow("The address of the provider");
    }
    expect(checkedAddress(" https://a.example/v1/ ")).toBe("https://a.example/v1");
  });
});

test("providers that are not allowed are refused, headers are validated, organizations are sent to OpenAI only", async () => {
  const key = { variables: { XAI_API_KEY: "k", OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" } };
  expect(await refusalOf(resolve("XAI", {}, { ...key, allowedProviders: ["OPENAI"] }))).toContain("'XAI'");
  expect(await refusalOf(resolve("XAI", { headers: { authorization: "x" } }, key))).toContain('"authorization"');
  const own = { headers: { Authorization: "Bearer x" }, ...sent("XAI_API_KEY", "own") };
  expect((await resolve("XAI", own, key)).headers).toEqual({ authorization: "Bearer x" });
  const connection = { organization: "org-1", project: " proj-1 " };
  expect(await resolve("OPENAI", { connection }, key)).toMatchObject({ organization: "org-1", project: "proj-1" });
  expect(await resolve("ANTHROPIC", { connection }, key)).toMatchObject({ organization: null, project: null });
});
