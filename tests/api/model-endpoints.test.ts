// Where calls go and with which credentials, on both databases: keys of a request, stored secrets, the environment, custom providers.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { globalId } from "../../src/kernel/ids.ts";
import type {
  ModelEndpointRequest,
  ModelEndpointsService,
  ResolvedEndpoint,
} from "../../src/modules/evaluation/model-providers/model-endpoints.service.ts";
import { modelProvidersFeature } from "../../src/modules/evaluation/model-providers/model-providers.feature.ts";
import { openTestApi, type TestApi, type TestApiOptions } from "../support/api.ts";
import { CANARIES, type ConfigName, configs, createCustomProvider, endpointOf } from "../support/custom-providers.ts";
import { forEachDriver } from "../support/drivers.ts";
import { scriptedModelsOfSuite } from "../support/scripted-models.ts";

const environment = {
  OPENAI_API_KEY: "key-of-the-environment",
  ANTHROPIC_API_KEY: "anthropic-key-of-the-environment",
  SERVICE_ALLOWED_PROVIDERS: "OPENAI,ANTHROPIC",
};
const request = (changes: Partial<ModelEndpointRequest> = {}): ModelEndpointRequest => ({
  provider: "OPENAI",
  customProviderId: null,
  model: "gpt-4o",
  connection: null,
  credentials: [],
  headers: null,
  ...changes,
});
const sent = [{ name: "OPENAI_API_KEY", value: "key-of-the-request" }];

