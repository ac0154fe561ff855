// The model proxy: OpenAI's clients call models of every provider through this server, with its credentials, traced and within budgets.
import { feature } from "../../feature.ts";
import { projectsFeature } from "../../tracing/projects/projects.feature.ts";
import { modelCallsFeature } from "../model-calls/model-calls.feature.ts";
import { modelProvidersFeature } from "../model-providers/model-providers.feature.ts";
import { modelProxyRoutes } from "./model-proxy.routes.ts";
import { createModelProxyService } from "./model-proxy.service.ts";
import { createProxiedModelsService } from "./proxied-models.service.ts";

export const modelProxyFeature = feature("model-proxy", ({ clock, log, use }) => {
  const providers = use(modelProvidersFeature);
  const proxy = createModelProxyService({
    calls: use(modelCallsFeature).calls,
    endpoints: providers.endpoints,
    projects: use(projectsFeature),
  });
  const models = createProxiedModelsService(providers);
  return {
    service: {},
    routes: modelProxyRoutes({ proxy, models, clock, log: log.named("model proxy") }),
  };
});
