// Custom providers as forms have them: what is sent of every kind, what is kept, and refusals in the words of the form.
import { describe, expect, test } from "bun:test";
import {
  configInputOf,
  type ProviderValues,
  presets,
  presetValues,
  providerProblems,
  providerValuesOf,
  refusalText,
} from "../../src/web/pages/server-settings/providers/provider-form.ts";
import type { CustomProvider } from "../../src/web/pages/server-settings/providers/providers.queries.ts";
import { endOfMask, shownConfigOf } from "../../src/web/pages/server-settings/providers/shown-config.ts";

const MASK = "\uE000REDACTED\uE000abcd\uE000";

const provider = (config: object, sdk: CustomProvider["sdk"]) =>
  ({ id: "1", name: "one", description: null, provider: "in-house", sdk, config }) as unknown as CustomProvider;

const openai = provider(
  {
    __typename: "OpenAICustomProviderConfig",
    openaiAuthenticationMethod: { apiKey: MASK },
    openaiClientKwargs: {
      baseUrl: "https://gateway.example/v1",
      organization: null,
      project: "p",
      defaultHeaders: { "x-a": MASK },
    },
    openaiApiType: "RESPONSES",
  },
  "OPENAI",
);

test("a stored provider is sent back without its secrets, and keeps them", () => {
  const values = providerValuesOf(openai);
  expect(JSON.stringify(values)).not.toContain("\uE000");
  expect(configInputOf(values)).toEqual({
    openai: {
      openaiAuthenticationMethod: { apiKey: "" },
      openaiClientKwargs: {
        baseUrl: "https://gateway.example/v1",
        organization: null,
        project: "p",
        defaultHeaders: { "x-a": null },
      },
      openaiApiType: "RESPONSES",
    },
  });
  expect(endOfMask(shownConfigOf(openai)!.mask)).toBe("abcd");
  const [header] = values.headers;
  const sent = (headers: ProviderValues["headers"]) =>
    configInputOf({ ...values, headers }).openai!.openaiClientKwargs!.defaultHeaders as unknown;
  expect(sent([{ ...header!, value: "new" }])).toEqual({ "x-a": "new" });
  // Another name is another header, and one without a name is ignored.
  expect(sent([{ ...header!, name: "x-b", isStored: false }])).toEqual({ "x-b": "" });
  expect(sent([{ ...header!, name: " " }])).toBeNull();
});

describe("every kind is sent as its own member", () => {
  const values = { ...providerValuesOf(null), apiKey: "k", address: " https://a.example ", region: "eu-west-1" };
  const cases: readonly (readonly [Partial<ProviderValues>, object])[] = [
    [
      { sdk: "ANTHROPIC" },
      {
        anthropic: {
          anthropicAuthenticationMethod: { apiKey: "k" },
          anthropicClientKwargs: { baseUrl: "https://a.example", defaultHeaders: null },
        },
      },
    ],
    [
      { sdk: "GOOGLE_GENAI" },
      { googleGenai: { googleGenaiClientKwargs: { httpOptions: { baseUrl: "https://a.example", headers: null } } } },
    ],
    [{ sdk: "AZURE_OPENAI" }, { azureOpenai: { azureOpenaiAuthenticationMethod: { apiKey: "k" } } }],
    [
      { sdk: "AZURE_OPENAI", method: "server" },
      { azureOpenai: { azureOpenaiAuthenticationMethod: { defaultCredentials: true } } },
    ],
    [
      { sdk: "AZURE_OPENAI", method: "application", tenantId: "t", clientId: "c", clientSecret: "s" },
      {
        azureOpenai: {
          azureOpenaiAuthenticationMethod: {
            azureAdTokenProvider: { azureTenantId: "t", azureClientId: "c", azureClientSecret: "s", scope: null },
          },
        },
      },
    ],
    [
      { sdk: "AWS_BEDROCK", method: "accessKeys", accessKeyId: "id", secretAccessKey: "s" },
      {
        awsBedrock: {
          awsBedrockAuthenticationMethod: {
            accessKeys: { awsAccessKeyId: "id", awsSecretAccessKey: "s", awsSessionToken: null },
          },
          awsBedrockClientKwargs: { regionName: "eu-west-1", endpointUrl: "https://a.example" },
        },
      },
    ],
    [
      { sdk: "AWS_BEDROCK", method: "server" },
      { awsBedrock: { awsBedrockAuthenticationMethod: { defaultCredentials: true } } },
    ],
  ];
  test.each(cases)("%j", (changes, expected) => {
    const input = configInputOf({ ...values, ...changes });
    expect(Object.keys(input)).toEqual(Object.keys(expected));
    expect(input).toMatchObject(expected);
  });
});

test("what is missing is reported before it is sent, but for secrets that are stored", () => {
  const wrong = (values: Partial<ProviderValues>, hasSecrets = false) =>
    Object.entries(providerProblems({ ...providerValuesOf(null), ...values }, hasSecrets))
      .filter(([, problem]) => typeof problem === "string")
      .map(([name]) => name);
  expect(wrong({})).toEqual(["name", "apiKey"]);
  expect(wrong({ name: "a" }, true)).toEqual([]);
  expect(wrong({ name: "a", apiKey: "k", address: "gateway.example" })).toEqual(["address"]);
  expect(wrong({ name: "a", sdk: "AZURE_OPENAI", method: "application" })).toEqual([
    "address",
    "tenantId",
    "clientId",
    "clientSecret",
  ]);
  expect(wrong({ name: "a", sdk: "AWS_BEDROCK", method: "accessKeys" })).toEqual([
    "accessKeyId",
    "secretAccessKey",
    "region",
  ]);
  expect(wrong({ name: "a", sdk: "AWS_BEDROCK", method: "server", region: "eu-west-1" })).toEqual([]);
  expect(wrong({ name: "a", apiKey: "k", headers: [{ key: 0, name: "", value: "v", isStored: false }] })).toEqual([
    "headers",
  ]);
  for (const preset of presets.filter(({ apiKey }) => apiKey !== "")) {
    expect(
      Object.values(providerProblems(presetValues(preset), false)).filter((problem) => typeof problem === "string"),
    ).toEqual([]);
  }
});

test("refusals name fields as the form does", () => {
  expect(refusalText("Invalid client config: awsSecretAccessKey must be entered again")).toBe(
    "Secret access key must be entered again",
  );
  expect(refusalText('Invalid client config: defaultHeaders "x-a" must be a text')).toBe(
    'Headers "x-a" must be a text',
  );
  expect(refusalText("Provider with name 'apiKey' already exists")).toBe("Provider with name 'apiKey' already exists");
});
