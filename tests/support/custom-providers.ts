// Custom providers over GraphQL, as pages and programs create, change, test and delete them.
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "bun:test";
import { sql } from "kysely";
import { openPrincipal, type Principal } from "../../src/access/principal.ts";
import { findRowId } from "../../src/kernel/ids.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import type { ResolvedEndpoint } from "../../src/modules/evaluation/model-providers/model-endpoints.service.ts";
import { modelProvidersFeature } from "../../src/modules/evaluation/model-providers/model-providers.feature.ts";
import { openTestApi, type TestApi, type TestApiOptions } from "./api.ts";
import type { TestDriver } from "./drivers.ts";
import { askData, askRefusal } from "./graphql.ts";
import { type ScriptedModels, startScriptedModels } from "./scripted-models.ts";

/** Secrets that no answer and no log may hold. */
export const CANARIES = {
  key: "sk-canary-key-0123456789-0123456789-abcd",
  header: "canary-of-a-header-0123456789-0123456789",
  application: "canary-of-an-application-0123456789",
  access: "canary-of-an-access-key-0123456789-0123",
  session: "canary-of-a-session-0123456789-0123456789",
} as const;

const { key: apiKey } = CANARIES;
const headers = { "X-Gateway": CANARIES.header };

/** One of every kind at an address, with everything that it can have. */
export const configs = (address: string) => ({
  openai: {
    openai: {
      openaiAuthenticationMethod: { apiKey },
      openaiClientKwargs: {
        baseUrl: `${address}/v1`,
        organization: "org-1",
        project: "proj-1",
        defaultHeaders: headers,
      },
      openaiApiType: "CHAT_COMPLETIONS",
    },
  },
  azure: {
    azureOpenai: {
      azureOpenaiAuthenticationMethod: { apiKey },
      azureOpenaiClientKwargs: { azureEndpoint: address, defaultHeaders: headers },
    },
  },
  azureApplication: {
    azureOpenai: {
      azureOpenaiAuthenticationMethod: {
        azureAdTokenProvider: {
          azureTenantId: "tenant",
          azureClientId: "client",
          azureClientSecret: CANARIES.application,
        },
      },
      azureOpenaiClientKwargs: { azureEndpoint: address },
    },
  },
  anthropic: {
    anthropic: {
      anthropicAuthenticationMethod: { apiKey },
      anthropicClientKwargs: { baseUrl: address, defaultHeaders: headers },
    },
  },
  bedrock: {
    awsBedrock: {
      awsBedrockAuthenticationMethod: {
        accessKeys: {
          awsAccessKeyId: "AKIAEXAMPLE",
          awsSecretAccessKey: CANARIES.access,
          awsSessionToken: CANARIES.session,
        },
      },
      awsBedrockClientKwargs: { regionName: "eu-central-1", endpointUrl: address },
    },
  },
  google: {
    googleGenai: {
      googleGenaiAuthenticationMethod: { apiKey },
      googleGenaiClientKwargs: { httpOptions: { baseUrl: address, headers } },
    },
  },
});
export type ConfigName = keyof ReturnType<typeof configs>;

export const CREATE = `mutation ($input: CreateGenerativeModelCustomProviderMutationInput!) {
  createGenerativeModelCustomProvider(input: $input) { provider { id name description provider sdk createdAt updatedAt user { id } } } }`;
export const PATCH = `mutation ($input: PatchGenerativeModelCustomProviderMutationInput!) {
  patchGenerativeModelCustomProvider(input: $input) { provider { id name description provider sdk } } }`;
export const DELETE = `mutation ($id: ID!) { deleteGenerativeModelCustomProvider(input: {id: $id}) { id query { __typename } } }`;
export const TEST = `mutation ($input: GenerativeModelCustomerProviderConfigInput!, $providerId: ID) {
  testGenerativeModelCustomProviderCredentials(input: $input, providerId: $providerId) { error } }`;
export const READ = `query ($id: ID!) { node(id: $id) { ... on GenerativeModelCustomProvider {
  name description provider sdk modelNames promptCount promptNames config {
    __typename
    ... on OpenAICustomProviderConfig { openaiAuthenticationMethod { apiKey }
      openaiClientKwargs { baseUrl organization project defaultHeaders } openaiApiType }
    ... on AzureOpenAICustomProviderConfig { azureOpenaiAuthenticationMethod { apiKey defaultCredentials
      azureAdTokenProvider { azureTenantId azureClientId azureClientSecret scope } }
      azureOpenaiClientKwargs { azureEndpoint defaultHeaders } openaiApiType }
    ... on AnthropicCustomProviderConfig { anthropicAuthenticationMethod { apiKey }
      anthropicClientKwargs { baseUrl defaultHeaders } }
    ... on AWSBedrockCustomProviderConfig { awsBedrockAuthenticationMethod { defaultCredentials
      accessKeys { awsAccessKeyId awsSecretAccessKey awsSessionToken } } awsBedrockClientKwargs { regionName endpointUrl } }
    ... on GoogleGenAICustomProviderConfig { googleGenaiAuthenticationMethod { apiKey }
      googleGenaiClientKwargs { httpOptions { baseUrl headers } } }
    ... on UnparsableConfig { parseError } } } } }`;

