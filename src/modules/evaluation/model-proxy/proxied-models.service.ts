// Which models can be called through the proxy.
import { wholeList } from "../../../kernel/list.ts";
import { providerOfSdk } from "../../../model/custom-provider.ts";
import { modelLists } from "../../../providers/model-lists.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { BuiltInProvidersService } from "../model-providers/built-in/built-in-providers.service.ts";
import type { CustomProvidersService } from "../model-providers/custom/custom-providers.service.ts";
import type { EndpointChecksService } from "../model-providers/endpoint-checks.service.ts";
import type { ListedModel } from "./chat-completions.schema.ts";
import { endpointWithoutModels } from "./model-proxy.errors.ts";
import { type NamedProvider, namedProvider, proxiedName } from "./proxied-model.rules.ts";

interface ProxiedModelsDependencies {
  readonly builtIn: Pick<BuiltInProvidersService, "listProviders">;
  readonly customProviders: Pick<CustomProvidersService, "listProviders">;
  readonly checks: Pick<EndpointChecksService, "listModels">;
}

export interface ProxiedModelsService {
  /** Names that are known of the built-in providers that can be called, and of the custom ones; nothing is asked outside. Any other name of
   *  a model can be called, too. */
  listKnown(context: CallContext): Promise<ListedModel[]>;
  /** What the endpoint of `ollama`, or of `custom:<id>`, lists. Throws kind `not_found` for an unknown provider, `invalid` for one that
   *  cannot be called, `unavailable` for one that does not answer, and `rate_limited`. */
  listOfEndpoint(context: CallContext, provider: string): Promise<ListedModel[]>;
}

export function createProxiedModelsService(dependencies: ProxiedModelsDependencies): ProxiedModelsService {
  const { builtIn, customProviders, checks } = dependencies;
  return {
    async listKnown(context) {
      const [statuses, customs] = await Promise.all([
        builtIn.listProviders(context),
        wholeList((request) => customProviders.listProviders(context, request)),
      ]);
      return [
        ...statuses
          .filter(({ hasCredentials }) => hasCredentials)
          .flatMap(({ provider }) =>
            listed({ provider, customProviderId: null }, modelLists[provider], provider.toLowerCase()),
          ),
        ...customs.flatMap(({ id, sdk, provider }) =>
          listed({ provider: null, customProviderId: id }, modelLists[providerOfSdk[sdk]], provider),
        ),
      ];
    },

    async listOfEndpoint(context, provider) {
      const named = namedProvider(provider, provider);
      const { customProviderId } = named;
      const asked = customProviderId === null ? { provider: named.provider! } : { customProviderId };
      const { names, error } = await checks.listModels(context, asked);
      if (error !== null) throw endpointWithoutModels(error);
      return listed(named, names, provider.toLowerCase().startsWith("custom:") ? "custom" : provider.toLowerCase());
    },
  };
}

function listed(provider: NamedProvider, names: readonly string[], owner: string): ListedModel[] {
  return names.map((name) => ({ id: proxiedName(provider, name), object: "model", created: 0, owned_by: owner }));
}
