// The only way from this server to a provider. A caller who chooses the address could otherwise reach internal services (SSRF), so every
// resolved address is checked, the connection goes to the checked addresses, and redirects are checked again.
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { Metrics } from "../kernel/metrics.ts";
import { VERSION } from "../version.ts";
import { addressClassOf, isAllowedHost } from "./addresses.ts";
import { type FetchDeadline, startDeadline } from "./fetch-deadline.ts";
import { declareFetchMetrics } from "./fetch-metrics.ts";
import { createHttpClient, type HttpClient, type HttpResponse } from "./http-exchange.ts";
import { type ProviderFetch, ProviderFetchError, type ProviderRequest } from "./provider-fetch.ts";
import { parseProviderUrl, redirectTarget } from "./provider-url.ts";

/** The IP addresses of a host; rejects if the name cannot be resolved. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

export interface GuardOptions {
  /** Whether loopback and private networks may be called. */
  readonly allowsPrivateAddresses: boolean;
  /** The only hosts that may be called, `*.example.com` for all below; null for all hosts. */
  readonly allowedHosts: readonly string[] | null;
  /** In the place of the rules for addresses: the only ones that may be called. */
  readonly isAllowedAddress?: (address: string) => boolean;
  readonly metrics: Metrics;
  readonly resolve?: ResolveHost;
  /** PEM of certificate authorities, trusted instead of the default ones. */
  readonly authorities?: string;
}

interface Guard {
  readonly options: GuardOptions;
  readonly client: HttpClient;
}

const MOST_REDIRECTS = 3;
/** Redirects that keep the method. */
const METHOD_KEEPING_REDIRECTS = new Set([307, 308]);
const REDIRECTS = new Set([301, 302, 303, ...METHOD_KEEPING_REDIRECTS]);
const OWN_HEADERS = { "user-agent": `spanlight/${VERSION}`, accept: "*/*", "accept-encoding": "identity" } as const;

/** Created once for a server. Responses of every status are returned; redirects are followed on the same host only. */
export function createGuardedFetch(options: GuardOptions): ProviderFetch {
  const metrics = declareFetchMetrics(options.metrics);
  const guard: Guard = { options, client: createHttpClient(options.authorities) };
  return async (request) => {
    const recordOutcome = metrics.start(request.label);
    const deadline = startDeadline(request);
    try {
      const { response, url } = await sendFollowingRedirects(request, guard, deadline);
      const { status, headers } = response;
      return { status, headers, body: limitedBody(response, url, request, deadline, recordOutcome) };
    } catch (error) {
      deadline.stop();
      const reason = deadline.reasonFor(error);
      recordOutcome(reason);
      throw reason;
    }
  };
}

async function sendFollowingRedirects(request: ProviderRequest, guard: Guard, deadline: FetchDeadline) {
  let url = parseProviderUrl(request.url);
  for (let redirects = 0; ; redirects++) {
    const response = await send(url, request, guard, deadline);
    const location = REDIRECTS.has(response.status) ? response.headers.get("location") : undefined;
    if (location === undefined) return { response, url };
    response.close();
    const target = redirectTarget(url, location);
    if (request.method !== "GET" && !METHOD_KEEPING_REDIRECTS.has(response.status)) {
      throw new ProviderFetchError("address", `${url.host} redirects to another page (${response.status})`);
    }
    if (redirects === MOST_REDIRECTS) throw new ProviderFetchError("address", `${url.host} redirects too often`);
    url = target;
  }
}

async function send(
  url: URL,
  { method, headers, body }: ProviderRequest,
  { options, client }: Guard,
  deadline: FetchDeadline,
): Promise<HttpResponse> {
  const { signal } = deadline;
  const addresses = await deadline.race(checkedAddresses(url, options));
  try {
    return await client.send({ method, url, headers: { ...OWN_HEADERS, ...headers }, body, addresses, signal });
  } catch (error) {
    throw signal.aborted ? error : connectionError(url, error);
  }
}

/** All addresses of the host, each of which may be connected to: one that is refused refuses the host. */
async function checkedAddresses(url: URL, options: GuardOptions): Promise<readonly string[]> {
  // URLs have IPv6 addresses in brackets.
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (options.allowedHosts !== null && !isAllowedHost(host, options.allowedHosts)) {
    throw new ProviderFetchError("address", `${host} is not among the hosts that may be called`);
  }
  const addresses = isIP(host) === 0 ? await resolveHost(host, options.resolve ?? resolveBySystem) : [host];
  if (addresses.length === 0) throw new ProviderFetchError("connection", `${host} has no address`);
  const { isAllowedAddress } = options;
  if (isAllowedAddress !== undefined) {
    if (addresses.every(isAllowedAddress)) return addresses;
    throw new ProviderFetchError("address", `${host} is no address of the machine or its cloud`);
  }
  const classes = new Set(addresses.map(addressClassOf));
  if (classes.has("forbidden")) {
    throw new ProviderFetchError(
      "address",
      `${host} resolves to a link-local, metadata or reserved address, which is never called`,
    );
  }
  if (classes.has("private") && !options.allowsPrivateAddresses) {
    throw new ProviderFetchError(
      "address",
      `${host} resolves to a private address; SERVICE_ALLOW_PRIVATE_PROVIDERS allows these`,
    );
  }
  return addresses;
}

async function resolveHost(host: string, resolve: ResolveHost): Promise<readonly string[]> {
  try {
    return await resolve(host);
  } catch {
    throw new ProviderFetchError("connection", `The name ${host} cannot be resolved`);
  }
}

/** IPv4 first: many networks have IPv6 addresses without a route. */
async function resolveBySystem(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true, order: "ipv4first" });
  return found.map(({ address }) => address);
}

async function* limitedBody(
  response: HttpResponse,
  url: URL,
  { maximumBytes }: ProviderRequest,
  deadline: FetchDeadline,
  recordOutcome: (outcome: unknown) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  let outcome: unknown = response.status;
  try {
    while (true) {
      deadline.startIdleTimer();
      const { done, value } = await response.body.next();
      // The time that the reader takes does not count.
      deadline.stopIdleTimer();
      if (done === true) return;
      bytes += value.length;
      if (bytes > maximumBytes) {
        throw new ProviderFetchError("too_large", `The answer is larger than ${maximumBytes} bytes`);
      }
      yield value;
    }
  } catch (error) {
    outcome = error instanceof ProviderFetchError ? error : deadline.reasonFor(interrupted(url, error));
    throw outcome;
  } finally {
    deadline.stop();
    recordOutcome(outcome);
    response.close();
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function connectionError(url: URL, error: unknown): ProviderFetchError {
  const code = codeOf(error);
  if (code === "ECONNREFUSED") return new ProviderFetchError("connection", `${url.host} refused the connection`);
  if (code === "ECONNRESET") {
    return new ProviderFetchError("connection", `${url.host} closed the connection without an answer`);
  }
  const details = code === "" ? "" : ` (${code})`;
  if (code.startsWith("HPE_")) {
    return new ProviderFetchError("connection", `${url.host} sent an invalid HTTP response${details}`);
  }
  const what = /CERT|TLS|SSL|UNABLE_TO_|EPROTO/.test(code) ? "TLS connection" : "connection";
  return new ProviderFetchError("connection", `The ${what} to ${url.host} failed${details}`);
}

function interrupted(url: URL, error: unknown): ProviderFetchError {
  const code = codeOf(error);
  const why = code === "" || code === "ECONNRESET" ? "" : ` (${code})`;
  return new ProviderFetchError("connection", `${url.host} closed the connection in the middle of the answer${why}`);
}
