// Every route of the API as declared, over services that do nothing: for tests that walk the declarations.
import type { RouteModule } from "../../src/api/route.ts";
import { createPages } from "../../src/http/pages.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { silentLogger } from "../../src/kernel/logger.ts";
import { givenApiKeys } from "../../src/modules/accounts/api-keys/api-keys.feature.ts";
import { givenSigningIn } from "../../src/modules/accounts/auth/auth.feature.ts";
import { givenAccounts } from "../../src/modules/accounts/users/users.feature.ts";
import { type FeatureBase, giving } from "../../src/modules/feature.ts";
import { apiModules } from "../../src/server/api.ts";
import { type Composition, compose } from "../../src/server/compose.ts";
import { features } from "../../src/server/features.ts";

/** Any member of it is a function that returns such a thing again: enough to build a feature, too little to do anything. */
const idle: unknown = new Proxy(() => {}, {
  get: (_target, name) => (name === "then" ? undefined : idle),
  apply: () => idle,
});

/** The features of the service over nothing but what is given. */
export function declaredFeatures(given: Partial<FeatureBase> = {}): Composition {
  const base = {
    storage: idle,
    clock: systemClock,
    log: silentLogger,
    ownContext: idle,
    receiver: idle,
    rollups: idle,
    evaluationThread: idle,
    isStorageLocked: () => false,
    settings: { defaultProjectName: "default", serviceSecret: null, models: [], bodyLimit: 1_000_000 },
    readSettings: ({ settings }: { readonly settings: Readonly<Record<string, { readonly default: unknown }>> }) =>
      Object.fromEntries(Object.entries(settings).map(([key, one]) => [key, one.default])),
    ...given,
  };
  return compose(features, base as unknown as FeatureBase, [
    giving<unknown>(givenAccounts, idle),
    giving<unknown>(givenApiKeys, idle),
    giving(givenSigningIn, null),
  ]);
}

export function declaredModules(): readonly RouteModule[] {
  const files = { current: () => Promise.reject(new Error("This test has no pages")), lastRead: () => null };
  const pages = createPages(files, {
    basePath: "",
    version: "1.2.3",
    supportEmail: null,
    readOnly: false,
    authenticationEnabled: false,
    signIn: null,
    managementUrl: null,
    offeredProviders: null,
  });
  const modules = apiModules(declaredFeatures(), {
    version: "1.2.3",
    rootPath: "",
    jsonBodyLimit: 1_000_000,
    graphql: { ...openGuards, clock: systemClock, logger: silentLogger, maskFaults: true },
    clearedCookies: [],
    readiness: async () => ({ note: null }),
  });
  return [...modules, pages.module];
}

/** Nothing is forbidden. */
export const openGuards = { readOnly: false, isStorageLocked: () => false, supportEmail: null };

/** The same routes with handlers that only say that they were reached. */
export function reachedModules(status: number): readonly RouteModule[] {
  return declaredModules().map((module) => ({
    ...module,
    routes: module.routes.map((route) => ({ ...route, handler: () => new Response(null, { status }) })),
  }));
}
