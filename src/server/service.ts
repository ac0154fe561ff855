// The service over an open storage: accounts and sign-ins, the features, and everything they answer over HTTP. The program runs it
// with threads, jobs and ports around it (app.ts); tests run it without.
import { join } from "node:path";
import type { RouteModule } from "../api/route.ts";
import type { Config } from "../config/config.ts";
import type { PricedModel } from "../costs/price-list.ts";
import type { WakeJob } from "../jobs/job.ts";
import { capacityBytesOf } from "../jobs/storage-guard.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Logger } from "../kernel/logger.ts";
import { createMetrics, type Metrics } from "../kernel/metrics.ts";
import { givenApiKeys } from "../modules/accounts/api-keys/api-keys.feature.ts";
import { givenSigningIn } from "../modules/accounts/auth/auth.feature.ts";
import type { ProviderLimits } from "../modules/accounts/auth/openid/provider-requests.service.ts";
import type { OnRefusedSignIn } from "../modules/accounts/auth/refused-sign-ins.service.ts";
import type { HashCost } from "../modules/accounts/users/password.rules.ts";
import { givenAccounts } from "../modules/accounts/users/users.feature.ts";
import { type FeatureBase, giving } from "../modules/feature.ts";
import type { CallContext, Storage } from "../storage/storage.ts";
import { evaluationWorker } from "../threads.ts";
import { apiModules } from "./api.ts";
import { type Composition, compose } from "./compose.ts";
import { features, ownedTables } from "./features.ts";
import { createModelCallParts } from "./model-calls.ts";
import { createSignIns, type SignIns } from "./sign-ins.ts";

interface ServiceNeeds extends Pick<FeatureBase, "receiver" | "rollups" | "isStorageLocked"> {
  /** Left out, no backups are made. */
  readonly backupTrouble?: FeatureBase["backupTrouble"];
  /** That of the storage, unless more than that decides. */
  readonly readiness?: Storage["readiness"];
  /** Left out, no job runs. */
  readonly wakeJob?: WakeJob;
  /** Left out, nothing is measured. */
  readonly lookAtStorage?: FeatureBase["lookAtStorage"];
  readonly onRefusedSignIn?: OnRefusedSignIn;
  /** Where requests to providers of models are counted. Left out, nowhere. */
  readonly metrics?: Metrics;
  readonly storage: Storage;
  readonly settings: ServiceSettings;
  /** The models that the service knows itself, with their prices. */
  readonly models: readonly PricedModel[];
  readonly version: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** A context of the server itself. */
  readonly ownContext: () => CallContext;
  /** For tests, which make many passwords. */
  readonly hashCost?: HashCost;
  /** For tests, which do not wait long for a provider that stays silent. */
  readonly providerLimits?: ProviderLimits;
}

type ServiceSettings = Pick<
  Config,
  "server" | "authentication" | "identityProviders" | "ldap" | "mail" | "modelProviders" | "ofFeature"
> & {
  readonly run: Pick<Config["run"], "readOnly">;
  readonly storageLimits: Pick<
    Config["storageLimits"],
    "defaultRetentionDays" | "capacityGibibytes" | "minimumFreeBytes"
  >;
  readonly ingestion: Pick<Config["ingestion"], "maxBodyBytes" | "maxJsonBodyBytes">;
};

export interface Service {
  readonly signIns: SignIns;
  readonly features: Composition;
  /** Everything that is answered over HTTP but the pages. */
  readonly modules: readonly RouteModule[];
}

export function createService(needs: ServiceNeeds): Service {
  const { storage, settings, clock, log, ownContext, isStorageLocked } = needs;
  const { server, authentication, ldap, mail, run, ingestion, modelProviders, storageLimits } = settings;
  const signIns = createSignIns({
    storage,
    settings: authentication,
    identityProviders: settings.identityProviders,
    ldap,
    mail,
    server,
    context: ownContext,
    clock,
    log,
    onRefused: needs.onRefusedSignIn ?? (() => {}),
    ...(needs.hashCost === undefined ? {} : { hashCost: needs.hashCost }),
    ...(needs.providerLimits === undefined ? {} : { providerLimits: needs.providerLimits }),
  });
  const tellOfRejection = (what: string) => log.error("something failed in the evaluation worker", { what });
  const base: FeatureBase = {
    storage,
    ownedTables,
    clock,
    log,
    ownContext,
    receiver: needs.receiver,
    rollups: needs.rollups,
    isStorageLocked,
    lookAtStorage: needs.lookAtStorage ?? (async () => {}),
    backupTrouble: needs.backupTrouble ?? (() => null),
    wakeJob: needs.wakeJob ?? (() => {}),
    evaluationThread: evaluationWorker(tellOfRejection),
    modelCalls: createModelCallParts(modelProviders, clock, needs.metrics ?? createMetrics()),
    readSettings: settings.ofFeature,
    settings: {
      defaultProjectName: server.projectName,
      serviceSecret: authentication.secret,
      readOnly: run.readOnly,
      defaultRetentionDays: storageLimits.defaultRetentionDays,
      storageCapacityBytes: capacityBytesOf(storageLimits),
      rateLimitDisabled: authentication.rateLimitDisabled,
      offeredProviders: modelProviders.offered,
      providerVariables: modelProviders.variables,
      allowsMetadata: modelProviders.allowsMetadata,
      models: needs.models,
      bodyLimit: ingestion.maxBodyBytes,
      uploadFolder: join(server.workingDirectory, "uploads"),
      minimumFreeBytes: storageLimits.minimumFreeBytes,
      supportEmail: server.supportEmail,
    },
  };
  const composition = compose(features, base, [
    giving(givenAccounts, signIns.accounts),
    giving(givenApiKeys, signIns.apiKeys),
    giving(givenSigningIn, signIns.routes),
  ]);
  const modules = apiModules(composition, {
    version: needs.version,
    rootPath: server.rootPath,
    jsonBodyLimit: ingestion.maxJsonBodyBytes,
    graphql: {
      readOnly: run.readOnly,
      isStorageLocked,
      supportEmail: server.supportEmail,
      clock,
      logger: log.named("graphql"),
      maskFaults: server.maskInternalErrors,
    },
    clearedCookies: signIns.routes?.logins.clearedCookies ?? [],
    readiness: needs.readiness ?? storage.readiness,
  });
  return { signIns, features: composition, modules };
}
