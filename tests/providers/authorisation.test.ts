// Authentication: API keys, signature version 4 as Amazon verifies it, and tokens of Microsoft Entra ID.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { createHash, createHmac } from "node:crypto";
import type { Clock } from "../../src/kernel/clock.ts";
import {
  AZURE_AUTHORITY,
  AZURE_SCOPE,
  type AzureAdCredentials,
  createAzureTokens,
} from "../../src/providers/azure-tokens.ts";
import type { ModelEndpoint, Wire } from "../../src/providers/model-call.ts";
import { modelCall, TEST_KEY } from "../support/model-calls.ts";
import { providerCalls } from "../support/provider-calls.ts";
import { type ScriptedRequest, scriptedModelsOfSuite } from "../support/scripted-models.ts";
import { TEST_ACCESS_KEYS, wireEndpoint, wireParameters } from "../support/wire-endpoints.ts";

const models = scriptedModelsOfSuite();
const calls = providerCalls();

async function sent(wire: Wire, changes: Partial<ModelEndpoint> = {}, model = "text"): Promise<ScriptedRequest> {
  const call = modelCall(wireEndpoint(models, wire, changes), { model, parameters: wireParameters[wire] });
  expect((await calls.run(call)).failure).toBeNull();
  return models.requests.at(-1)!;
}

test("API keys are sent in each provider's header", async () => {
  expect((await sent("openai_chat")).headers.authorization).toBe(`Bearer ${TEST_KEY}`);
  expect((await sent("openai_responses")).headers.authorization).toBe(`Bearer ${TEST_KEY}`);
  const { headers } = await sent("anthropic");
  expect(headers).toMatchObject({ "x-api-key": TEST_KEY, "anthropic-version": "2023-06-01" });
  expect(headers).not.toHaveProperty("authorization");
  const google = await sent("google");
  expect(google.headers["x-goog-api-key"]).toBe(TEST_KEY);
  expect(google.path).not.toContain(TEST_KEY);
  expect((await sent("openai_chat", { credentials: { type: "none" } })).headers).not.toHaveProperty("authorization");
});

test("custom headers override, anthropic-beta values are joined, organizations are sent", async () => {
  const headers = { Authorization: "Bearer other", "x-team": "a" };
  const changed = await sent("openai_chat", { headers, organization: "org-1", project: "proj-1" });
  expect(changed.headers).toMatchObject({
    authorization: "Bearer other",
    "x-team": "a",
    "openai-organization": "org-1",
    "openai-project": "proj-1",
    "content-type": "application/json",
  });
  const computer = modelCall(wireEndpoint(models, "anthropic", { headers: { "Anthropic-Beta": "own-beta" } }), {
    parameters: wireParameters.anthropic,
    tools: { tools: [{ type: "raw", raw: { type: "computer_20250124", name: "computer" } }] },
  });
  await calls.run(computer);
  expect(models.requests.at(-1)!.headers["anthropic-beta"]).toBe("computer-use-2025-01-24,own-beta");
});

describe("Amazon", () => {
  test.each(["text", "arn:aws:bedrock:eu-west-1:1:inference-profile/eu.text", "a b+c=d'(é)"])(
    "receives a valid signature: %s",
    async (model) => {
      const request = await sent("bedrock", { headers: { "x-team": "a  b" } }, model);
      expect(request.headers.authorization).toContain("/eu-west-1/bedrock/aws4_request");
      expect(request.headers.authorization).toBe(expectedSignature(request, TEST_ACCESS_KEYS.secretAccessKey));
    },
  );

  test("receives the session token", async () => {
    const request = await sent("bedrock", {
      credentials: { ...TEST_ACCESS_KEYS, sessionToken: "the-token-of-a-session" },
    });
    expect(request.headers["x-amz-security-token"]).toBe("the-token-of-a-session");
    expect(request.headers.authorization).toContain("x-amz-security-token");
    expect(request.headers.authorization).toBe(expectedSignature(request, TEST_ACCESS_KEYS.secretAccessKey));
  });
});

