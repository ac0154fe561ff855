// The HTTP server. `answerTo` is the order in which a request is judged: the first step that fails decides the answer
// (docs/protocol/rest.md#order-of-guards). Elysia finds the route; everything a route declares is done here, the same for all.
import { Elysia } from "elysia";
import type { BulkReader } from "../api/bulk-reader.ts";
import type { Route, RouteModule } from "../api/route.ts";
import { requireUnlockedStorage } from "../api/storage-lock.ts";
import { messageOf } from "../kernel/failure.ts";
import type { Logger } from "../kernel/logger.ts";
import { asksForCaller, requireAllowed } from "../modules/auth/policy.ts";
import { anonymousPrincipal, type Principal } from "../modules/auth/principal.schema.ts";
import type { CallContext, DatabaseHandle } from "../storage/storage.ts";
import { mountedPaths, withoutBasePath } from "./base-path.ts";
import { clientAddressOf, type Peer } from "./client-address.ts";
import { beginExchange, complete, type Exchange, type ExchangeSettings, respond } from "./exchange.ts";
import { type Answer, answerToFailure, isFault, JSON_TYPE, TEXT } from "./failures.ts";
import { isApiPath, isProtectedPath, type PrincipalResolver, requireWritableMode } from "./guard.ts";
import { hostCheck } from "./hosts.ts";
import { type BodyLimits, notFound, type PathParameter, pathParameters, readInput, readParameters } from "./input.ts";
import { findPreflightAnswer, requireTrustedOrigin } from "./origins.ts";
import { withPlainUrl } from "./request-url.ts";
import { type Encryption, strictTransport } from "./strict-transport.ts";

export interface HttpSettings extends BodyLimits {
  /** Our own version, for `x-spanlight-version`. */
  readonly version: string;
  /** SERVICE_HOST_ROOT_PATH: empty, or `/sub` without a slash at the end. */
  readonly rootPath: string;
  /** Names that are answered besides addresses and private ones; a leading dot stands for all below. Null answers every host, as
   *  long as people sign in. */
  readonly hostNames: readonly string[] | null;
  readonly encryption: Encryption;
  /** SERVICE_ALLOWED_ORIGINS: origins whose pages may read answers. */
  readonly allowedOrigins: readonly string[];
  /** Host names of SERVICE_CSRF_TRUSTED_ORIGINS in lower case; none switches the check off. */
  readonly trustedHostNames: readonly string[];
  /** FORWARDED_ALLOW_IPS: proxies that are believed about whom they speak for. */
  readonly trustedProxies: readonly string[];
  readonly supportEmail: string | null;
  readonly readOnly: boolean;
  /** Milliseconds after which a slow read is stopped. */
  readonly deadlineMs: number;
}

export interface HttpDependencies {
  readonly settings: HttpSettings;
  readonly modules: readonly RouteModule[];
  /** Reads bodies in bulk. */
  readonly bulkReader: BulkReader;
  readonly database: DatabaseHandle;
  readonly logger: Logger;
  readonly resolvePrincipal: PrincipalResolver;
  /** True while the database is fuller than the operator allows. */
  readonly isStorageLocked: () => boolean;
  /** Served to browsers for an unknown path. */
  readonly notFoundPage?: (request: Request, path: string) => Promise<Response | null>;
}

export interface HttpServer {
  /** `peer` is the other end of the connection. */
  fetch(request: Request, peer?: Peer): Promise<Response>;
  /** Every route, for the tests that walk them. */
  readonly routes: readonly Route[];
}

/** A route with what is worked out once. */
interface MountedRoute {
  readonly route: Route;
  readonly parameters: readonly PathParameter[];
}

/** What Elysia found for a request: a route, a path that answers other methods only, or nothing. */
type Match = MountedRoute | { readonly allow: string } | null;

