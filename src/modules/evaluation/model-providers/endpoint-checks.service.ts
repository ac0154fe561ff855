// Requests to providers that people ask for while they configure: do the credentials work, which models are there. They go to addresses
// that were just entered, so they are few, short, and counted for each caller.
import type { Principal } from "../../../access/principal.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { Failure } from "../../../kernel/failure.ts";
import { createLastUsed } from "../../../kernel/last-used.ts";
import type { ModelProvider } from "../../../model/prompt.ts";
import { checkEndpoint, listEndpointModels } from "../../../providers/endpoint-checks.ts";
import type { ModelEndpoint } from "../../../providers/model-call.ts";
import type { ModelFailure } from "../../../providers/model-event.ts";
import { createRedactor, secretsOf } from "../../../providers/redaction.ts";
import type { IdentitySources } from "../../../providers/server-identity.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { ModelCallParts } from "../../feature.ts";
import { endpointOfConfig } from "./custom/custom-provider-endpoint.rules.ts";
import type { GivenConfig } from "./custom/custom-providers.schema.ts";
import type { CustomProvidersService, NamedRow } from "./custom/custom-providers.service.ts";
import { tooManyChecks } from "./model-endpoints.errors.ts";
import type { ModelEndpointsService } from "./model-endpoints.service.ts";

interface EndpointChecksDependencies {
  readonly customProviders: CustomProvidersService;
  readonly endpoints: ModelEndpointsService;
  readonly modelCalls: ModelCallParts;
  readonly identity: IdentitySources;
  readonly clock: Clock;
  /** SERVICE_DISABLE_RATE_LIMIT. */
  readonly rateLimitDisabled: boolean;
  /** How long one request may take in all. */
  readonly timeoutSeconds: number;
}

/** Models that an endpoint lists, in its order; none for Bedrock, which has no list there. */
export interface EndpointModels {
  readonly names: readonly string[];
  /** Why there are none; null otherwise. */
  readonly error: string | null;
}

/** Whose models are listed. */
type ListedEndpoint = { readonly provider: ModelProvider } | { readonly customProviderId: number };

export interface EndpointChecksService {
  /** Null when the provider accepts the credentials, else why not, without secrets. `row` is the provider that is edited: its secrets
   *  stand in for those that are left empty. Throws kind `invalid` that names the member, `not_found`, `rate_limited`. */
  testConfig(context: CallContext, given: GivenConfig, row: NamedRow | null): Promise<string | null>;
  /** Asks the endpoint, with the credentials of the server. Throws as `resolveEndpoint`, and kind `rate_limited`. */
  listModels(context: CallContext, listed: ListedEndpoint): Promise<EndpointModels>;
}

/** Requests of one caller: so many, and one more every few seconds. */
const BURST = 10;
const REFILL_SECONDS = 6;
/** Of all callers together. */
const MOST_AT_ONCE = 4;
const MOST_CALLERS = 1000;
/** Of a list of models. */
const MOST_NAMES = 5000;
const LONGEST_NAME = 500;

export function createEndpointChecksService(dependencies: EndpointChecksDependencies): EndpointChecksService {
  const { customProviders, endpoints, modelCalls, identity, clock, rateLimitDisabled, timeoutSeconds } = dependencies;
  /** By caller: when all its requests are refilled, in microseconds UTC. */
  const fullUs = createLastUsed<string, number>(MOST_CALLERS);
  let running = 0;

  function take({ principal }: CallContext): void {
    if (running >= MOST_AT_ONCE) throw tooManyChecks(timeoutSeconds);
    if (rateLimitDisabled) return;
    const nowUs = clock.now();
    const caller = callerOf(principal);
    const nextUs = Math.max(fullUs.find(caller) ?? nowUs, nowUs) + REFILL_SECONDS * 1e6;
    const waitUs = nextUs - nowUs - BURST * REFILL_SECONDS * 1e6;
    if (waitUs > 0) throw tooManyChecks(waitUs / 1e6);
    fullUs.set(caller, nextUs);
  }

  /** Ends with the request, and when the time is over, whatever the provider does. */
  async function within<Value>(context: CallContext, ask: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    take(context);
    running++;
    const signals = [AbortSignal.timeout(timeoutSeconds * 1000), ...(context.signal === null ? [] : [context.signal])];
    try {
      return await ask(AbortSignal.any(signals));
    } finally {
      running--;
    }
  }

  const needs = (signal: AbortSignal) => ({ fetch: modelCalls.fetch, tokens: modelCalls.tokens, clock, signal });

  return {
    async testConfig(context, given, row) {
      const config = await customProviders.configToTest(context, given, row);
      let endpoint: ModelEndpoint;
      try {
        endpoint = endpointOfConfig({ name: "The provider", provider: "", config, headers: null, identity });
      } catch (error) {
        if (error instanceof Failure) return error.message;
        throw error;
      }
      return within(context, async (signal) => messageOf(await checkEndpoint(endpoint, needs(signal)), timeoutSeconds));
    },

    async listModels(context, listed) {
      const { endpoint } = await endpoints.resolveEndpoint(context, {
        provider: "provider" in listed ? listed.provider : null,
        customProviderId: "provider" in listed ? null : listed.customProviderId,
        model: "",
        connection: null,
        credentials: [],
        headers: null,
      });
      return within(context, async (signal) => {
        const { models, failure } = await listEndpointModels(endpoint, needs(signal));
        const names = models.filter((name) => name.length <= LONGEST_NAME).slice(0, MOST_NAMES);
        // A hostile endpoint may list what it was sent.
        return {
          names: names.map(createRedactor(secretsOf(endpoint)).text),
          error: messageOf(failure, timeoutSeconds),
        };
      });
    },
  };
}

function messageOf(failure: ModelFailure | null, seconds: number): string | null {
  if (failure === null) return null;
  const isOver = failure.kind === "timeout" || failure.kind === "cancelled";
  return isOver ? `Request timed out after ${seconds} seconds` : failure.message;
}

function callerOf(principal: Principal): string {
  return "userId" in principal ? `${principal.kind} ${principal.userId}` : principal.kind;
}
