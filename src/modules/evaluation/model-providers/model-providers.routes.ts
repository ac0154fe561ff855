// Providers of models over REST.
import { Type } from "@sinclair/typebox";
import { type Route, type RouteModule, route } from "../../../api/route.ts";
import { Words } from "../../../kernel/schema.ts";
import { type ModelProvider, modelProviderNames, modelProviders } from "../../../model/prompt.ts";

const ModelProvidersAnswer = Type.Object({
  data: Type.Array(Type.Object({ provider: Words(modelProviders), name: Type.String() })),
});

/** `offered` is SERVICE_ALLOWED_PROVIDERS; null for all. */
export function modelProviderRoutes(offered: readonly ModelProvider[] | null): RouteModule {
  return { name: "model-providers", routes: [builtInRoute(offered)] };
}

function builtInRoute(offered: readonly ModelProvider[] | null): Route {
  return route({
    method: "GET",
    path: "/v1/model_providers",
    operationId: "getModelProviders",
    summary: "List model providers",
    description: "Those that are offered by `SERVICE_ALLOWED_PROVIDERS`, whether or not there is a key for them.",
    action: "prompts.read",
    status: 200,
    response: ModelProvidersAnswer,
    example: { response: { data: [{ provider: "OPENAI", name: modelProviderNames.OPENAI }] } },
    handler: () => ({
      data: (offered ?? modelProviders).map((provider) => ({ provider, name: modelProviderNames[provider] })),
    }),
  });
}
