// Whether a request may have been made by a page of somebody else. Its form could sign the visitor in as its owner, whose account
// then gets what the visitor writes.

/** False for requests of pages that are neither ours nor of a trusted origin (spelt as `Origin` headers are). Programs, which say
 *  nothing about pages, pass. */
export function ownPages(trustedOrigins: readonly string[]): (request: Request) => boolean {
  // A page without an origin sends this word, whatever it is.
  const trusted = new Set(trustedOrigins.filter((origin) => origin !== "null"));
  return ({ headers, url }) => {
    // Only what scripts cannot write is believed. Over plain http to another machine browsers leave it out.
    const site = headers.get("sec-fetch-site");
    if (site === "same-origin" || site === "none") return true;
    const origin = headers.get("origin");
    if (origin === null || origin === "") return site === null;
    if (trusted.has(origin)) return true;
    return site === null && URL.parse(origin)?.host === new URL(url).host;
  };
}
