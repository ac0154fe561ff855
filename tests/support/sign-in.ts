// One server with authentication on, in the test's own process and without a port: everything behind HTTP is what a server has,
// but for the threads. Several over one database stand for several servers.

import { openPrincipal } from "../../src/access/principal.ts";
import { loadConfig } from "../../src/config/load.ts";
import { ownPagesOf } from "../../src/http/own-pages.ts";
import { createHttpServer, type HttpServer } from "../../src/http/server.ts";
import { type Clock, systemClock } from "../../src/kernel/clock.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import type { ProviderLimits } from "../../src/modules/accounts/auth/openid/provider-requests.service.ts";
import { projectsFeature } from "../../src/modules/tracing/projects/projects.feature.ts";
import { featureSettings } from "../../src/server/features.ts";
import { createService } from "../../src/server/service.ts";
import type { SignIns } from "../../src/server/sign-ins.ts";
import type { CallContext } from "../../src/storage/storage.ts";
import { createRollupsService } from "../../src/summaries/rollups/rollups.service.ts";
import { CHEAP } from "./accounts.ts";
import { httpSettings } from "./api.ts";
import { createTestBulkReader } from "./bulk-reader.ts";
import { createTestIntake } from "./intake.ts";
import { memoryFiles } from "./memory-files.ts";
import { builtInModels } from "./prices.ts";
import { openTestStorage, type TestStorage } from "./storage.ts";

export const SECRET = "a-secret-of-the-sign-in-tests-0123456789";
export const ADMIN_SECRET = "an-admin-secret-of-the-tests-9876543210";
/** Of the default admin: set, so that it need not be changed first. */
export const ADMIN_PASSWORD = "initial-password";
export const ADMIN_EMAIL = "admin@localhost";

export interface SignInServer {
  readonly http: HttpServer;
  readonly signIns: SignIns;
  readonly stored: TestStorage;
  /** Everything logged so far, at debug level. */
  readonly lines: string[];
  /** A request as `METHOD /path`. */
  send(line: string, init?: SentRequest): Promise<Response>;
  context(): CallContext;
  close(): Promise<void>;
}

export interface SentRequest {
  readonly json?: unknown;
  readonly body?: string;
  readonly cookies?: Cookies;
  readonly bearer?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where it comes from. */
  readonly peer?: string;
}

