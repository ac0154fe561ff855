// Headers that every answer carries, and the identity of a request.

/** The protocol level that official clients gate features on: the figure is a promise that everything up to it works
 *  (docs/protocol/README.md#versions). */
export const PROTOCOL_LEVEL = "20.26.1";

/** Of answers that do not say otherwise: no proxy stores data, tokens or refusals. */
export const UNSTORED = { "cache-control": "no-store" } as const;

const SANE_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** The caller's request id when it is short and plain, else a new one: it ends up in logs and headers. */
export function requestIdOf(request: Request): string {
  const sent = request.headers.get("x-request-id");
  return sent !== null && SANE_REQUEST_ID.test(sent) ? sent : crypto.randomUUID();
}

/** The headers of every answer, of any status. */
export function fixedHeaders(requestId: string, version: string): Record<string, string> {
  return {
    "x-phoenix-server-version": PROTOCOL_LEVEL,
    "x-spanlight-version": version,
    "x-request-id": requestId,
    // Notebooks would otherwise cache answers of a server that moves between ports.
    "x-colab-notebook-cache-control": "no-cache",
    vary: "Accept-Encoding",
    "x-content-type-options": "nosniff",
    // Addresses of pages hold ids, and once the token of a reset link: other sites must not see them.
    "referrer-policy": "same-origin",
    "x-frame-options": "SAMEORIGIN",
  };
}
