// Providers of models: those that are known by name, where their keys come from, and the endpoint of every call.
import { secretsFeature } from "../../accounts/secrets/secrets.feature.ts";
import { feature } from "../../feature.ts";
import { createModelEndpointsService } from "./model-endpoints.service.ts";
import { modelProviderRoutes } from "./model-providers.routes.ts";

export const modelProvidersFeature = feature("model-providers", ({ settings, use }) => {
  const endpoints = createModelEndpointsService({
    secrets: use(secretsFeature),
    findVariable: (name) => settings.providerVariables.get(name) ?? null,
    allowedProviders: settings.offeredProviders,
  });
  return { service: { endpoints }, routes: modelProviderRoutes(settings.offeredProviders) };
});
