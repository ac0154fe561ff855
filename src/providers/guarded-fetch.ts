// The one way to the network. Whoever chooses an address that this server calls could otherwise reach what only this server reaches: so
// every address is checked, the connection goes to the very address that was checked, and redirects are checked again.
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { Metrics } from "../kernel/metrics.ts";
import { VERSION } from "../version.ts";
import { addressClassOf, isAllowedHost } from "./addresses.ts";
import { type FetchDeadline, startDeadline } from "./fetch-deadline.ts";
import { declareFetchMetrics } from "./fetch-metrics.ts";
import { createHttpClient, type HttpClient, type HttpResponse } from "./http-exchange.ts";
import { type ProviderFetch, ProviderFetchError, type ProviderRequest } from "./provider-fetch.ts";

/** Addresses of a host, as text; rejects for a name without any. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

export interface GuardOptions {
  /** Whether the own machine and private networks may be called. */
  readonly allowsPrivateAddresses: boolean;
  /** Names that alone may be called, `*.example.com` for all below; null for all. */
  readonly allowedHosts: readonly string[] | null;
  readonly metrics: Metrics;
  readonly resolve?: ResolveHost;
  /** PEM of authorities that are trusted instead of the well-known ones. */
  readonly authorities?: string;
}

interface Guard {
  readonly options: GuardOptions;
  readonly client: HttpClient;
}

const MOST_REDIRECTS = 3;
/** Redirects after which a POST stays one. */
const KEPT_METHOD = new Set([307, 308]);
const REDIRECTS = new Set([301, 302, 303, ...KEPT_METHOD]);
const OWN_HEADERS = { "user-agent": `spanlight/${VERSION}`, accept: "*/*", "accept-encoding": "identity" } as const;

/** The guarded way to every provider; one is made for a server. Answers of every status are returned; redirects are followed on the
 *  same host only. */
export function createGuardedFetch(options: GuardOptions): ProviderFetch {
  const metrics = declareFetchMetrics(options.metrics);
  const guard: Guard = { options, client: createHttpClient(options.authorities) };
  return async (request) => {
    const finished = metrics.started(request.label);
    const deadline = startDeadline(request);
    try {
      const { response, url } = await followed(request, guard, deadline);
      const { status, headers } = response;
      return { status, headers, body: bounded(response, url, request, deadline, finished) };
    } catch (error) {
      deadline.stop();
      const told = deadline.errorFor(error);
      finished(told);
      throw told;
    }
  };
}

async function followed(request: ProviderRequest, guard: Guard, deadline: FetchDeadline) {
  let url = parsedUrl(request.url);
  for (let redirects = 0; ; redirects++) {
    const response = await connected(url, request, guard, deadline);
    const location = REDIRECTS.has(response.status) ? response.headers.get("location") : undefined;
    if (location === undefined) return { response, url };
    response.close();
    const target = redirectTarget(url, location);
    if (request.method !== "GET" && !KEPT_METHOD.has(response.status)) {
      throw new ProviderFetchError("address", `${url.host} redirects to another page (${response.status})`);
    }
    if (redirects === MOST_REDIRECTS) throw new ProviderFetchError("address", `${url.host} redirects too often`);
    url = target;
  }
}

/** Throws for everything but http and https, and for a user in the address. */
function parsedUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new ProviderFetchError("address", "The address of the provider must begin with http:// or https://");
  }
  if (url.username !== "" || url.password !== "") {
    throw new ProviderFetchError("address", "The address of the provider must not contain a user or password");
  }
  return url;
}

/** Keys are sent again, so the target must be the same host, and no less safe. */
function redirectTarget(from: URL, location: string): URL {
  if (!URL.canParse(location, from.href)) {
    throw new ProviderFetchError("address", `${from.host} redirects to nowhere`);
  }
  const to = parsedUrl(new URL(location, from).href);
  const isUpgrade = from.protocol === "http:" && to.protocol === "https:" && from.port === "" && to.port === "";
  if (to.hostname !== from.hostname || !(to.origin === from.origin || isUpgrade)) {
    throw new ProviderFetchError("address", `${from.host} redirects to another host`);
  }
  return to;
}

async function connected(
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

/** Every address of the host is checked: which of them is taken is not known before. */
async function checkedAddresses(url: URL, options: GuardOptions): Promise<readonly string[]> {
  // An address of IPv6 stands in brackets in a URL.
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (options.allowedHosts !== null && !isAllowedHost(host, options.allowedHosts)) {
    throw new ProviderFetchError("address", `${host} is not among the hosts that may be called`);
  }
  const addresses = isIP(host) === 0 ? await resolved(host, options.resolve ?? resolveBySystem) : [host];
  if (addresses.length === 0) throw new ProviderFetchError("connection", `${host} has no address`);
  const classes = new Set(addresses.map(addressClassOf));
  if (classes.has("forbidden")) {
    throw new ProviderFetchError(
      "address",
      `${host} leads to an address that is never called, such as a link-local one`,
    );
  }
  if (classes.has("private") && !options.allowsPrivateAddresses) {
    throw new ProviderFetchError("address", `${host} leads to a private address, and those are not allowed`);
  }
  return addresses;
}

async function resolved(host: string, resolve: ResolveHost): Promise<readonly string[]> {
  try {
    return await resolve(host);
  } catch {
    throw new ProviderFetchError("connection", `The name ${host} cannot be resolved`);
  }
}

/** IPv4 first: many networks announce IPv6 that leads nowhere. */
async function resolveBySystem(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true, order: "ipv4first" });
  return found.map(({ address }) => address);
}

async function* bounded(
  response: HttpResponse,
  url: URL,
  { maximumBytes }: ProviderRequest,
  deadline: FetchDeadline,
  finished: (outcome: unknown) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  let outcome: unknown = response.status;
  try {
    while (true) {
      deadline.listen();
      const { done, value } = await response.body.next();
      // The time that the caller takes for a piece does not count.
      deadline.heard();
      if (done === true) return;
      bytes += value.length;
      if (bytes > maximumBytes) {
        throw new ProviderFetchError("too_large", `The answer is larger than ${maximumBytes} bytes`);
      }
      yield value;
    }
  } catch (error) {
    outcome = error instanceof ProviderFetchError ? error : deadline.errorFor(brokenOff(url, error));
    throw outcome;
  } finally {
    deadline.stop();
    finished(outcome);
    response.close();
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function connectionError(url: URL, error: unknown): ProviderFetchError {
  const code = codeOf(error);
  if (code === "ECONNREFUSED") return new ProviderFetchError("connection", `${url.host} refuses the connection`);
  if (code === "ECONNRESET") {
    return new ProviderFetchError("connection", `${url.host} closed the connection without an answer`);
  }
  const what = code.startsWith("HPE_") ? "no answer of HTTP from" : connectionWord(code);
  return new ProviderFetchError("connection", `There is ${what} ${url.host}${code === "" ? "" : ` (${code})`}`);
}

function connectionWord(code: string): string {
  return /CERT|TLS|SSL|UNABLE_TO_|EPROTO/.test(code) ? "no safe connection to" : "no connection to";
}

function brokenOff(url: URL, error: unknown): ProviderFetchError {
  const code = codeOf(error);
  const why = code === "" || code === "ECONNRESET" ? "" : ` (${code})`;
  return new ProviderFetchError("connection", `${url.host} closed the connection in the middle of the answer${why}`);
}
