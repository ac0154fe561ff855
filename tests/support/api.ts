// The HTTP server in the test's own process, without a port: services over a fresh database, and requests as objects.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPrincipal } from "../../src/access/principal.ts";
import type { Route, RouteModule } from "../../src/api/route.ts";
import type { AuthenticationConfig } from "../../src/config/authentication.ts";
import { loadConfig } from "../../src/config/load.ts";
import { createHttpServer, type HttpDependencies, type HttpServer, type HttpSettings } from "../../src/http/server.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { parseJson } from "../../src/kernel/json.ts";
import { silentLogger } from "../../src/kernel/logger.ts";
import { readValue } from "../../src/kernel/validation.ts";
import { Violations } from "../../src/kernel/violations.ts";
import { secretsFeature } from "../../src/modules/accounts/secrets/secrets.feature.ts";
import type { SecretsService } from "../../src/modules/accounts/secrets/secrets.service.ts";
import { annotationConfigsFeature } from "../../src/modules/evaluation/annotation-configs/annotation-configs.feature.ts";
import { projectsFeature } from "../../src/modules/tracing/projects/projects.feature.ts";
import type { ProjectsService } from "../../src/modules/tracing/projects/projects.service.ts";
import { retentionFeature } from "../../src/modules/tracing/retention/retention.feature.ts";
import type { Accounts } from "../../src/server/accounts.ts";
import type { Composition } from "../../src/server/compose.ts";
import { featureSettings } from "../../src/server/features.ts";
import { createService } from "../../src/server/service.ts";
import type { CallContext } from "../../src/storage/storage.ts";
import { createRollupsService } from "../../src/summaries/rollups/rollups.service.ts";
import { CHEAP } from "./accounts.ts";
import { createTestBulkReader } from "./bulk-reader.ts";
import "./declared-actions.ts";
import { createTestIntake } from "./intake.ts";
import { memoryFiles } from "./memory-files.ts";
import { builtInModels } from "./prices.ts";
import { openServedTestStorage } from "./server-storage.ts";
import { openTestStorage, type TestStorage } from "./storage.ts";

export const httpSettings: HttpSettings = {
  version: "0.0.0-test",
  rootPath: "",
  hostNames: [],
  encryption: { tls: false, rootUrl: "http://127.0.0.1:6006" },
  allowedOrigins: [],
  trustedHostNames: [],
  ownPages: { origins: [], siblings: true },
  trustedProxies: [],
  supportEmail: null,
  readOnly: false,
  bodyLimit: 1024 * 1024,
  jsonBodyLimit: 1024 * 1024,
  bodySilenceMs: 30_000,
  deadlineMs: 60_000,
};

/** Where no handler of the test reaches a database. */
const noDatabase: HttpDependencies["database"] = {
  read: () => {
    throw new Error("This test has no database");
  },
  write: () => {
    throw new Error("This test has no database");
  },
  transaction: null,
};

export function serverOf(
  modules: readonly RouteModule[],
  options: Partial<Omit<HttpDependencies, "settings" | "modules">> & { settings?: Partial<HttpSettings> } = {},
): HttpServer {
  const { settings, ...rest } = options;
  return createHttpServer({
    database: noDatabase,
    logger: silentLogger,
    resolvePrincipal: () => openPrincipal,
    isStorageLocked: () => false,
    bulkReader: createTestBulkReader(null),
    ...rest,
    modules,
    settings: { ...httpSettings, ...settings },
  });
}

/** Sends `METHOD /path` with a JSON body, if any. */
export function send(server: HttpServer, line: string, init: RequestInit & { json?: unknown } = {}): Promise<Response> {
  const [method = "GET", path = "/"] = line.split(" ", 2);
  const { json, ...rest } = init;
  const headers = new Headers(rest.headers);
  if (json !== undefined) headers.set("content-type", "application/json");
  return server.fetch(
    new Request(`http://localhost${path}`, {
      ...rest,
      method,
      headers,
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    }),
  );
}

