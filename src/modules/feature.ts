// What a feature is to the service: one declaration beside its module, which says what it is made of and what it answers. The list
// of features is the product (server/features.ts); compose.ts builds them for the server, the commands and the tests alike.
import type { ActionRows } from "../access/policy.ts";
import type { RouteModule } from "../api/route.ts";
import type { DeclaredSettings, ReadSettings, Values } from "../config/setting.ts";
import type { PricedModel } from "../costs/price-list.ts";
import type { GraphqlPart } from "../graphql/types.ts";
import type { ExportReceiver, SpanIntake } from "../ingest/receiver.ts";
import type { BackupTrouble } from "../jobs/backups.ts";
import type { Job, WakeJob } from "../jobs/job.ts";
import type { Clock } from "../kernel/clock.ts";
import type { ServicePart } from "../kernel/lifecycle.ts";
import type { LimitedCalls } from "../kernel/link.ts";
import type { Logger } from "../kernel/logger.ts";
import type { ModelProvider } from "../model/prompt.ts";
import type { IdentityTokens } from "../providers/identity-tokens.ts";
import type { ProviderFetch } from "../providers/provider-fetch.ts";
import type { RateBuckets } from "../providers/rate-buckets.ts";
import type { OwnedTable } from "../storage/owned-tables.ts";
import type { CallContext, Storage } from "../storage/storage.ts";
import type { RollupsService } from "../summaries/rollups/rollups.service.ts";

/** What calls of models share, made once for a server. */
export interface ModelCallParts {
  readonly fetch: ProviderFetch;
  readonly tokens: IdentityTokens;
  readonly rates: RateBuckets;
}

/** What features are built over. */
export interface FeatureBase {
  readonly storage: Storage;
  /** Of all features: what a deletion of a span, trace, session or project takes along. */
  readonly ownedTables: readonly OwnedTable[];
  readonly clock: Clock;
  readonly log: Logger;
  /** A context of the server itself, for what no request asks for. */
  readonly ownContext: () => CallContext;
  readonly receiver: ExportReceiver & SpanIntake;
  readonly rollups: RollupsService;
  /** True while the database is fuller than the operator allows. */
  readonly isStorageLocked: () => boolean;
  /** Measures the database again, for what adds much in a short time. */
  readonly lookAtStorage: () => Promise<void>;
  /** Of the copies that the service makes of its SQLite file; null while all is well, and where it makes none. */
  readonly backupTrouble: () => BackupTrouble | null;
  readonly wakeJob: WakeJob;
  readonly modelCalls: ModelCallParts;
  /** Answered by a thread of its own (server/evaluation-thread.ts). */
  readonly evaluationThread: LimitedCalls;
  readonly settings: FeatureSettings;
  /** Settings that features declare. */
  readonly readSettings: ReadSettings;
}

/** Settings of the server that features need. */
export interface FeatureSettings {
  /** SERVICE_PROJECT_NAME. */
  readonly defaultProjectName: string;
  /** SERVICE_SECRET, or null without one. */
  readonly serviceSecret: string | null;
  /** Nothing may be changed, and nothing changes by itself. */
  readonly readOnly: boolean;
  /** SERVICE_DEFAULT_RETENTION_POLICY_DAYS. */
  readonly defaultRetentionDays: number;
  /** What the operator allotted to the database; null for no limit. */
  readonly storageCapacityBytes: number | null;
  /** SERVICE_DISABLE_RATE_LIMIT. */
  readonly rateLimitDisabled: boolean;
  /** SERVICE_ALLOWED_PROVIDERS; null for all. */
  readonly offeredProviders: readonly ModelProvider[] | null;
  /** Keys and addresses of providers that the environment has, by the names of variables. */
  readonly providerVariables: ReadonlyMap<string, string>;
  /** SERVICE_ALLOW_METADATA_CREDENTIALS. */
  readonly allowsMetadata: boolean;
  /** The models that the service knows itself, with their prices. */
  readonly models: readonly PricedModel[];
  /** Bytes of an export at most, as sent. */
  readonly bodyLimit: number;
  /** Where files of uploads are kept that must be whole before they are read. */
  readonly uploadFolder: string;
  /** SERVICE_DATABASE_MINIMUM_FREE_BYTES. */
  readonly minimumFreeBytes: number;
  /** SERVICE_SUPPORT_EMAIL. */
  readonly supportEmail: string | null;
}

/** What one feature brings. */
export interface FeatureParts<Service> {
  /** For the features that use this one. */
  readonly service: Service;
  readonly routes?: RouteModule;
  /** Loads what it adds to the GraphQL schema, with the first request that asks in GraphQL. */
  readonly graphql?: () => Promise<GraphqlPart>;
  /** What it does by itself. */
  readonly jobs?: readonly Job[];
  /** Started after the database and stopped before it, in the order of the list. */
  readonly parts?: readonly ServicePart[];
  /** Called as soon as the service begins to stop, before its ports close: ends what would hold them open. Does not wait. */
  readonly beginStop?: () => void;
}

/** What the server builds before the features, for those that ask for it by this key. */
export interface Given<Value> {
  readonly isGiven: true;
  readonly name: string;
  /** Never there: it carries the type. */
  readonly value?: Value;
}

export interface UseFeature {
  /** The service of another feature, which must be earlier in the list. Throws for any other. */
  <Service>(feature: Feature<Service>): Service;
  /** What the server gives. Throws where it gives none. */
  <Value>(given: Given<Value>): Value;
}

/** What others must know of a feature that is not built. Its tables are in its `*.tables.ts`. */
interface Declarations {
  /** Settings of its own. */
  readonly settings?: DeclaredSettings;
  /** Rows of the policy. */
  readonly actions?: ActionRows;
  /** Its tables whose rows hang on a span, trace, session or project. */
  readonly ownedTables?: readonly OwnedTable[];
}

export interface Feature<Service> {
  readonly name: string;
  readonly declares: Declarations;
  readonly build: (base: FeatureBase & { readonly use: UseFeature }) => FeatureParts<Service>;
}

type Build<Service> = Feature<Service>["build"];
type Own<Declared> = Declared extends { readonly settings: DeclaredSettings<infer Group> } ? Values<Group> : unknown;
const NO_SETTINGS: DeclaredSettings = { title: "", settings: {} };
type BuildWith<Service, Declared> = (
  base: Parameters<Build<Service>>[0] & { readonly own: Own<Declared> },
) => FeatureParts<Service>;

/** Declares a feature: its name, what others must know of it where there is any, and how it is built; `own` are its settings. */
export function feature<Service>(name: string, build: Build<Service>): Feature<Service>;
export function feature<Service, const Declared extends Declarations>(
  name: string,
  declares: Declared,
  build: BuildWith<Service, Declared>,
): Feature<Service>;
export function feature<Service>(
  name: string,
  ...given: readonly [Build<Service>] | readonly [Declarations, BuildWith<Service, Declarations>]
): Feature<Service> {
  if (given.length === 1) return { name, declares: {}, build: given[0] };
  const [declares, build] = given;
  return {
    name,
    declares,
    build: (base) => build({ ...base, own: base.readSettings(declares.settings ?? NO_SETTINGS) }),
  };
}

/** Declares a key. */
export function givenKey<Value>(name: string): Given<Value> {
  return { isGiven: true, name };
}

/** What the server gives under a key. */
export function giving<Value>(key: Given<Value>, value: Value): readonly [Given<unknown>, unknown] {
  return [key, value];
}
