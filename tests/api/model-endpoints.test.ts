// Whose key goes where: keys of a request, stored secrets and the environment, on both databases.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type {
  ModelEndpointRequest,
  ModelEndpointsService,
  ResolvedEndpoint,
} from "../../src/modules/evaluation/model-providers/model-endpoints.service.ts";
import { modelProvidersFeature } from "../../src/modules/evaluation/model-providers/model-providers.feature.ts";
import { openTestApi, type TestApi, type TestApiOptions } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";

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
});
