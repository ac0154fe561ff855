// From what a caller names to the endpoint that is called, with the keys that may go there. Everything that calls models asks here: the
// playground, runs of experiments, evaluators, and the proxy.
import type { ModelProvider } from "../../../model/prompt.ts";
import { builtInProviders } from "../../../providers/built-in-providers.ts";
import { type EndpointRequest, resolveEndpoint } from "../../../providers/endpoints.ts";
import type { ModelEndpoint } from "../../../providers/model-call.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { SecretsService } from "../../accounts/secrets/secrets.service.ts";
import { customProviderNotFound, noProvider, secretUnreadable } from "./model-endpoints.errors.ts";

/** Where a call is to go. `connection`, `credentials` and `headers` are those of `EndpointRequest`; a custom provider has its own
 *  connection and credentials. */
export interface ModelEndpointRequest extends Omit<EndpointRequest, "provider"> {
  /** May be null beside a custom provider; where it is not, the custom provider must speak its protocol. */
  readonly provider: ModelProvider | null;
  /** Row id; null for the provider by its name. */
  readonly customProviderId: number | null;
}

export interface ResolvedEndpoint {
  readonly endpoint: ModelEndpoint;
  /** What `playgroundLimits` and the choice of retries ask for. */
  readonly isCustom: boolean;
}

export interface ModelEndpointsService {
  /** Keys of the request come before stored secrets, and these before the environment; a key of the server never goes to an address of
   *  the request. Throws kind `invalid` with what is missing or refused, `not_found` for a custom provider that does not exist. */
  resolveEndpoint(context: CallContext, request: ModelEndpointRequest): Promise<ResolvedEndpoint>;
}

interface ModelEndpointsDependencies {
  readonly secrets: SecretsService;
  readonly findVariable: (name: string) => string | null;
  /** SERVICE_ALLOWED_PROVIDERS; null for all. */
  readonly allowedProviders: readonly ModelProvider[] | null;
}

export function createModelEndpointsService(dependencies: ModelEndpointsDependencies): ModelEndpointsService {
  const { secrets, findVariable, allowedProviders } = dependencies;

  /** Reads the secrets of a provider together, with the first that is asked for: a request with its own key asks for none. */
  function secretsOf(context: CallContext, provider: ModelProvider) {
    let reading: ReturnType<SecretsService["readSecrets"]> | null = null;
    return async (name: string): Promise<string | null> => {
      reading ??= secrets.readSecrets(context, secretNamesOf(provider));
      const value = (await reading).get(name);
      if (value === null) throw secretUnreadable(name);
      return value ?? null;
    };
  }

  return {
    async resolveEndpoint(context, { customProviderId, provider, ...request }) {
      if (customProviderId !== null) throw customProviderNotFound(customProviderId);
      if (provider === null) throw noProvider();
      const sources = { findSecret: secretsOf(context, provider), findVariable, allowedProviders };
      return { endpoint: await resolveEndpoint({ ...request, provider }, sources), isCustom: false };
    },
  };
}

/** The names under which keys of a provider are stored. */
function secretNamesOf(provider: ModelProvider): string[] {
  const { keyVariables, requiredVariables } = builtInProviders.get(provider)!;
  return [...new Set([...keyVariables, ...requiredVariables, ...(provider === "AWS" ? ["AWS_SESSION_TOKEN"] : [])])];
}