export interface SignInOptions {
  /** Variables beside those that switch authentication on; undefined takes one of them away. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
  readonly providerLimits?: ProviderLimits;
  /** Files that the variables name, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A clock that can be put forward. */
export function movableClock(): Clock & { forward(milliseconds: number): void } {
  let aheadUs = 0;
  return {
    now: () => systemClock.now() + aheadUs,
    forward(milliseconds) {
      aheadUs += milliseconds * 1000;
    },
  };
}

/** The server over the migrated database at `url`, with its first accounts. */
export async function openSignInServer(url: string, options: SignInOptions = {}): Promise<SignInServer> {
  const { config } = loadConfig(
    {
      SERVICE_ENABLE_AUTH: "true",
      SERVICE_SECRET: SECRET,
      SERVICE_ADMIN_SECRET: ADMIN_SECRET,
      SERVICE_DEFAULT_ADMIN_INITIAL_PASSWORD: ADMIN_PASSWORD,
      SERVICE_DISABLE_RATE_LIMIT: "true",
      ...options.variables,
    },
    {
      features: featureSettings,
      files: memoryFiles(options.files),
      homeDirectory: "/home/somebody",
      currentDirectory: "/current",
    },
  );
  const clock = options.clock ?? systemClock;
  const lines: string[] = [];
  const log = createLogger({ level: "debug", mode: "default", write: (line) => lines.push(line) });
  const stored = await openTestStorage(url);
  const { storage } = stored;
  const ownContext = (): CallContext => ({ ...stored.context(), principal: openPrincipal, requestId: "server" });
  const intake = createTestIntake(stored.ingest, "default");
  const service = createService({
    storage,
    receiver: intake,
    rollups: createRollupsService(storage),
    settings: {
      ...config,
      ingestion: { maxBodyBytes: httpSettings.bodyLimit, maxJsonBodyBytes: httpSettings.jsonBodyLimit },
    },
    models: builtInModels,
    version: httpSettings.version,
    clock,
    log,
    ownContext,
    isStorageLocked: () => false,
    hashCost: CHEAP,
    ...(options.providerLimits === undefined ? {} : { providerLimits: options.providerLimits }),
  });
  const { signIns, features, modules } = service;
  await features.use(projectsFeature).ensureDefaultProject(ownContext());
  await signIns.accounts.seeds.ensureSeedAccounts(ownContext());
  const { rootPath, allowedOrigins, trustedHostNames, trustedProxies } = config.server;
  const http = createHttpServer({
    settings: {
      ...httpSettings,
      rootPath,
      hostNames: null,
      allowedOrigins,
      trustedHostNames,
      trustedProxies,
      ownPages: ownPagesOf(config.server, config.authentication.enabled),
    },
    modules,
    bulkReader: createTestBulkReader(intake),
    database: storage.handle,
    logger: log,
    resolvePrincipal: signIns.resolvePrincipal,
    isStorageLocked: () => false,
  });
  return {
    http,
    signIns,
    stored,
    lines,
    send: (line, init) => sendTo(http, line, init),
    context: ownContext,
    async close() {
      await intake.close();
      await stored.close();
    },
  };
}

function sendTo(http: HttpServer, line: string, init: SentRequest = {}): Promise<Response> {
  const [method = "GET", path = "/"] = line.split(" ", 2);
  const { json, body, cookies, bearer, headers, peer = "192.0.2.1" } = init;
  const sent = new Headers(headers);
  if (json !== undefined) sent.set("content-type", "application/json");
  if (bearer !== undefined) sent.set("authorization", `Bearer ${bearer}`);
  if (cookies !== undefined) sent.set("cookie", cookieHeader(cookies));
  const text = json === undefined ? body : JSON.stringify(json);
  const request = new Request(`http://localhost${path}`, {
    method,
    headers: sent,
    ...(text === undefined ? {} : { body: text }),
  });
  return http.fetch(request, () => peer);
}

/** Values by name. */
export type Cookies = Readonly<Record<string, string>>;

function cookieHeader(cookies: Cookies): string {
  return Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join("; ");
}

export function cookiesOf(response: Response): Cookies {
  return Object.fromEntries(
    response.headers.getSetCookie().map((text) => {
      const pair = text.split(";", 1)[0]!;
      return [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
    }),
  );
}

export const ACCESS = "phoenix-access-token";
export const REFRESH = "phoenix-refresh-token";

/** The cookies of a new sign-in; fails when it is refused. */
export async function signIn(server: SignInServer, email = ADMIN_EMAIL, password = ADMIN_PASSWORD): Promise<Cookies> {
  const response = await server.send("POST /auth/login", { json: { email, password } });
  if (response.status !== 204) throw new Error(`Signing in: ${response.status} ${await response.text()}`);
  return cookiesOf(response);
}

/** `STATUS text` of an answer. */
export async function shown(answer: Promise<Response> | Response): Promise<string> {
  const response = await answer;
  return `${response.status} ${await response.text()}`.trim();
}

/** Another account, as an administrator makes it; its password is `password of <username>` without blanks. */
export async function addUser(
  server: SignInServer,
  username: string,
  role: "ADMIN" | "MEMBER" | "VIEWER",
): Promise<{ readonly id: number; readonly email: string; readonly password: string }> {
  const email = `${username.toLowerCase()}@example.com`;
  const password = `password-of-${username}`;
  const { id } = await server.signIns.accounts.users.createUser(server.context(), {
    authMethod: "LOCAL",
    email,
    username,
    role,
    password,
    passwordOptional: false,
    sendWelcome: false,
  });
  return { id, email, password };
}