type Api = Pick<TestApi, "server">;

export interface CreatedProvider {
  readonly id: string;
  readonly name: string;
  readonly sdk: string;
}

export async function createCustomProvider(
  api: Api,
  name: string,
  clientConfig: unknown,
  provider = "in-house",
): Promise<CreatedProvider> {
  const { createGenerativeModelCustomProvider: created } = await askData<{
    createGenerativeModelCustomProvider: { provider: CreatedProvider };
  }>(api, CREATE, { input: { name, provider, clientConfig } });
  return created.provider;
}

export async function patchCustomProvider(api: Api, id: string, changes: object): Promise<Record<string, unknown>> {
  const { patchGenerativeModelCustomProvider: patched } = await askData<{
    patchGenerativeModelCustomProvider: { provider: Record<string, unknown> };
  }>(api, PATCH, { input: { id, ...changes } });
  return patched.provider;
}

export const patchRefusal = (api: Api, id: string, changes: object) =>
  askRefusal(api, PATCH, { input: { id, ...changes } });

export async function testCustomProvider(api: Api, input: unknown, providerId?: string): Promise<string | null> {
  const { testGenerativeModelCustomProviderCredentials: result } = await askData<{
    testGenerativeModelCustomProviderCredentials: { error: string | null };
  }>(api, TEST, { input, providerId });
  return result.error;
}

export interface ReadProvider {
  readonly config: Record<string, unknown>;
  readonly promptCount: number;
  readonly promptNames: readonly string[];
  readonly [member: string]: unknown;
}

/** Null once it is deleted. */
export async function readCustomProvider(api: Api, id: string): Promise<ReadProvider> {
  return (await askData<{ node: ReadProvider }>(api, READ, { id })).node;
}

/** Where a call of the provider goes, with which credentials. */
export function endpointOf(
  api: Pick<TestApi, "features" | "context">,
  id: string,
  changes: { readonly provider?: "OPENAI" | "DEEPSEEK"; readonly headers?: unknown } = {},
): Promise<ResolvedEndpoint> {
  const { endpoints } = api.features.use(modelProvidersFeature);
  return endpoints.resolveEndpoint(api.context(), {
    provider: null,
    customProviderId: findRowId("GenerativeModelCustomProvider", id),
    model: "m",
    connection: null,
    credentials: [],
    headers: null,
    ...changes,
  });
}

interface Listed {
  readonly edges: readonly { readonly node: { readonly id: string; readonly name: string } }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
}

/** A service beside providers that answer as they are scripted, without a custom provider at the start of each test. No secret may reach
 *  its log. */
export function customProvidersOfSuite(driver: TestDriver) {
  const lines: string[] = [];
  let models: ScriptedModels;
  let url: string;
  let api: TestApi;
  const suite = {
    lines,
    /** Who asks; anyone at the start of each test. */
    principal: openPrincipal as Principal,
    get api() {
      return api;
    },
    get models() {
      return models;
    },
    /** Another server on the same database. */
    open: (options: TestApiOptions = {}) =>
      openTestApi(url, {
        resolvePrincipal: () => suite.principal,
        logger: createLogger({ level: "debug", mode: "default", write: (line) => void lines.push(line) }),
        variables: { SERVICE_DISABLE_RATE_LIMIT: "true" },
        ...options,
      }),
    all: () => configs(models.address),
    async list(given = "") {
      const query = `{ generativeModelCustomProviders${given} { edges { node { id name } } pageInfo { hasNextPage endCursor } } }`;
      return (await askData<{ generativeModelCustomProviders: Listed }>(api, query)).generativeModelCustomProviders;
    },
  };
  beforeAll(async () => {
    models = await startScriptedModels();
    url = await driver.createDatabase();
    api = await suite.open();
  });
  beforeEach(() => {
    suite.principal = openPrincipal;
    models.requests.length = 0;
  });
  afterEach(async () => {
    await sql`delete from custom_providers`.execute(api.stored.storage.handle.write(api.context()));
  });
  afterAll(async () => {
    await api.close();
    await models.close();
    const logged = lines.join("\n");
    for (const canary of Object.values(CANARIES)) expect(logged).not.toContain(canary);
  });
  return suite;
}
