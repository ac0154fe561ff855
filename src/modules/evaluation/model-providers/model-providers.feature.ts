// Providers of models: built-in and custom ones, their credentials, and the endpoint of every call.
import type { ActionRows } from "../../../access/policy.ts";
import { createSecretCipher } from "../../accounts/secrets/secret-cipher.rules.ts";
import { secretsFeature } from "../../accounts/secrets/secrets.feature.ts";
import { givenAccounts } from "../../accounts/users/users.feature.ts";
import { type FeatureBase, type FeatureSettings, feature } from "../../feature.ts";
import { builtInProvidersRoute } from "./built-in/built-in-providers.routes.ts";
import { createBuiltInProvidersService } from "./built-in/built-in-providers.service.ts";
import { customProvidersRoute } from "./custom/custom-providers.routes.ts";
import { type CustomProvidersService, createCustomProvidersService } from "./custom/custom-providers.service.ts";
import { createCustomProvidersStore } from "./custom/custom-providers.store.ts";
import { createEndpointChecksService } from "./endpoint-checks.service.ts";
import { createModelEndpointsService } from "./model-endpoints.service.ts";

/** Of a request that only tests credentials or lists models. */
const CHECK_SECONDS = 10;

const actions = {
  /** Custom providers, and what a server knows of built-in ones. `test` and `list_models` make requests to providers; `oversee` shows
   *  addresses, and where credentials come from. */
  model_providers: {
    read: "read",
    list_models: "write",
    change: "administer",
    test: "administer",
    oversee: "oversee",
  },
} as const satisfies ActionRows;
type ModelProvidersActions = typeof actions;

declare module "../../../access/policy.ts" {
  interface Actions extends ModelProvidersActions {}
}

export const modelProvidersFeature = feature(
  "model-providers",
  { actions },
  ({ ownContext, settings, use, ...base }) => {
    const customProviders = createCustomProviders({ ...base, serviceSecret: settings.serviceSecret });
    const findVariable = (name: string) => settings.providerVariables.get(name) ?? null;
    const identity = { findVariable, allowsMetadata: settings.allowsMetadata };
    const shared = { secrets: use(secretsFeature), identity, allowedProviders: settings.offeredProviders };
    const endpoints = createModelEndpointsService({ ...shared, customProviders });
    const builtIn = createBuiltInProvidersService(shared);
    const checks = createEndpointChecksService({
      customProviders,
      endpoints,
      modelCalls: base.modelCalls,
      identity,
      clock: base.clock,
      rateLimitDisabled: settings.rateLimitDisabled,
      timeoutSeconds: CHECK_SECONDS,
    });
    return {
      service: { endpoints, customProviders, builtIn, checks },
      routes: {
        name: "model-providers",
        routes: [builtInProvidersRoute(builtIn), customProvidersRoute(customProviders)],
      },
      graphql: async () => {
        const [{ addBuiltInProviderTypes }, { addCustomProviderTypes }] = await Promise.all([
          import("./built-in/built-in-providers.graphql.ts"),
          import("./custom-providers.graphql.ts"),
        ]);
        return (types) => {
          addBuiltInProviderTypes(types, { builtIn, checks });
          addCustomProviderTypes(types, { customProviders, checks, users: use(givenAccounts).users });
        };
      },
      parts: [
        {
          name: "custom providers",
          changes: false,
          start: () => void customProviders.reportUnreadable(ownContext()),
          stop: () => {},
        },
      ],
    };
  },
);

/** Custom providers alone, also for commands. */
export function createCustomProviders({
  storage,
  clock,
  log,
  serviceSecret,
}: Pick<FeatureBase, "storage" | "clock" | "log"> & Pick<FeatureSettings, "serviceSecret">): CustomProvidersService {
  return createCustomProvidersService({
    store: createCustomProvidersStore(storage.dialect),
    storage,
    cipher: createSecretCipher(serviceSecret),
    isProtected: serviceSecret !== null,
    clock,
    log: log.named("custom-providers"),
  });
}
