// The HTTP server in the test's own process, without a port: services over a fresh database, and requests as objects.

import { type Accounts, type AccountsNeeds, createAccounts } from "../../src/accounts.ts";
import type { Route, RouteModule } from "../../src/api/route.ts";
import { type ApiServices, type ApiSettings, apiModules } from "../../src/http/routes.ts";
import { createHttpServer, type HttpDependencies, type HttpServer, type HttpSettings } from "../../src/http/server.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import type { Violation } from "../../src/kernel/failure.ts";
import { parseJson } from "../../src/kernel/json.ts";
import { silentLogger } from "../../src/kernel/logger.ts";
import { readValue } from "../../src/kernel/validation.ts";
import { createApiKeysService } from "../../src/modules/api-keys/api-keys.service.ts";
import { createApiKeysStore } from "../../src/modules/api-keys/api-keys.store.ts";
import { openPrincipal } from "../../src/modules/auth/principal.schema.ts";
import { createTokenForm } from "../../src/modules/auth/token.rules.ts";
import { createProjectsService } from "../../src/modules/projects/projects.service.ts";
import { createProjectsStore } from "../../src/modules/projects/projects.store.ts";
import { createSessionsService } from "../../src/modules/sessions/sessions.service.ts";
import { createSessionsStore } from "../../src/modules/sessions/sessions.store.ts";
import { createSpanListStore } from "../../src/modules/spans/span-list.store.ts";
import { createSpanLookupStore } from "../../src/modules/spans/span-lookup.store.ts";
import { createSpanPayloadsStore } from "../../src/modules/spans/span-payloads.store.ts";
import { createSpansService } from "../../src/modules/spans/spans.service.ts";
import { createDeletionService } from "../../src/modules/traces/delete/deletion.service.ts";
import { createRollupsService } from "../../src/modules/traces/rollups/rollups.service.ts";
import { createTracesService } from "../../src/modules/traces/traces.service.ts";
import { createTracesStore } from "../../src/modules/traces/traces.store.ts";
import { createTransferService } from "../../src/modules/traces/transfer/transfer.service.ts";
import type { User } from "../../src/modules/users/users.schema.ts";
import { createGraphqlServices, createSecrets, createSpanTables } from "../../src/services.ts";
import type { CallContext } from "../../src/storage/storage.ts";
import { CHEAP } from "./accounts.ts";
import { createTestIntake } from "./intake.ts";
import { openServedTestStorage } from "./server-storage.ts";
import { openTestStorage, type TestStorage } from "./storage.ts";

export const httpSettings: HttpSettings = {
  version: "0.0.0-test",
  rootPath: "",
  allowedOrigins: [],
  trustedHostNames: [],
  trustedProxies: [],
  supportEmail: null,
  readOnly: false,
  bodyLimit: 1024 * 1024,
  deadlineMs: 60_000,
};

/** Nothing is forbidden, nothing is told. */
export const openGuards: ApiSettings["graphql"] = {
  readOnly: false,
  isStorageLocked: () => false,
  supportEmail: null,
  logger: silentLogger,
  maskFaults: true,
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
      const violations: Violation[] = [];
      readValue(response, parseJson(JSON.stringify(answer)), ["response"], violations);
      if (violations.length === 0) return answer;
      throw new Error(`${declared.operationId} answers what it does not declare: ${JSON.stringify(violations)}`);
    };
    return { ...declared, handler };
  };
  return modules.map((module) => ({ ...module, routes: module.routes.map(held) }));
}

export interface TestApi {
  readonly server: HttpServer;
  readonly stored: TestStorage;
  readonly modules: readonly RouteModule[];
  readonly projects: ReturnType<typeof createProjectsService>;
  readonly secrets: ApiServices["secrets"];
  readonly accounts: Accounts;
  context(): CallContext;
  close(): Promise<void>;
}