forEachDriver("endpoints of models", (driver) => {
  let url: string;
  let api: TestApi;
  const open = (options: TestApiOptions = {}) => openTestApi(url, { variables: environment, ...options });
  const resolve = (changes?: Partial<ModelEndpointRequest>, at = api): Promise<ResolvedEndpoint> => {
    const endpoints: ModelEndpointsService = at.features.use(modelProvidersFeature).endpoints;
    return endpoints.resolveEndpoint(at.context(), request(changes));
  };
  const keyOf = async (changes?: Partial<ModelEndpointRequest>) => (await resolve(changes)).endpoint.credentials;

  beforeAll(async () => {
    url = await driver.createDatabase();
    api = await open();
  });
  afterAll(() => api.close());

  test("a key of the request comes before a stored one, and that before the environment's", async () => {
    expect(await keyOf()).toEqual({ type: "api_key", apiKey: "key-of-the-environment" });
    await api.secrets.changeSecrets(api.context(), [{ key: "OPENAI_API_KEY", value: "key-of-the-store" }]);
    expect(await keyOf()).toEqual({ type: "api_key", apiKey: "key-of-the-store" });
    expect(await keyOf({ credentials: sent })).toEqual({ type: "api_key", apiKey: "key-of-the-request" });
  });

  test("no key of the server goes to an address of the request", async () => {
    const elsewhere = { connection: { baseUrl: "http://elsewhere.example/v1" } };
    const refused = "cannot be used with the server-configured OpenAI API key";
    await expect(resolve(elsewhere)).rejects.toThrow(refused);
    await api.secrets.changeSecrets(api.context(), [{ key: "OPENAI_API_KEY", value: null }]);
    await expect(resolve(elsewhere)).rejects.toThrow(refused);
    const { endpoint } = await resolve({ ...elsewhere, credentials: sent });
    expect(endpoint).toMatchObject({ baseUrl: "http://elsewhere.example/v1", credentials: { apiKey: sent[0]!.value } });
  });

  test("providers that the operator does not allow are refused by name", async () => {
    await expect(resolve({ provider: "GROQ", credentials: [{ name: "GROQ_API_KEY", value: "x" }] })).rejects.toThrow(
      "'GROQ' is not among SERVICE_ALLOWED_PROVIDERS",
    );
  });

  test("a stored key that another SERVICE_SECRET encrypted is named, and is not passed over for the environment's", async () => {
    await api.secrets.changeSecrets(api.context(), [{ key: "OPENAI_API_KEY", value: "key-of-the-store" }]);
    const other = await open({ serviceSecret: "another-secret-of-tests-0123456789-012" });
    try {
      await expect(resolve({}, other)).rejects.toThrow("Failed to decrypt secret: OPENAI_API_KEY");
      // Whoever brings a key needs none of the store; other providers are not concerned.
      expect((await resolve({ credentials: sent }, other)).endpoint.credentials).toMatchObject({
        apiKey: sent[0]!.value,
      });
      expect((await resolve({ provider: "ANTHROPIC", model: "claude" }, other)).isCustom).toBe(false);
    } finally {
      await other.close();
    }
  });

  describe("of custom providers", () => {
    const models = scriptedModelsOfSuite();
    const expected: Readonly<Record<ConfigName, object>> = {
      openai: {
        provider: "OPENAI",
        wire: "openai_chat",
        baseUrl: "/v1",
        credentials: { type: "api_key", apiKey: CANARIES.key },
        headers: { "x-gateway": CANARIES.header },
        organization: "org-1",
        project: "proj-1",
        llmProvider: "in-house",
      },
      azure: { provider: "AZURE_OPENAI", wire: "openai_responses", baseUrl: "/openai/v1", llmProvider: "azure" },
      azureApplication: {
        provider: "AZURE_OPENAI",
        credentials: {
          type: "azure_ad",
          authority: "https://login.microsoftonline.com",
          tenantId: "tenant",
          clientId: "client",
          clientSecret: CANARIES.application,
          scope: "https://cognitiveservices.azure.com/.default",
        },
      },
      anthropic: { provider: "ANTHROPIC", wire: "anthropic", baseUrl: "", llmProvider: "anthropic" },
      bedrock: {
        provider: "AWS",
        wire: "bedrock",
        baseUrl: "",
        region: "eu-central-1",
        llmProvider: "aws",
        credentials: {
          type: "access_keys",
          accessKeyId: "AKIAEXAMPLE",
          secretAccessKey: CANARIES.access,
          sessionToken: CANARIES.session,
        },
      },
      google: { provider: "GOOGLE", wire: "google", baseUrl: "", llmProvider: "google" },
    };

    test.each(Object.keys(expected) as ConfigName[])("%s", async (name) => {
      const { id } = await createCustomProvider(api, name, configs(models.address)[name]);
      const { endpoint, isCustom } = await endpointOf(api, id);
      expect(isCustom).toBe(true);
      expect({ ...endpoint, baseUrl: endpoint.baseUrl.replace(models.address, "") }).toMatchObject({
        ...expected[name],
        displayName: name,
      });
    });

    test("recorded rows: c34 to c37", async () => {
      const { id } = await createCustomProvider(api, "an", configs(models.address).anthropic);
      await expect(endpointOf(api, id, { provider: "OPENAI" })).rejects.toThrow(
        "Custom provider 'an' has SDK 'anthropic' which is not compatible with model provider 'OPENAI'.",
      );
      const openai = await createCustomProvider(api, "oa", configs(models.address).openai);
      expect((await endpointOf(api, openai.id, { provider: "DEEPSEEK" })).endpoint.wire).toBe("openai_chat");
      const unknown = globalId("GenerativeModelCustomProvider", 999);
      await expect(endpointOf(api, unknown)).rejects.toThrow("Custom provider with ID 999 not found");
    });

    test("headers of the provider override those of the request, which bring no key", async () => {
      const { id } = await createCustomProvider(api, "headers", configs(models.address).openai);
      const { endpoint } = await endpointOf(api, id, { headers: { "X-Gateway": "mine", "X-Mine": "1" } });
      expect(endpoint.headers).toEqual({ "x-gateway": CANARIES.header, "x-mine": "1" });
      await expect(endpointOf(api, id, { headers: { Authorization: "Bearer x" } })).rejects.toThrow("Authorization");
    });

    test("they may be called when the operator allows no provider by name", async () => {
      const other = await open({ variables: { SERVICE_ALLOWED_PROVIDERS: "NONE" } });
      try {
        const { id } = await createCustomProvider(other, "only", configs(models.address).openai);
        expect((await endpointOf(other, id, { provider: "OPENAI" })).endpoint.displayName).toBe("only");
        await expect(resolve({ credentials: sent }, other)).rejects.toThrow("not among SERVICE_ALLOWED_PROVIDERS");
      } finally {
        await other.close();
      }
    });
  });
});
