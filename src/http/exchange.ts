// One request from its arrival to the line in the log: turns an answer into a Response with the headers that every answer
// has, compressed when the client takes it.
import type { Logger } from "../kernel/logger.ts";
import { acceptsGzip, gzipText, isCompressible } from "./compression.ts";
import type { Answer } from "./failures.ts";
import { fixedHeaders, requestIdOf, UNSTORED } from "./headers.ts";
import { corsHeaders } from "./origins.ts";

export interface Exchange {
  readonly request: Request;
  readonly requestId: string;
  /** Below the root path, still percent-encoded, without query. */
  readonly path: string;
  /** Of `performance.now()`. */
  readonly startedMs: number;
}

export interface ExchangeSettings {
  readonly version: string;
  readonly allowedOrigins: ReadonlySet<string>;
  readonly encryption: (request: Request) => Readonly<Record<string, string>>;
  readonly logger: Logger;
}

/** Probes come every few seconds and exports many times a second; a line for each would bury the others. */
const QUIET_PATHS = new Set(["/healthz", "/readyz", "/v1/traces"]);
/** Every page comes with a handful of them. */
const QUIET_FOLDER = "/assets/";

export function beginExchange(request: Request, path: string): Exchange {
  return { request, requestId: requestIdOf(request), path, startedMs: performance.now() };
}

/** Finishes with an answer of ours. */
export async function respond(exchange: Exchange, answer: Answer, settings: ExchangeSettings): Promise<Response> {
  const headers: Record<string, string> = { ...UNSTORED, ...headersOf(exchange, settings) };
  if (answer.headers !== undefined) Object.assign(headers, answer.headers);
  if (answer.type !== null) headers["content-type"] = answer.type;
  logLine(exchange, answer.status, settings.logger, answer.reason);
  if (answer.body === null) return new Response(null, { status: answer.status, headers });
  const compressed = isCompressible(answer.type) && acceptsGzip(exchange.request) ? await gzipText(answer.body) : null;
  if (compressed !== null) headers["content-encoding"] = "gzip";
  // A text body would be given a media type; bytes are not.
  const body = compressed ?? (answer.type === null ? new TextEncoder().encode(answer.body) : answer.body);
  return new Response(body, { status: answer.status, headers });
}

/** Finishes with a Response that a handler made: a stream, a file, a redirect. */
export function complete(exchange: Exchange, made: Response, settings: ExchangeSettings): Response {
  for (const [name, value] of Object.entries(headersOf(exchange, settings))) made.headers.set(name, value);
  if (!made.headers.has("cache-control")) made.headers.set("cache-control", UNSTORED["cache-control"]);
  logLine(exchange, made.status, settings.logger);
  const compress =
    made.body !== null &&
    !made.headers.has("content-encoding") &&
    isCompressible(made.headers.get("content-type")) &&
    acceptsGzip(exchange.request);
  if (!compress) return made;
  made.headers.set("content-encoding", "gzip");
  made.headers.delete("content-length");
  return new Response(made.body.pipeThrough(new CompressionStream("gzip")), made);
}

function headersOf(exchange: Exchange, settings: ExchangeSettings): Record<string, string> {
  const headers = fixedHeaders(exchange.requestId, settings.version);
  Object.assign(headers, settings.encryption(exchange.request));
  return settings.allowedOrigins.size === 0
    ? headers
    : Object.assign(headers, corsHeaders(exchange.request, settings.allowedOrigins));
}

function logLine(exchange: Exchange, status: number, logger: Logger, reason?: string): void {
  const log = status < 400 && isQuiet(exchange.path) ? logger.debug : logger.info;
  log(`${exchange.request.method} ${exchange.path} ${status}`, {
    reason,
    ms: Math.round((performance.now() - exchange.startedMs) * 10) / 10,
    request_id: exchange.requestId,
  });
}

function isQuiet(path: string): boolean {
  return QUIET_PATHS.has(path) || path.startsWith(QUIET_FOLDER);
}
