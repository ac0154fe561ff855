// The playground: chats are tried with models, before and beside their prompts.
import { feature } from "../../feature.ts";
import { projectsFeature } from "../../tracing/projects/projects.feature.ts";
import { spansFeature } from "../../tracing/spans/spans.feature.ts";
import { tracesFeature } from "../../tracing/traces/traces.feature.ts";
import { modelCallsFeature } from "../model-calls/model-calls.feature.ts";
import { modelProvidersFeature } from "../model-providers/model-providers.feature.ts";
import { promptsFeature } from "../prompts/prompts.feature.ts";
import { createChatsService } from "./chats.service.ts";
import { playgroundRunRoutes } from "./runs/playground-runs.routes.ts";
import { createRunRequestsService } from "./runs/run-requests.service.ts";

export const playgroundFeature = feature("playground", ({ log, use }) => {
  const chats = createChatsService({
    calls: use(modelCallsFeature).calls,
    endpoints: use(modelProvidersFeature).endpoints,
    projects: use(projectsFeature),
  });
  const spans = use(spansFeature);
  const { traces } = use(tracesFeature);
  return {
    service: { chats },
    routes: playgroundRunRoutes({
      chats,
      requests: createRunRequestsService(use(promptsFeature).versions),
      log: log.named("playground"),
    }),
    graphql: async () => {
      const { addPlaygroundTypes } = await import("./playground.graphql.ts");
      return (types) => addPlaygroundTypes(types, { chats, spans, traces });
    },
  };
});
