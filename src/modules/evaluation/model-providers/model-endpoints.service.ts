// Resolves what a caller names to the endpoint that is called, with the credentials that may go there. Everything that calls models asks
// here: the playground, experiment runs, evaluators, and the proxy.
import type { ModelProvider } from "../../../model/prompt.ts";
import { builtInProviders } from "../../../providers/built-in-providers.ts";
import { type EndpointRequest, resolveEndpoint } from "../../../providers/endpoints.ts";
import type { ModelEndpoint } from "../../../providers/model-call.ts";
import type { IdentitySources } from "../../../providers/server-identity.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { SecretsService } from "../../accounts/secrets/secrets.service.ts";
import { endpointOfConfig, requireFits } from "./custom/custom-provider-endpoint.rules.ts";
import type { CustomProvidersService } from "./custom/custom-providers.service.ts";
import { noProvider, secretUnreadable } from "./model-endpoints.errors.ts";

/** What a call names. `connection`, `credentials` and `headers` are those of `EndpointRequest`. A custom provider has its own connection
 *  and credentials, so those of the request are ignored, and its headers override those of the request. */
export interface ModelEndpointRequest extends Omit<EndpointRequest, "provider"> {
  /** May be null with a custom provider; if it is not, the custom provider must speak its protocol. */
  readonly provider: ModelProvider | null;
  /** Row id; null for a built-in provider. */
  readonly customProviderId: number | null;
}

export interface ResolvedEndpoint {
  readonly endpoint: ModelEndpoint;
  /** Input of `playgroundLimits`, and of the choice of retries. */
  readonly isCustom: boolean;
}

export interface ModelEndpointsService {
  /** Keys of the request win over stored secrets, and those over the environment; a key of the server is never sent to an address of the
   *  request. Throws kind `invalid` that names what is missing or refused, and `not_found` for a custom provider that does not exist. */
  resolveEndpoint(context: CallContext, request: ModelEndpointRequest): Promise<ResolvedEndpoint>;
}

interface ModelEndpointsDependencies {
  readonly secrets: SecretsService;
  readonly customProviders: CustomProvidersService;
  readonly identity: IdentitySources;
  /** SERVICE_ALLOWED_PROVIDERS; null for all. */
  readonly allowedProviders: readonly ModelProvider[] | null;
}

export function createModelEndpointsService(dependencies: ModelEndpointsDependencies): ModelEndpointsService {
  const { secrets, customProviders, identity, allowedProviders } = dependencies;

  /** Reads the secrets of a provider together, once the first is needed: a request with its own key needs none. */
  function secretsOf(context: CallContext, provider: ModelProvider) {
    let reading: ReturnType<SecretsService["readSecrets"]> | null = null;
    return async (name: string): Promise<string | null> => {
      reading ??= secrets.readSecrets(context, credentialNamesOf(provider));
      const value = (await reading).get(name);
      if (value === null) throw secretUnreadable(name);
      return value ?? null;
    };
  }

  return {
    async resolveEndpoint(context, { customProviderId, provider, ...request }) {
      if (customProviderId !== null) {
        const custom = await customProviders.getConfig(context, customProviderId);
        if (provider !== null) requireFits(custom.provider, provider);
        const { name, provider: llmProvider } = custom.provider;
        const { headers } = request;
        const parts = { name, provider: llmProvider, config: custom.config, headers, identity };
        return { endpoint: endpointOfConfig(parts), isCustom: true };
      }
      if (provider === null) throw noProvider();
      const sources = { ...identity, findSecret: secretsOf(context, provider), allowedProviders };
      return { endpoint: await resolveEndpoint({ ...request, provider }, sources), isCustom: false };
    },
  };
}

/** The names of a provider's credentials: variables, and secrets of the same names. */
export function credentialNamesOf(provider: ModelProvider): string[] {
  const { keyVariables, requiredVariables } = builtInProviders.get(provider)!;
  return [...new Set([...keyVariables, ...requiredVariables, ...(provider === "AWS" ? ["AWS_SESSION_TOKEN"] : [])])];
}
