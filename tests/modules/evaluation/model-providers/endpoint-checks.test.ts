// How many requests people may make to providers while they configure, and how long one may take.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { openPrincipal, type Principal } from "../../../../src/access/principal.ts";
import { systemClock } from "../../../../src/kernel/clock.ts";
import type { CustomProviderConfig } from "../../../../src/modules/evaluation/model-providers/custom/custom-provider-config.schema.ts";
import type { GivenConfig } from "../../../../src/modules/evaluation/model-providers/custom/custom-providers.schema.ts";
import type { CustomProvidersService } from "../../../../src/modules/evaluation/model-providers/custom/custom-providers.service.ts";
import {
  createEndpointChecksService,
  type EndpointChecksService,
} from "../../../../src/modules/evaluation/model-providers/endpoint-checks.service.ts";
import { createRateBuckets } from "../../../../src/providers/rate-buckets.ts";
import type { CallContext } from "../../../../src/storage/storage.ts";
import { signedIn } from "../../../support/principals.ts";
import { providerCalls } from "../../../support/provider-calls.ts";
import { type ScriptedModels, startScriptedModels } from "../../../support/scripted-models.ts";
import { until } from "../../../support/until.ts";

let models: ScriptedModels;
let silent: ReturnType<typeof Bun.serve>;
let reached = 0;
beforeAll(async () => {
  models = await startScriptedModels();
  silent = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => {
      reached++;
      return new Promise<Response>(() => {});
    },
  });
});
afterAll(async () => {
  await models.close();
  await silent.stop(true);
});

const calls = providerCalls();
let nowUs = 1_000_000_000;

function checksAt(baseUrl: string, timeoutSeconds: number, rateLimitDisabled = false): EndpointChecksService {
  const config: CustomProviderConfig = {
    sdk: "OPENAI",
    authentication: { type: "api_key", api_key: "key-of-the-tests" },
    base_url: baseUrl,
    region: null,
    organization: null,
    project: null,
    api_type: "RESPONSES",
    headers: [],
  };
  const { fetch, tokens } = calls.needs();
  return createEndpointChecksService({
    customProviders: { configToTest: async () => config } as unknown as CustomProvidersService,
    endpoints: { resolveEndpoint: () => Promise.reject(new Error("not asked for here")) },
    modelCalls: { fetch, tokens, rates: createRateBuckets(systemClock) },
    identity: { findVariable: () => null, allowsMetadata: false },
    clock: { now: () => nowUs },
    rateLimitDisabled,
    timeoutSeconds,
  });
}

const context = (principal: Principal = openPrincipal, signal: AbortSignal | null = null) =>
  ({ principal, signal }) as CallContext;
const given = {} as GivenConfig;

test("ten at once, then one every six seconds, each caller for itself", async () => {
  const checks = checksAt(models.openAi, 10);
  const ask = (principal?: Principal) => checks.testConfig(context(principal), given, null);
  for (let count = 0; count < 10; count++) expect(await ask()).toBeNull();
  const refusal = await ask().catch((error: unknown) => error);
  expect(refusal).toMatchObject({ kind: "rate_limited", details: { retryAfterSeconds: 6 } });
  expect(await ask(signedIn(1, "ADMIN"))).toBeNull();
  nowUs += 6_000_000;
  expect(await ask()).toBeNull();
  await expect(ask()).rejects.toThrow("Too many requests to providers: try again in 6 seconds");
  expect(models.requests.length).toBe(12);
});

test("one that takes too long ends, and so does one whose caller is gone", async () => {
  const checks = checksAt(`http://127.0.0.1:${silent.port}`, 0.2);
  expect(await checks.testConfig(context(), given, null)).toBe("Request timed out after 0.2 seconds");
  const gone = AbortSignal.abort();
  const late = checksAt(`http://127.0.0.1:${silent.port}`, 600);
  expect(await late.testConfig(context(openPrincipal, gone), given, null)).not.toBeNull();
});

test("four at a time, of all callers together", async () => {
  const checks = checksAt(`http://127.0.0.1:${silent.port}`, 600, true);
  const leave = new AbortController();
  const before = reached;
  const running = Array.from({ length: 4 }, () => checks.testConfig(context(openPrincipal, leave.signal), given, null));
  await until(() => reached - before === 4);
  await expect(checks.testConfig(context(), given, null)).rejects.toThrow("Too many requests to providers");
  leave.abort();
  await Promise.all(running);
  const again = checks.testConfig(context(openPrincipal, AbortSignal.abort()), given, null);
  expect(await again).not.toBeNull();
});
