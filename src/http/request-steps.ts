// The steps of a request whose route is known. What one throws ends the request.
import type { TSchema } from "@sinclair/typebox";
import { asksForCaller, requireAllowed } from "../access/policy.ts";
import type { Principal } from "../access/principal.ts";
import type { BulkReader } from "../api/bulk-reader.ts";
import type { Call, Route } from "../api/route.ts";
import { requireUnlockedStorage } from "../api/storage-lock.ts";
import { floatWriter } from "../kernel/written-floats.ts";
import type { CallContext, DatabaseHandle } from "../storage/storage.ts";
import type { Peer } from "./client-address.ts";
import type { Exchange } from "./exchange.ts";
import { type Answer, JSON_TYPE, Refusal, TEXT } from "./failures.ts";
import { isApiPath, type PrincipalResolver, requireWritableMode } from "./guard.ts";
import { type BodyLimits, readInput, readParameters } from "./input.ts";
import type { Steps } from "./mount.ts";
import { requireTrustedOrigin } from "./origins.ts";
import { requireOwnPage } from "./own-pages.ts";

/** A request and what its steps have found out. */
export interface Arrival {
  readonly exchange: Exchange;
  readonly peer: Peer;
  /** Null until one is found. */
  route: Route | null;
  /** Who asks, and the parameters of the path: known once the request is admitted. */
  principal: Principal;
  params: Readonly<Record<string, string>>;
  /** Known once the input is read. */
  call: Call<unknown, unknown, unknown> | null;
  /** What it is answered with, once that is complete. */
  finished: Response | null;
  /** Lets go of a body in bulk. */
  release(): void;
}

interface StepSettings extends BodyLimits {
  readonly supportEmail: string | null;
  readonly readOnly: boolean;
  /** Milliseconds after which a slow read is stopped. */
  readonly deadlineMs: number;
}

interface StepParts {
  readonly settings: StepSettings;
  readonly database: DatabaseHandle;
  readonly resolvePrincipal: PrincipalResolver;
  readonly isStorageLocked: () => boolean;
  readonly bulkReader: BulkReader;
  readonly trustedHosts: ReadonlySet<string>;
  /** Whether no page of another site sent the request. */
  readonly isOwnPage: (request: Request) => boolean;
  readonly arrivalOf: (request: Request) => Arrival;
  readonly addressOf: (request: Request) => string | null;
  readonly finish: (request: Request, answer: Answer | Response) => Promise<Response>;
}

export function createRequestSteps(parts: StepParts): Steps {
  const { settings, database, resolvePrincipal, isStorageLocked, bulkReader } = parts;
  const { trustedHosts, isOwnPage, arrivalOf, addressOf, finish } = parts;

  function contextOf({ exchange, principal }: Arrival): CallContext {
    return {
      principal,
      requestId: exchange.requestId,
      deadline: performance.now() + settings.deadlineMs,
      signal: exchange.request.signal,
      database,
    };
  }

  return {
    async admit(request, { route, parameters }) {
      const arrival = arrivalOf(request);
      arrival.route = route;
      const { path } = arrival.exchange;
      requireTrustedOrigin(request, trustedHosts, isVisit(request, route));
      requireOwnPage(request, isOwnPage);
      if (request.method !== route.method && !isHeadOfPage(request, route)) throw methodNotAllowed(route.method);
      arrival.params = readParameters(parameters, path);
      requireWritableMode(path, settings.readOnly);
      // Probes answer while the database that knows the callers is away.
      if (asksForCaller(route.action)) arrival.principal = await resolvePrincipal(request);
      requireAllowed(arrival.principal, route.action);
      requireUnlockedStorage(route.storageLocked === true, isStorageLocked(), settings.supportEmail);
      route.admission?.(() => addressOf(request));
    },
    async readInput(request, { route }) {
      const arrival = arrivalOf(request);
      const { query, body, release } = await readInput(route, request, settings, bulkReader);
      arrival.release = release;
      arrival.call = {
        context: contextOf(arrival),
        params: arrival.params,
        query,
        body,
        request,
        clientAddress: () => addressOf(request),
      };
    },
    async handle(request, { route }) {
      const { call, release } = arrivalOf(request);
      try {
        return await route.handler(call as Call<unknown, unknown, unknown>);
      } finally {
        release();
      }
    },
    answer: (request, { route }, result) =>
      finish(request, result instanceof Response ? result : successOf(route, result)),
  };
}

/** True for pages and their files. Not for probes: programs ask them with a foreign origin to see that the check is on. */
function isVisit({ method }: Request, { action }: Route): boolean {
  return (method === "GET" || method === "HEAD") && (action === "pages.open" || action === "server.document");
}

/** HEAD is for pages and probes; operations of the API do not offer it. */
function isHeadOfPage(request: Request, route: Route): boolean {
  return request.method === "HEAD" && route.method === "GET" && !isApiPath(route.path);
}

export function methodNotAllowed(allow: string): Refusal {
  return new Refusal({ status: 405, type: TEXT, body: "Method Not Allowed", headers: { allow } });
}

function successOf(route: Route, result: unknown): Answer {
  if (route.response === undefined) return { status: route.status, type: null, body: null };
  const write = writerOf(route.response);
  return { status: route.status, type: JSON_TYPE, body: JSON.stringify(write === null ? result : write(result)) };
}

const writers = new WeakMap<TSchema, ReturnType<typeof floatWriter>>();

function writerOf(schema: TSchema): ReturnType<typeof floatWriter> {
  const known = writers.get(schema);
  if (known !== undefined) return known;
  const made = floatWriter(schema);
  writers.set(schema, made);
  return made;
}