/** Computes signature version 4 from the received request, following Amazon's documentation. */
function expectedSignature({ path, headers, text }: ScriptedRequest, secret: string): string {
  const { authorization = "", "x-amz-date": date = "" } = headers;
  const [, id, scope, names] = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), SignedHeaders=([^,]+), /.exec(
    authorization,
  )!;
  const sha256 = (value: string) => createHash("sha256").update(value).digest("hex");
  const hmac = (key: string | Buffer, value: string) => createHmac("sha256", key).update(value).digest();
  // Path segments are encoded once more than in the request.
  const canonicalPath = path
    .split("/")
    .map((part) =>
      encodeURIComponent(part).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join("/");
  const canonicalHeaders = names!.split(";").map((name) => `${name}:${headers[name]!.trim().replace(/ +/g, " ")}\n`);
  const canonical = ["POST", canonicalPath, "", canonicalHeaders.join(""), names, sha256(text)].join("\n");
  const key = scope!.split("/").reduce<string | Buffer>((derived, part) => hmac(derived, part), `AWS4${secret}`);
  const signature = hmac(key, ["AWS4-HMAC-SHA256", date, scope, sha256(canonical)].join("\n")).toString("hex");
  return `AWS4-HMAC-SHA256 Credential=${id}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
}

describe("Microsoft Entra ID", () => {
  const asked: { readonly path: string; readonly form: URLSearchParams }[] = [];
  let answer = (): Response => Response.json({ access_token: "token-1-of-the-tests", expires_in: 3600 });
  let entra: ReturnType<typeof Bun.serve>;
  beforeAll(() => {
    entra = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      async fetch(request) {
        asked.push({ path: new URL(request.url).pathname, form: new URLSearchParams(await request.text()) });
        return answer();
      },
    });
  });
  afterAll(() => entra.stop(true));
  afterEach(() => {
    asked.length = 0;
  });

  type Application = Extract<AzureAdCredentials, { readonly type: "azure_ad" }>;
  const application = (changes: Partial<Application> = {}): Application => ({
    type: "azure_ad",
    authority: `http://127.0.0.1:${entra.port}`,
    tenantId: "tenant/../x",
    clientId: "client",
    clientSecret: "client-secret-of-the-tests",
    scope: AZURE_SCOPE,
    ...changes,
  });
  const azure = (credentials = application()): Partial<ModelEndpoint> => ({
    provider: "AZURE_OPENAI",
    baseUrl: `${models.address}/openai/v1`,
    credentials,
  });

  test("issues a token for an application, which is cached", async () => {
    expect(AZURE_AUTHORITY).toBe("https://login.microsoftonline.com");
    const [first, second] = await Promise.all([sent("openai_chat", azure()), sent("openai_chat", azure())]);
    await sent("openai_chat", azure());
    expect([first.path, first.headers.authorization]).toEqual([
      "/openai/v1/chat/completions",
      "Bearer token-1-of-the-tests",
    ]);
    expect(second.headers.authorization).toBe("Bearer token-1-of-the-tests");
    expect(asked.length).toBe(1);
    expect(asked[0]!.path).toBe("/tenant%2F..%2Fx/oauth2/v2.0/token");
    expect(Object.fromEntries(asked[0]!.form)).toEqual({
      grant_type: "client_credentials",
      client_id: "client",
      client_secret: "client-secret-of-the-tests",
      scope: AZURE_SCOPE,
    });
  });

  test("is asked again for another application, and before the token expires", async () => {
    let seconds = 0;
    const clock: Clock = { now: () => seconds * 1e6 };
    const tokens = createAzureTokens({ fetch: calls.needs().fetch, metadataFetch: null }, clock);
    await tokens.get(application());
    await tokens.get(application({ clientId: "other" }));
    expect(asked.length).toBe(2);
    seconds = 3470;
    await tokens.get(application());
    expect(asked.length).toBe(2);
    seconds = 3490;
    await tokens.get(application());
    expect(asked.length).toBe(3);
  });

  test("reports its error without the secret; the next call tries again", async () => {
    const refuse = () =>
      Response.json(
        { error: "invalid_client", error_description: "AADSTS7000215: client-secret-of-the-tests is invalid" },
        { status: 401 },
      );
    answer = refuse;
    const credentials = application({ clientId: "refused" });
    const call = modelCall(wireEndpoint(models, "openai_chat", azure(credentials)));
    const { failure, short } = await calls.run(call);
    expect(short).toEqual(["failure"]);
    expect(failure).toMatchObject({ kind: "auth", status: 401, code: "invalid_client" });
    expect(failure!.message).toBe("Microsoft Entra ID answered 401: AADSTS7000215: [REDACTED] is invalid");
    expect(models.requests).toEqual([]);
    answer = () => Response.json({ access_token: "token-2-of-the-tests", expires_in: "3600" });
    expect((await calls.run(call)).failure).toBeNull();
  });

  test("tokens are redacted too", async () => {
    answer = () => Response.json({ access_token: "token-3-of-the-tests", expires_in: 3600 });
    const call = modelCall(wireEndpoint(models, "openai_chat", azure(application({ clientId: "third" }))), {
      model: "e400",
    });
    const made = await calls.run(call);
    expect(made.failure!.message).toContain("key=Bearer [REDACTED]");
    expect(JSON.stringify(made)).not.toContain("token-3");
  });

  test("cancellation does not wait for a token", async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    answer = () => promise as unknown as Response;
    const controller = new AbortController();
    const call = modelCall(wireEndpoint(models, "openai_chat", azure(application({ clientId: "slow" }))));
    const running = calls.run(call, { signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    expect((await running).failure?.kind).toBe("cancelled");
    resolve(Response.json({}));
  });
});
