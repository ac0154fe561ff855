// The built-in providers on both databases: the recorded rows over REST, and what GraphQL tells of credentials, addresses and models.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { openPrincipal, type Principal } from "../../src/access/principal.ts";
import { openTestApi, send, type TestApi } from "../support/api.ts";
import { CANARIES, configs, createCustomProvider } from "../support/custom-providers.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { signedIn } from "../support/principals.ts";
import { type ScriptedModels, startScriptedModels } from "../support/scripted-models.ts";
import recorded from "../vectors/additions.json" with { type: "json" };

interface Row {
  readonly settings?: Readonly<Record<string, string>>;
  readonly expect: { readonly set: { readonly data: readonly { readonly provider: string; readonly name: string }[] } };
}

const rows = recorded.groups.find(({ group }) => group === "providers")!.vectors as unknown as readonly Row[];

interface Provider {
  readonly key: string;
  readonly name: string;
  readonly credentialsSet: boolean;
  readonly credentialRequirements: readonly {
    readonly envVarName: string;
    readonly isRequired: boolean;
    readonly source: string | null;
  }[];
  readonly baseUrl: string | null;
  readonly baseUrlProblem: string | null;
  readonly baseUrlEnvVarName: string | null;
}

const PROVIDERS = `{ modelProviders { key name dependencies dependenciesInstalled credentialsSet baseUrl baseUrlProblem
  baseUrlEnvVarName credentialRequirements { envVarName isRequired source } } }`;
const MODELS = "query ($input: ModelsInput) { playgroundModels(input: $input) { name providerKey } }";
const LISTED = "query ($input: EndpointModelsInput!) { endpointModels(input: $input) { names error } }";

