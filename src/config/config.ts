// All settings of one run, read once and never changed.
import type { AuthenticationConfig } from "./authentication.ts";
import type { BackupsConfig } from "./backups.ts";
import type { DatabaseConfig } from "./database.ts";
import type { IdentityProviderConfig } from "./identity-providers.ts";
import type { IngestionConfig } from "./ingestion.ts";
import type { LdapConfig } from "./ldap.ts";
import type { LoggingConfig } from "./logging.ts";
import type { MailConfig } from "./mail.ts";
import type { MetricsConfig } from "./metrics.ts";
import type { ModelPricesConfig } from "./model-prices.ts";
import type { ModelProvidersConfig } from "./model-providers.ts";
import type { OwnTracesConfig } from "./own-traces.ts";
import type { ServerConfig } from "./server.ts";
import type { ReadSettings } from "./setting.ts";
import type { StorageLimitsConfig } from "./storage-limits.ts";
import type { TlsConfig } from "./tls.ts";

/** What only the command line can ask for. */
interface RunConfig {
  /** Nothing is stored: no ingestion, no gRPC port, no change over any API. */
  readonly readOnly: boolean;
  readonly debug: boolean;
  /** Whether the web page is served. */
  readonly webPage: boolean;
}

export interface Config {
  readonly server: ServerConfig;
  readonly database: DatabaseConfig;
  readonly ingestion: IngestionConfig;
  readonly storageLimits: StorageLimitsConfig;
  readonly backups: BackupsConfig;
  readonly authentication: AuthenticationConfig;
  /** By name. */
  readonly identityProviders: readonly IdentityProviderConfig[];
  /** Null without a directory. */
  readonly ldap: LdapConfig | null;
  /** Null without a mail server. */
  readonly mail: MailConfig | null;
  /** Those of the features. */
  readonly ofFeature: ReadSettings;
  readonly modelProviders: ModelProvidersConfig;
  readonly modelPrices: ModelPricesConfig;
  readonly tls: TlsConfig;
  readonly logging: LoggingConfig;
  readonly metrics: MetricsConfig;
  readonly ownTraces: OwnTracesConfig;
  readonly run: RunConfig;
}