export function createHttpServer(dependencies: HttpDependencies): HttpServer {
  const { settings, modules, resolvePrincipal } = dependencies;
  const logger = dependencies.logger.named("http");
  const allowedOrigins = new Set(settings.allowedOrigins);
  const trustedHosts = new Set(settings.trustedHostNames);
  const findForeignHostAnswer = hostCheck(settings.hostNames, logger);
  const addressOf = clientAddressOf(settings.trustedProxies);
  /** Elysia hands on the request alone. */
  const peers = new WeakMap<Request, Peer>();
  const exchanges: ExchangeSettings = {
    version: settings.version,
    allowedOrigins,
    encryption: strictTransport(settings.encryption),
    logger,
  };

  /** Judges one request: the order of the guards. */
  async function answerTo(exchange: Exchange, match: Match): Promise<Answer | Response> {
    const { request, path } = exchange;
    const foreign = findForeignHostAnswer(request);
    if (foreign !== null) return foreign;
    const preflight = findPreflightAnswer(request, allowedOrigins);
    if (preflight !== null) return preflight;
    requireTrustedOrigin(request, trustedHosts, isVisit(request, match));
    if (match === null) {
      requireWritableMode(path, settings.readOnly);
      if (isProtectedPath(path)) requireAllowed(await resolvePrincipal(request), "projects.read");
      const page = (await dependencies.notFoundPage?.(request, path)) ?? null;
      if (page !== null) return page;
      throw notFound();
    }
    if ("allow" in match) return methodNotAllowed(match.allow);
    const { route } = match;
    if (request.method !== route.method && !isHeadOfPage(request, route)) return methodNotAllowed(route.method);
    const params = readParameters(match.parameters, path);
    requireWritableMode(path, settings.readOnly);
    // Probes answer while the database that knows the callers is away.
    const principal = asksForCaller(route.action) ? await resolvePrincipal(request) : anonymousPrincipal;
    requireAllowed(principal, route.action);
    requireUnlockedStorage(route.storageLocked === true, dependencies.isStorageLocked(), settings.supportEmail);
    route.admission?.();
    const { query, body, release } = await readInput(route, request, settings, dependencies.bulkReader);
    try {
      const clientAddress = () => addressOf(request, peers.get(request) ?? unknownPeer);
      const context = contextOf(exchange, principal);
      const result = await route.handler({ context, params, query, body, request, clientAddress });
      return result instanceof Response ? result : successOf(route, result);
    } finally {
      release();
    }
  }

  function contextOf(exchange: Exchange, principal: Principal): CallContext {
    return {
      principal,
      requestId: exchange.requestId,
      deadline: performance.now() + settings.deadlineMs,
      signal: exchange.request.signal,
      database: dependencies.database,
    };
  }

  async function serve(request: Request, sentPath: string, match: Match): Promise<Response> {
    const exchange = beginExchange(request, withoutBasePath(sentPath, settings.rootPath));
    let answer: Answer | Response;
    try {
      answer = await answerTo(exchange, match);
    } catch (error) {
      if (isFault(error)) logger.error(causeOf(error), { request_id: exchange.requestId, path: exchange.path });
      answer = answerToFailure(error);
    }
    return answer instanceof Response ? complete(exchange, answer, exchanges) : respond(exchange, answer, exchanges);
  }

  const app = new Elysia({ name: "spanlight" });
  for (const module of modules) app.use(pluginOf(module, settings.rootPath, serve));
  for (const [path, allow] of allowedMethods(modules)) {
    for (const mounted of mountedPaths(path, settings.rootPath)) {
      app.all(elysiaPath(mounted), (context) => serve(context.request, context.path, { allow }), { parse: "none" });
    }
  }
  app.all("/*", (context) => serve(context.request, context.path, null), { parse: "none" });
  return {
    async fetch(sent, peer) {
      const request = withPlainUrl(sent);
      if (peer !== undefined) peers.set(request, peer);
      return app.fetch(request);
    },
    routes: modules.flatMap((module) => module.routes),
  };
}

const unknownPeer: Peer = () => null;

type Serve = (request: Request, sentPath: string, match: Match) => Promise<Response>;

/** The Elysia plugin of one module. Bodies are left alone: a route reads its own by its schema, or raw. */
function pluginOf(module: RouteModule, rootPath: string, serve: Serve) {
  const plugin = new Elysia({ name: `spanlight.${module.name}` });
  for (const route of module.routes) {
    const mounted: MountedRoute = { route, parameters: pathParameters(route.path) };
    for (const path of mountedPaths(route.path, rootPath)) {
      plugin.route(route.method, elysiaPath(path), (context) => serve(context.request, context.path, mounted), {
        parse: "none",
      });
    }
  }
  return plugin;
}

/** Parameters by position: Elysia refuses two routes that name the same segment differently. */
function elysiaPath(path: string): string {
  let position = 0;
  return path.replace(/\{[^}]+\}/g, () => `:parameter${++position}`);
}

/** The `Allow` header of every path. */
function allowedMethods(modules: readonly RouteModule[]): ReadonlyMap<string, string> {
  const allowed = new Map<string, { path: string; methods: Set<string> }>();
  for (const { method, path } of modules.flatMap((module) => module.routes)) {
    const entry = allowed.get(elysiaPath(path)) ?? { path, methods: new Set<string>() };
    entry.methods.add(method);
    allowed.set(elysiaPath(path), entry);
  }
  return new Map([...allowed.values()].map(({ path, methods }) => [path, [...methods].sort().join(", ")]));
}

/** True for pages and their files. Not for probes: programs ask them with a foreign origin to see that the check is on. */
function isVisit({ method }: Request, match: Match): boolean {
  if (match === null || "allow" in match || (method !== "GET" && method !== "HEAD")) return false;
  return match.route.action === "pages.open" || match.route.action === "server.document";
}

/** HEAD is for pages and probes; operations of the API do not offer it. */
function isHeadOfPage(request: Request, route: Route): boolean {
  return request.method === "HEAD" && route.method === "GET" && !isApiPath(route.path);
}

function methodNotAllowed(allow: string): Answer {
  return { status: 405, type: TEXT, body: "Method Not Allowed", headers: { allow } };
}

function successOf(route: Route, result: unknown): Answer {
  return route.response === undefined
    ? { status: route.status, type: null, body: null }
    : { status: route.status, type: JSON_TYPE, body: JSON.stringify(result) };
}

function causeOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? messageOf(error)) : messageOf(error);
}
