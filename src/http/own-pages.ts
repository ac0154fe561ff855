// Whether a request may have been made by a page of another site. Browsers send forms and some requests of scripts to any address, with
// the cookies of their visitor; what such a page may not do is change anything, whatever the route.
import type { ServerConfig } from "../config/server.ts";
import { type Failure, fail } from "../kernel/failure.ts";

export interface OwnPages {
  /** Spelt as `Origin` headers are: ours, and those that the operator trusts. */
  readonly origins: readonly string[];
  /** Whether pages of other ports and names of our own site may change something: while authentication is off, they could be opened
   *  by the same user only, and people run tools side by side. */
  readonly siblings: boolean;
}

export function ownPagesOf(
  { rootUrl, trustedOrigins, allowedOrigins }: Pick<ServerConfig, "rootUrl" | "trustedOrigins" | "allowedOrigins">,
  authenticationEnabled: boolean,
): OwnPages {
  return { origins: [new URL(rootUrl).origin, ...trustedOrigins, ...allowedOrigins], siblings: !authenticationEnabled };
}

/** False for requests of pages that are neither ours nor of a trusted origin. Programs, which say nothing about pages, pass. */
export function ownPages({ origins, siblings }: OwnPages): (request: Request) => boolean {
  // A page without an origin sends this word, whatever it is.
  const trusted = new Set(origins.filter((origin) => origin !== "null"));
  return ({ headers, url }) => {
    // Only what scripts cannot write is believed. Over plain http to another machine browsers leave it out.
    const site = headers.get("sec-fetch-site");
    if (site === "same-origin" || site === "none" || (siblings && site === "same-site")) return true;
    const origin = headers.get("origin");
    if (origin === null || origin === "") return site === null;
    if (trusted.has(origin)) return true;
    const [asking, asked] = [URL.parse(origin), new URL(url)];
    return (
      site === null && asking !== null && (siblings ? asking.hostname === asked.hostname : asking.host === asked.host)
    );
  };
}

const READING_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Throws kind `forbidden` for what changes something and comes from a page of another site. */
export function requireOwnPage(request: Request, isOwnPage: (request: Request) => boolean): void {
  if (!READING_METHODS.has(request.method) && !isOwnPage(request)) throw foreignPage(request);
}

function foreignPage({ headers, url }: Request): Failure {
  const origin = headers.get("origin") || "another site";
  return fail(
    "http.foreign_page",
    "forbidden",
    `A page of ${origin} may change nothing here: this request is for ${new URL(url).host}. If that page is ours and a proxy changes the host, set SERVICE_ROOT_URL to the address that browsers see; name other sites that may in SERVICE_ALLOWED_ORIGINS`,
  );
}