forEachDriver("model providers", (driver) => {
  test.each(rows.map((row) => [JSON.stringify(row.settings ?? "all"), row] as const))("%s", async (_name, row) => {
    const api = await openTestApi(await driver.createDatabase(), { variables: row.settings ?? {} });
    try {
      const answer = await send(api.server, "GET /v1/model_providers");
      const { data } = (await answer.json()) as Row["expect"]["set"];
      expect(answer.status).toBe(200);
      expect(data.toSorted((one, other) => (one.provider < other.provider ? -1 : 1))).toEqual([...row.expect.set.data]);
      const { modelProviders } = await askData<{ modelProviders: readonly Provider[] }>(api, PROVIDERS);
      expect(modelProviders.map(({ key, name }) => ({ provider: key, name }))).toEqual([...data]);
      const { playgroundModels } = await askData<{ playgroundModels: readonly { providerKey: string }[] }>(api, MODELS);
      const keys = new Set(data.map(({ provider }) => provider));
      expect(playgroundModels.length).toBeGreaterThan(0);
      expect(playgroundModels.filter(({ providerKey }) => !keys.has(providerKey))).toEqual([]);
    } finally {
      await api.close();
    }
  });

  describe("in GraphQL", () => {
    let models: ScriptedModels;
    let principal: Principal = openPrincipal;
    let api: TestApi;
    beforeAll(async () => {
      models = await startScriptedModels();
      api = await openTestApi(await driver.createDatabase(), {
        resolvePrincipal: () => principal,
        variables: {
          SERVICE_DISABLE_RATE_LIMIT: "true",
          OPENAI_API_KEY: CANARIES.key,
          OPENAI_BASE_URL: models.openAi,
          AWS_ACCESS_KEY_ID: "AKIAEXAMPLE",
          DEEPSEEK_BASE_URL: "https://user:swordfish@deepseek.example",
          OLLAMA_BASE_URL: models.openAi,
        },
      });
      await api.secrets.changeSecrets(api.context(), [
        { key: "AWS_SECRET_ACCESS_KEY", value: CANARIES.access },
        { key: "GOOGLE_API_KEY", value: CANARIES.key },
      ]);
    });
    afterAll(async () => {
      await api.close();
      await models.close();
    });
    beforeEach(() => {
      principal = openPrincipal;
      models.requests.length = 0;
    });
    const providers = async () => {
      const { modelProviders } = await askData<{ modelProviders: readonly Provider[] }>(api, PROVIDERS);
      expect(JSON.stringify(modelProviders)).not.toMatch(/canary|swordfish/);
      return new Map(modelProviders.map((provider) => [provider.key, provider]));
    };

    test("credentials may come from secrets and the environment, mixed or by another name", async () => {
      const found = await providers();
      const sourcesOf = (key: string) =>
        found
          .get(key)!
          .credentialRequirements.map(({ envVarName, isRequired, source }) => [envVarName, isRequired, source]);
      expect(sourcesOf("OPENAI")).toEqual([["OPENAI_API_KEY", true, "ENVIRONMENT"]]);
      expect(sourcesOf("AWS")).toEqual([
        ["AWS_ACCESS_KEY_ID", true, "ENVIRONMENT"],
        ["AWS_SECRET_ACCESS_KEY", true, "SECRET"],
        ["AWS_SESSION_TOKEN", false, null],
      ]);
      expect(sourcesOf("GOOGLE")).toEqual([
        ["GEMINI_API_KEY", true, null],
        ["GOOGLE_API_KEY", false, "SECRET"],
      ]);
      expect(sourcesOf("OLLAMA")).toEqual([]);
      const set = [...found.values()].filter(({ credentialsSet }) => credentialsSet).map(({ key }) => key);
      expect(set.sort()).toEqual(["AWS", "GOOGLE", "OLLAMA", "OPENAI"]);
    });

    test("addresses are those that calls go to, or say what is wrong with them", async () => {
      const found = await providers();
      const addressOf = (key: string) => {
        const { baseUrl, baseUrlProblem, baseUrlEnvVarName } = found.get(key)!;
        return [baseUrl, baseUrlProblem, baseUrlEnvVarName];
      };
      expect(addressOf("OPENAI")).toEqual([models.openAi, null, "OPENAI_BASE_URL"]);
      expect(addressOf("ANTHROPIC")).toEqual(["https://api.anthropic.com", null, "ANTHROPIC_BASE_URL"]);
      expect(addressOf("AWS")).toEqual(["https://bedrock-runtime.us-east-1.amazonaws.com", null, "AWS_REGION"]);
      expect(addressOf("AZURE_OPENAI")).toEqual([null, null, "AZURE_OPENAI_ENDPOINT"]);
      expect(addressOf("DEEPSEEK")).toEqual([null, expect.stringContaining("user"), "DEEPSEEK_BASE_URL"]);
      principal = signedIn(1, "MEMBER");
      const { credentialRequirements, ...member } = (await providers()).get("OPENAI")!;
      expect(member).toMatchObject({ credentialsSet: true, baseUrl: null });
      expect(credentialRequirements).toEqual([{ envVarName: "OPENAI_API_KEY", isRequired: true, source: null }]);
    });

    test("known models are those of the provider", async () => {
      const { playgroundModels } = await askData<{ playgroundModels: readonly unknown[] }>(api, MODELS, {
        input: { providerKey: "CEREBRAS", openaiApiType: "RESPONSES" },
      });
      expect(playgroundModels).toContainEqual({ name: "gpt-oss-120b", providerKey: "CEREBRAS" });
      expect(new Set(playgroundModels.map((model) => (model as { providerKey: string }).providerKey)).size).toBe(1);
    });

    test("an endpoint lists its own, with the key of the server", async () => {
      const list = async (input: object) =>
        (await askData<{ endpointModels: { names: string[]; error: string | null } }>(api, LISTED, { input }))
          .endpointModels;
      expect(await list({ providerKey: "OPENAI" })).toEqual({ names: ["text", "tool"], error: null });
      expect(models.requests[0]!.headers.authorization).toBe(`Bearer ${CANARIES.key}`);
      expect(await list({ providerKey: "OLLAMA" })).toEqual({ names: ["text", "tool"], error: null });
      const { id } = await createCustomProvider(api, "google", configs(models.address).google);
      expect(await list({ customProviderId: id })).toEqual({ names: ["text", "tool"], error: null });
      expect(models.requests[2]!.headers["x-gateway"]).toBe(CANARIES.header);
      const away = await createCustomProvider(api, "away", configs("http://127.0.0.1:9").anthropic);
      expect(await list({ customProviderId: away.id })).toEqual({
        names: [],
        error: expect.stringContaining("127.0.0.1:9 refused the connection"),
      });
    });

    test("which viewers do not ask, and nobody for a provider without a key", async () => {
      expect(await askRefusal(api, LISTED, { input: { providerKey: "GROQ" } })).toContain(
        "An API key is required for Groq models.",
      );
      expect(await askRefusal(api, LISTED, { input: { customProviderId: "x" } })).toStartWith("BAD_REQUEST");
      principal = signedIn(1, "MEMBER");
      expect(await askRefusal(api, LISTED, { input: { providerKey: "OPENAI" } })).toBe("none");
      principal = signedIn(1, "VIEWER");
      expect(await askRefusal(api, LISTED, { input: { providerKey: "OPENAI" } })).toBe(
        "UNAUTHORIZED Viewers cannot perform this action",
      );
    });
  });
});