export interface TestApiOptions extends Partial<Omit<HttpDependencies, "modules" | "database" | "settings">> {
  readonly settings?: Partial<HttpSettings>;
  readonly defaultProjectName?: string;
  readonly deleteProjectContents?: (context: CallContext, projectId: number) => Promise<void>;
  /** Throws while the intake is to be full. */
  readonly requireCapacity?: () => void;
  /** True for readers as a server has them, whose slow reads are stopped at their deadline. */
  readonly stoppableReads?: boolean;
  /** Null as without SERVICE_SECRET. */
  readonly serviceSecret?: string | null;
  /** Other settings of accounts than those without any setting. */
  readonly accounts?: Partial<AccountsNeeds["settings"]>;
  /** Hears of accounts that are to be welcomed by mail. */
  readonly sendWelcome?: (user: User) => Promise<void>;
}

/** As without any setting, but that people sign in. */
export const accountSettings: AccountsNeeds["settings"] = {
  enabled: true,
  strongPasswords: false,
  basicAuthDisabled: false,
  initialAdminPassword: null,
  admins: [],
};

/** SERVICE_SECRET of tests. */
export const SERVICE_SECRET = "a-secret-of-tests-0123456789-0123456789";

/** Every built module over the database at `url`, with its default project. */
export async function openTestApi(url: string, options: TestApiOptions = {}): Promise<TestApi> {
  const stored = await (options.stoppableReads === true ? openServedTestStorage(url) : openTestStorage(url));
  const { storage } = stored;
  const rollups = createRollupsService(storage);
  const transfer = createTransferService(storage);
  const deletion = createDeletionService({ storage, rollups, transfer });
  const { defaultProjectName = "default", requireCapacity, ...others } = options;
  const { deleteProjectContents = deletion.deleteProjectContents, serviceSecret = SERVICE_SECRET, ...rest } = others;
  const projects = createProjectsService({
    store: createProjectsStore(storage.dialect),
    clock: systemClock,
    defaultProjectName,
    deleteProjectContents,
  });
  await projects.ensureDefaultProject(stored.context());
  const settings = { ...httpSettings, ...options.settings };
  const intake = createTestIntake(stored.ingest, defaultProjectName);
  const { dialect } = storage;
  const spans = createSpansService({
    list: createSpanListStore(dialect),
    payloads: createSpanPayloadsStore(dialect),
    lookup: createSpanLookupStore(dialect),
    projects,
    intake,
  });
  const traces = createTracesService({ store: createTracesStore(dialect), projects, deletion, transfer, rollups });
  const sessions = createSessionsService({ store: createSessionsStore(dialect), projects, deletion, rollups });
  const accounts = createAccounts({
    storage,
    settings: { ...accountSettings, ...options.accounts },
    ...(options.sendWelcome === undefined ? {} : { sendWelcome: options.sendWelcome }),
    hashCost: CHEAP,
    log: silentLogger,
  });
  await accounts.seeds.ensureSeedAccounts(stored.context());
  const secrets = createSecrets({ storage, serviceSecret, log: rest.logger ?? silentLogger });
  const apiKeys = createApiKeysService({
    store: createApiKeysStore(dialect),
    users: accounts.users,
    tokens: createTokenForm(SERVICE_SECRET),
    distrust: () => {},
    clock: systemClock,
    log: rest.logger ?? silentLogger,
  });
  const services: ApiServices = {
    projects,
    intake: { ...intake, requireCapacity: requireCapacity ?? intake.requireCapacity },
    spans,
    spanTables: createSpanTables({ dialect, projects, rollups, defaultProjectName }),
    traces,
    sessions,
    secrets,
    users: accounts.users,
    apiKeys,
    graphql: createGraphqlServices({ dialect, projects, traces, rollups, secrets, apiKeys, ...accounts }),
    deletion,
    clock: systemClock,
    ping: () => storage.ping(),
  };
  const modules = heldToSchemas(
    apiModules(services, {
      ...settings,
      auth: null,
      graphql: {
        ...openGuards,
        readOnly: settings.readOnly,
        isStorageLocked: rest.isStorageLocked ?? openGuards.isStorageLocked,
        logger: rest.logger ?? silentLogger,
      },
    }),
  );
  const server = serverOf(modules, { ...rest, settings, database: storage.handle });
  return {
    server,
    stored,
    modules,
    projects,
    secrets,
    accounts,
    context: stored.context,
    async close() {
      await intake.close();
      await stored.close();
    },
  };
}
