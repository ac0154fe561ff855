// Built-in providers over REST.
import { Type } from "@sinclair/typebox";
import { type Route, route } from "../../../../api/route.ts";
import { Words } from "../../../../kernel/schema.ts";
import { modelProviderNames, modelProviders } from "../../../../model/prompt.ts";
import type { BuiltInProvidersService } from "./built-in-providers.service.ts";

const ModelProvidersAnswer = Type.Object({
  data: Type.Array(Type.Object({ provider: Words(modelProviders), name: Type.String() })),
});

export function builtInProvidersRoute({ offered }: BuiltInProvidersService): Route {
  return route({
    method: "GET",
    path: "/v1/model_providers",
    operationId: "getModelProviders",
    summary: "List model providers",
    description: "Those that `SERVICE_ALLOWED_PROVIDERS` allows, whether or not there is a key for them.",
    action: "model_providers.read",
    status: 200,
    response: ModelProvidersAnswer,
    example: { response: { data: [{ provider: "OPENAI", name: modelProviderNames.OPENAI }] } },
    handler: () => ({ data: offered.map((provider) => ({ provider, name: modelProviderNames[provider] })) }),
  });
}
