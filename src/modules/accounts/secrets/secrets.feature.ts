// Secrets: credentials of model providers, encrypted with a key made of SERVICE_SECRET.
import type { ActionRows } from "../../../access/policy.ts";
import { type FeatureBase, type FeatureSettings, feature } from "../../feature.ts";
import { createSecretCipher } from "./secret-cipher.rules.ts";
import { secretRoutes } from "./secrets.routes.ts";
import { createSecretsService, type SecretsService } from "./secrets.service.ts";
import { createSecretsStore } from "./secrets.store.ts";

const actions = {
  secrets: { list: "read", reveal: "oversee", change: "administer" },
} as const satisfies ActionRows;
type SecretsActions = typeof actions;

declare module "../../../access/policy.ts" {
  interface Actions extends SecretsActions {}
}

export const secretsFeature = feature("secrets", { actions }, ({ ownContext, settings, ...base }) => {
  const service = createSecrets({ ...base, serviceSecret: settings.serviceSecret });
  return {
    service,
    routes: secretRoutes(service),
    graphql: async () => {
      const { addSecretTypes } = await import("./secrets.graphql.ts");
      return (types) => addSecretTypes(types, service);
    },
    // Deriving the key is slow and must not delay the start; without secrets it is not done.
    parts: [
      {
        name: "secrets",
        changes: false,
        start: () => void service.reportUnreadable(ownContext()),
        stop: () => {},
      },
    ],
  };
});

/** Secrets alone, also for commands. */
export function createSecrets({
  storage,
  clock,
  log,
  serviceSecret,
}: Pick<FeatureBase, "storage" | "clock" | "log"> & Pick<FeatureSettings, "serviceSecret">): SecretsService {
  return createSecretsService({
    store: createSecretsStore(storage.dialect),
    storage,
    cipher: createSecretCipher(serviceSecret),
    isProtected: serviceSecret !== null,
    clock,
    log: log.named("secrets"),
  });
}