/** The same routes, failing when a handler's answer does not fit its declared response. */
function heldToSchemas(modules: readonly RouteModule[]): readonly RouteModule[] {
  const held = (declared: Route): Route => {
    const { response } = declared;
    if (response === undefined) return declared;
    const handler: Route["handler"] = async (call) => {
      const answer = await declared.handler(call);
      if (answer instanceof Response) return answer;
      const violations = new Violations();
      readValue(response, parseJson(JSON.stringify(answer)), ["response"], violations);
      if (violations.total === 0) return answer;
      throw new Error(`${declared.operationId} answers what it does not declare: ${JSON.stringify(violations.list())}`);
    };
    return { ...declared, handler };
  };
  return modules.map((module) => ({ ...module, routes: module.routes.map(held) }));
}

export interface TestApi {
  readonly server: HttpServer;
  readonly stored: TestStorage;
  readonly modules: readonly RouteModule[];
  readonly features: Composition;
  readonly projects: ProjectsService;
  readonly secrets: SecretsService;
  readonly accounts: Accounts;
  context(): CallContext;
  close(): Promise<void>;
}

export interface TestApiOptions extends Partial<Omit<HttpDependencies, "modules" | "database" | "settings">> {
  readonly settings?: Partial<HttpSettings>;
  readonly defaultProjectName?: string;
  /** Throws while the intake is to be full. */
  readonly requireCapacity?: () => void;
  /** True for readers as a server has them, whose slow reads are stopped at their deadline. */
  readonly stoppableReads?: boolean;
  /** Null as without SERVICE_SECRET. */
  readonly serviceSecret?: string | null;
  /** Other settings of accounts than those without any setting. */
  readonly accounts?: Partial<AuthenticationConfig>;
  /** Settings beside those, by variable. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** SERVICE_SECRET of tests. */
export const SERVICE_SECRET = "a-secret-of-tests-0123456789-0123456789";

/** The service over the database at `url`, with its first rows: as without any setting, but that accounts may sign in. Who sends
 *  a request is what the test says. */
export async function openTestApi(url: string, options: TestApiOptions = {}): Promise<TestApi> {
  const { defaultProjectName = "default", requireCapacity, serviceSecret = SERVICE_SECRET, ...rest } = options;
  const settings = { ...httpSettings, ...options.settings };
  const stored = await (options.stoppableReads === true ? openServedTestStorage(url) : openTestStorage(url));
  const { storage } = stored;
  const { config } = loadConfig(
    { ...options.variables, SERVICE_PROJECT_NAME: defaultProjectName },
    { features: featureSettings, files: memoryFiles(), homeDirectory: "/home/somebody", currentDirectory: "/current" },
  );
  const intake = createTestIntake(stored.ingest, defaultProjectName);
  const log = rest.logger ?? silentLogger;
  const workingDirectory = await mkdtemp(join(tmpdir(), "spanlight-test-api-"));
  const service = createService({
    storage,
    receiver: { ...intake, requireCapacity: requireCapacity ?? intake.requireCapacity },
    rollups: createRollupsService(storage),
    settings: {
      ...config,
      server: { ...config.server, ...settings, workingDirectory },
      authentication: { ...config.authentication, enabled: true, secret: serviceSecret, ...options.accounts },
      run: settings,
      ingestion: { maxBodyBytes: settings.bodyLimit, maxJsonBodyBytes: settings.jsonBodyLimit },
    },
    models: builtInModels,
    version: settings.version,
    clock: systemClock,
    log,
    ownContext: stored.context,
    isStorageLocked: rest.isStorageLocked ?? (() => false),
    hashCost: CHEAP,
  });
  const projects = service.features.use(projectsFeature);
  const { accounts } = service.signIns;
  await projects.ensureDefaultProject(stored.context());
  await service.features.use(annotationConfigsFeature).configs.ensureFeedbackConfig(stored.context());
  await service.features.use(retentionFeature).retention.ensureDefaultPolicy(stored.context());
  await accounts.seeds.ensureSeedAccounts(stored.context());
  const modules = heldToSchemas(service.modules);
  return {
    server: serverOf(modules, {
      ...rest,
      settings,
      bulkReader: createTestBulkReader(intake),
      database: storage.handle,
    }),
    stored,
    modules,
    features: service.features,
    projects,
    secrets: service.features.use(secretsFeature),
    accounts,
    context: stored.context,
    async close() {
      await intake.close();
      await stored.close();
      await rm(workingDirectory, { recursive: true });
    },
  };
}
