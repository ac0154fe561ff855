// The HTTP server: the steps in which a request is judged, the same for every route. The first that fails decides the answer
// (docs/protocol/rest.md#order-of-guards). They run as hooks of Elysia, which finds the route (mount.ts).
import { Elysia } from "elysia";
import { requireAllowed } from "../access/policy.ts";
import { anonymousPrincipal } from "../access/principal.ts";
import type { BulkReader } from "../api/bulk-reader.ts";
import type { Route, RouteModule } from "../api/route.ts";
import { messageOf } from "../kernel/failure.ts";
import type { Logger } from "../kernel/logger.ts";
import type { DatabaseHandle } from "../storage/storage.ts";
import { mountedPaths, withoutBasePath } from "./base-path.ts";
import { clientAddressOf, type Peer } from "./client-address.ts";
import { beginExchange, complete, type ExchangeSettings, respond } from "./exchange.ts";
import { type Answer, answerToFailure, isFault } from "./failures.ts";
import { isProtectedPath, type PrincipalResolver, requireWritableMode } from "./guard.ts";
import { hostCheck } from "./hosts.ts";
import { type BodyLimits, notFound } from "./input.ts";
import { allowedMethods, elysiaPath, pluginOf } from "./mount.ts";
import { findPreflightAnswer, requireTrustedOrigin } from "./origins.ts";
import { type OwnPages, ownPages } from "./own-pages.ts";
import { type Arrival, createRequestSteps, methodNotAllowed } from "./request-steps.ts";
import { pathOfUrl, withPlainUrl } from "./request-url.ts";
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
  /** Which pages may change something. */
  readonly ownPages: OwnPages;
  /** FORWARDED_ALLOW_IPS: proxies that are believed about whom they speak for. */
  readonly trustedProxies: readonly string[];
  readonly supportEmail: string | null;
  readonly readOnly: boolean;
  /** Milliseconds after which a slow read is stopped. */
  readonly deadlineMs: number;
}

export interface AnsweredRequest {
  readonly method: string;
  /** The path as it is declared, with names for what varies, and without the root path; null for one that no route has. */
  readonly route: string | null;
  readonly status: number;
  readonly milliseconds: number;
  /** The header of this name, as it was sent. */
  readonly traceparent: string | null;
}

export interface HttpDependencies {
  readonly settings: HttpSettings;
  readonly modules: readonly RouteModule[];
  readonly database: DatabaseHandle;
  readonly logger: Logger;
  readonly resolvePrincipal: PrincipalResolver;
  /** True while the database is fuller than the operator allows. */
  readonly isStorageLocked: () => boolean;
  /** Reads bodies in bulk. */
  readonly bulkReader: BulkReader;
  /** Called for every answer, as soon as it is made; a body that is streamed may still be on its way. */
  readonly onAnswer?: (answered: AnsweredRequest) => void;
  /** For people who follow an unknown address. */
  readonly notFoundPage?: (request: Request, path: string) => Promise<Response | null>;
}

export interface HttpServer {
  /** `peer` tells the other end of the connection. */
  fetch(request: Request, peer?: Peer): Promise<Response>;
  /** Every route, for the tests that walk them. */
  readonly routes: readonly Route[];
}

export function createHttpServer(dependencies: HttpDependencies): HttpServer {
  const { settings, modules, resolvePrincipal, onAnswer } = dependencies;
  const { rootPath } = settings;
  const logger = dependencies.logger.named("http");
  const allowedOrigins = new Set(settings.allowedOrigins);
  const trustedHosts = new Set(settings.trustedHostNames);
  const findForeignHostAnswer = hostCheck(settings.hostNames, logger);
  const addressOf = clientAddressOf(settings.trustedProxies);
  const exchanges: ExchangeSettings = {
    version: settings.version,
    allowedOrigins,
    encryption: strictTransport(settings.encryption),
    logger,
  };
  /** Elysia hands on the request alone. */
  const arrivals = new WeakMap<Request, Arrival>();
  const arrivalOf = (request: Request) => arrivals.get(request) as Arrival;

  async function finish(request: Request, answer: Answer | Response): Promise<Response> {
    const arrival = arrivalOf(request);
    const { exchange } = arrival;
    // Elysia hands the answer to a failure to the last step again.
    if (answer === arrival.finished) return answer;
    arrival.finished =
      answer instanceof Response ? complete(exchange, answer, exchanges) : await respond(exchange, answer, exchanges);
    return arrival.finished;
  }

  /** A path that no route has. */
  async function answerUnknown(request: Request): Promise<Response> {
    const { path } = arrivalOf(request).exchange;
    requireTrustedOrigin(request, trustedHosts, false);
    requireWritableMode(path, settings.readOnly);
    if (isProtectedPath(path)) requireAllowed(await resolvePrincipal(request), "projects.read");
    const page = (await dependencies.notFoundPage?.(request, path)) ?? null;
    if (page === null) throw notFound();
    return finish(request, page);
  }

  const steps = createRequestSteps({
    ...dependencies,
    trustedHosts,
    isOwnPage: ownPages(settings.ownPages),
    arrivalOf,
    addressOf: (request) => addressOf(request, arrivalOf(request).peer),
    finish,
  });
  const app = new Elysia({ name: "spanlight", normalize: false })
    .onRequest(async ({ request }) => {
      const answer = findForeignHostAnswer(request) ?? findPreflightAnswer(request, allowedOrigins);
      return answer === null ? undefined : finish(request, answer);
    })
    .onError({ as: "global" }, async ({ request, error, set }) => {
      const { exchange } = arrivalOf(request);
      if (isFault(error)) logger.error(causeOf(error), { request_id: exchange.requestId, path: exchange.path });
      const response = await finish(request, answerToFailure(error));
      // Else Elysia takes its own.
      set.status = response.status;
      return response;
    });
  for (const module of modules) app.use(pluginOf(module, rootPath, steps));
  for (const [path, allow] of allowedMethods(modules)) {
    const refuse = async ({ request }: { readonly request: Request }) => {
      requireTrustedOrigin(request, trustedHosts, false);
      throw methodNotAllowed(allow);
    };
    for (const mounted of mountedPaths(path, rootPath)) app.all(elysiaPath(mounted), refuse, { parse: "none" });
  }
  app.all("/*", async ({ request }) => answerUnknown(request), { parse: "none" });
  return {
    async fetch(sent, peer = unknownPeer) {
      const request = withPlainUrl(sent);
      const exchange = beginExchange(request, withoutBasePath(pathOfUrl(request.url), rootPath));
      const arrival: Arrival = {
        exchange,
        peer,
        route: null,
        principal: anonymousPrincipal,
        params: {},
        call: null,
        finished: null,
        release: () => {},
      };
      arrivals.set(request, arrival);
      if (onAnswer === undefined) return app.fetch(request);
      const began = performance.now();
      const response = await app.fetch(request);
      const { method } = request;
      const { status } = response;
      const traceparent = request.headers.get("traceparent");
      const milliseconds = performance.now() - began;
      onAnswer({ method, route: arrival.route?.path ?? null, status, milliseconds, traceparent });
      return response;
    },
    routes: modules.flatMap((module) => module.routes),
  };
}

const unknownPeer: Peer = () => null;

function causeOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? messageOf(error)) : messageOf(error);
}
