// Reads the whole configuration: command line before environment before default. Every problem is reported at once and
// nothing but the working directory is touched.
import { homedir } from "node:os";
import { readAuthentication } from "./authentication.ts";
import { backupSettings } from "./backups.ts";
import { warnOfIneffective } from "./catalogue.ts";
import type { Config } from "./config.ts";
import { readDatabase } from "./database.ts";
import { Environment, type FileAccess, type Variables } from "./environment.ts";
import { realFiles } from "./file-access.ts";
import { Findings, type Warning } from "./findings.ts";
import { declaresIdentityProvider, readIdentityProviders } from "./identity-providers.ts";
import { ingestionSettings } from "./ingestion.ts";
import { readLdap } from "./ldap.ts";
import { readLogging } from "./logging.ts";
import { mailSettings, readMail } from "./mail.ts";
import { metricsSettings } from "./metrics.ts";
import { modelPriceSettings } from "./model-prices.ts";
import { readModelProviders } from "./model-providers.ts";
import { readOwnTraces } from "./own-traces.ts";
import { ensureWorkingDirectory, isLoopback, readServer, serverSettings } from "./server.ts";
import { type DeclaredSettings, defaultsOf, type ReadSettings, type Values } from "./setting.ts";
import { storageLimitSettings } from "./storage-limits.ts";
import { readTls } from "./tls.ts";

/** What the command line says; null and false mean that it says nothing. */
export interface CommandLineSettings {
  readonly host: string | null;
  readonly port: number | null;
  readonly grpcPort: number | null;
  readonly databaseUrl: string | null;
  readonly readOnly: boolean;
  readonly debug: boolean;
  readonly noWebPage: boolean;
}

export interface LoadOptions extends Partial<CommandLineSettings> {
  readonly files?: FileAccess;
  /** Left out by commands that need no setting of a feature: they neither read nor check them. */
  readonly features?: readonly DeclaredSettings[];
  readonly homeDirectory?: string;
  readonly currentDirectory?: string;
  /** False for commands that only look: the working directory is then neither created nor checked. */
  readonly createsWorkingDirectory?: boolean;
}

export interface LoadedConfig {
  readonly config: Config;
  readonly warnings: readonly Warning[];
}

/** A container may run as a bare number that has no home: its place is then the current directory. */
function homeOfUser(): string {
  try {
    return homedir();
  } catch {
    return process.cwd();
  }
}

/** Reads and checks all settings. Throws ConfigProblems, which carries every problem and the
 *  warnings; no text of either holds a secret. */
export function loadConfig(variables: Variables, options: LoadOptions = {}): LoadedConfig {
  const features = options.features ?? [];
  const findings = new Findings();
  const environment = new Environment(overridden(variables, options), options.files ?? realFiles, findings);
  const places = {
    home: options.homeDirectory ?? homeOfUser(),
    current: options.currentDirectory ?? process.cwd(),
  };

  const tls = readTls(environment);
  const identityProviders = readIdentityProviders(environment);
  const ldap = readLdap(environment);
  const authentication = readAuthentication(environment, {
    tlsForHttp: tls.http !== null,
    outsideMethods: [
      ...(declaresIdentityProvider(variables) ? (["OAUTH2"] as const) : []),
      ...(ldap === null ? [] : (["LDAP"] as const)),
    ],
  });
  const server = readServer(environment, places, tls.http !== null);
  const mail = readMail(environment, server.rootUrl);
  const database = readDatabase(environment, places, server.workingDirectory, options.databaseUrl ?? null);
  const storageLimits = environment.readAll(storageLimitSettings);
  const backups = environment.readAll(backupSettings);
  if (backups.directory !== null && (database.location.kind === "postgres" || database.location.temporary)) {
    const reason =
      database.location.kind === "postgres"
        ? "PostgreSQL has tools of its own"
        : "a database in memory is lost at exit";
    findings.warning(backupSettings.directory.name, `has no effect: ${reason}.`);
  }
  if (storageLimits.minimumFreeBytes > 0 && database.location.kind === "postgres") {
    findings.warning(
      storageLimitSettings.minimumFreeBytes.name,
      "counts for files of uploads alone: PostgreSQL watches its own disk.",
    );
  }
  if (storageLimits.mailPercentage && mail === null) {
    findings.warning(storageLimitSettings.mailPercentage.name, `has no effect without ${mailSettings.host.name}.`);
  }
  if ((mail !== null || identityProviders.length > 0) && server.trustedHostNames.length === 0) {
    findings.warning(
      serverSettings.trustedOrigins.name,
      `is not set although ${mail === null ? "an identity provider" : "mail"} is configured: requests for reading that other sites make browsers send are not refused.`,
    );
  }
  const config: Config = {
    server,
    database,
    ingestion: environment.readAll(ingestionSettings),
    ofFeature: readFeatures(environment, features),
    modelProviders: readModelProviders(environment, isLoopback(server.host) && !authentication.enabled),
    modelPrices: environment.readAll(modelPriceSettings),
    metrics: environment.readAll(metricsSettings),
    ownTraces: readOwnTraces(environment),
    storageLimits,
    backups,
    authentication,
    identityProviders,
    ldap,
    mail,
    tls,
    logging: readLogging(environment, options.debug ?? false),
    run: {
      readOnly: options.readOnly ?? false,
      debug: options.debug ?? false,
      webPage: !(options.noWebPage ?? false),
    },
  };
  const needsDirectory = database.inWorkingDirectory || environment.has(serverSettings.workingDirectory);
  if (needsDirectory && (options.createsWorkingDirectory ?? true)) {
    ensureWorkingDirectory(environment, server.workingDirectory);
  }
  warnOfIneffective(variables, findings, features);
  findings.throwIfAny();
  return { config, warnings: findings.warnings };
}

/** Read at once, so that all problems are reported; those of another feature have their defaults. */
function readFeatures(environment: Environment, features: readonly DeclaredSettings[]): ReadSettings {
  const read = new Map<unknown, unknown>(features.map((each) => [each, environment.readAll(each.settings)]));
  return <Group extends DeclaredSettings["settings"]>(of: DeclaredSettings<Group>) =>
    (read.get(of) ?? defaultsOf(of.settings)) as Values<Group>;
}

/** The environment as if the options of the command line had been set there. */
function overridden(variables: Variables, options: LoadOptions): Variables {
  const { host, port, grpcPort } = options;
  return {
    ...variables,
    ...(host == null ? {} : { [serverSettings.host.name]: host }),
    ...(port == null ? {} : { [serverSettings.port.name]: String(port) }),
    ...(grpcPort == null ? {} : { [serverSettings.grpcPort.name]: String(grpcPort) }),
  };
}
