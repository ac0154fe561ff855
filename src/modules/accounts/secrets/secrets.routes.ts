// Secrets over REST: written, never read.
import { type RouteModule, route } from "../../../api/route.ts";
import { SecretChanges, SecretChangesAnswer } from "./secrets.schema.ts";
import type { SecretsService } from "./secrets.service.ts";

export function secretRoutes(secrets: SecretsService): RouteModule {
  return {
    name: "secrets",
    routes: [
      route({
        method: "PUT",
        path: "/v1/secrets",
        operationId: "upsertOrDeleteSecrets",
        summary: "Store and delete secrets",
        description:
          "All or nothing. Values are encrypted with a key made of `SERVICE_SECRET` and appear in no answer. The keys are answered from last to first.",
        action: "secrets.change",
        status: 200,
        storageLocked: true,
        confidential: true,
        body: SecretChanges,
        response: SecretChangesAnswer,
        errors: { invalid: "A key or value is of a wrong form; nothing was changed." },
        example: {
          body: {
            secrets: [
              { key: "OPENAI_API_KEY", value: "sk-example" },
              { key: "ANTHROPIC_API_KEY", value: null },
            ],
          },
          response: { data: { upserted_keys: ["OPENAI_API_KEY"], deleted_keys: ["ANTHROPIC_API_KEY"] } },
        },
        handler: async ({ context, body }) => {
          const { upserted, deleted } = await secrets.changeSecrets(context, body.secrets);
          return { data: { upserted_keys: [...upserted], deleted_keys: [...deleted] } };
        },
      }),
    ],
  };
}
