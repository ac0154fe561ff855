// Listing the models of endpoints, and testing their credentials.
import { expect, test } from "bun:test";
import { checkEndpoint, listEndpointModels } from "../../src/providers/endpoint-checks.ts";
import type { ModelCredentials } from "../../src/providers/model-call.ts";
import { providerCalls } from "../support/provider-calls.ts";
import { scriptedModelsOfSuite } from "../support/scripted-models.ts";
import { wireEndpoint, wireNames } from "../support/wire-endpoints.ts";

const models = scriptedModelsOfSuite();
const needs = providerCalls().needs();

const BAD_KEYS: ModelCredentials = { type: "api_key", apiKey: "bad-key-of-the-tests" };
const BAD_ACCESS_KEYS: ModelCredentials = {
  type: "access_keys",
  accessKeyId: "bad-key-of-the-tests",
  secretAccessKey: "secret-of-the-tests",
  sessionToken: null,
};

test.each([...wireNames])("%s: models are listed once, in order", async (wire) => {
  const listed = await listEndpointModels(wireEndpoint(models, wire), needs);
  expect(listed).toEqual({ models: wire === "bedrock" ? [] : ["text", "tool"], failure: null });
  const paths = { openai_chat: "/v1/models", openai_responses: "/v1/models", anthropic: "/v1/models?limit=1000" };
  const expected = { ...paths, google: "/v1beta/models?pageSize=1000", bedrock: undefined }[wire];
  expect(models.requests.map(({ path }) => path)).toEqual(expected === undefined ? [] : [expected]);
  if (wire === "anthropic") expect(models.requests[0]!.headers["anthropic-version"]).toBe("2023-06-01");
});

test.each([...wireNames])("%s: valid credentials are accepted, others are reported without the key", async (wire) => {
  expect(await checkEndpoint(wireEndpoint(models, wire), needs)).toBeNull();
  const credentials = wire === "bedrock" ? BAD_ACCESS_KEYS : BAD_KEYS;
  const failure = await checkEndpoint(wireEndpoint(models, wire, { credentials }), needs);
  expect(failure).toMatchObject({ kind: "auth", status: 401 });
  expect(failure!.message).toContain("answered 401: bad key [REDACTED]");
});

test("unreachable endpoints, other servers and cancellation are failures", async () => {
  for (const wire of wireNames) {
    const unreachable = wireEndpoint(models, wire, { baseUrl: "http://127.0.0.1:9/v1" });
    expect((await checkEndpoint(unreachable, needs))?.kind).toBe("connection");
  }
  const list = (baseUrl: string, changes = {}) =>
    listEndpointModels(wireEndpoint(models, "openai_chat", { baseUrl }), { ...needs, ...changes });
  expect((await list("http://169.254.169.254/v1")).failure?.kind).toBe("address");
  const page = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("<html></html>") });
  expect((await list(`http://127.0.0.1:${page.port}`)).failure).toMatchObject({
    kind: "no_completion",
    message: "OpenAI sent no list of models",
  });
  await page.stop(true);
  expect((await list(models.openAi, { signal: AbortSignal.abort() })).failure?.kind).toBe("cancelled");
});
