// Which web pages may call: the origin check against forged requests, and CORS. Both are off until their setting is
// filled.
import { fail } from "../kernel/failure.ts";
import { type Answer, TEXT, UNTRUSTED_ORIGIN } from "./failures.ts";

const METHODS = "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT";
const PREFLIGHT_SECONDS = "600";

function hostNameOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).hostname.toLowerCase() : null;
}

/** Throws kind `unauthenticated` when a page of a host that is not trusted sent the request. Only host names count. `isVisit` is
 *  true for opening a page: a link to it may stand anywhere. */
export function requireTrustedOrigin(request: Request, trustedHosts: ReadonlySet<string>, isVisit: boolean): void {
  if (trustedHosts.size === 0) return;
  for (const header of isVisit ? ["origin"] : ["origin", "referer"]) {
    const sent = request.headers.get(header);
    if (sent === null || sent === "") continue;
    const host = hostNameOf(sent);
    if (host === null || !trustedHosts.has(host)) {
      throw fail(UNTRUSTED_ORIGIN, "unauthenticated", `untrusted ${header}`);
    }
  }
}

/** CORS headers of an answer to this request; none unless origins are allowed at all. */
export function corsHeaders(request: Request, allowed: ReadonlySet<string>): Record<string, string> {
  const origin = request.headers.get("origin");
  if (allowed.size === 0 || origin === null) return {};
  return {
    "access-control-allow-credentials": "true",
    vary: "Accept-Encoding, Origin",
    ...(allowed.has(origin) ? { "access-control-allow-origin": origin } : {}),
  };
}

/** The answer to a preflight request, or null for any other request. */
export function findPreflightAnswer(request: Request, allowed: ReadonlySet<string>): Answer | null {
  const origin = request.headers.get("origin");
  if (allowed.size === 0 || request.method !== "OPTIONS" || origin === null) return null;
  if (!request.headers.has("access-control-request-method")) return null;
  if (!allowed.has(origin)) return { status: 400, type: TEXT, body: "Disallowed CORS origin" };
  const headers: Record<string, string> = {
    "access-control-allow-methods": METHODS,
    "access-control-max-age": PREFLIGHT_SECONDS,
  };
  const asked = request.headers.get("access-control-request-headers");
  if (asked !== null) headers["access-control-allow-headers"] = asked;
  return { status: 200, type: TEXT, body: "OK", headers };
}
