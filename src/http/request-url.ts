// The address of a request. The runtime puts it together from the `Host` header, which its sender is free to write: with some hosts
// the result is no URL, or one whose path the router would look for in the wrong place.

/** Elysia looks for the slash that begins the path from this character on: `http://a.bc/` is the shortest that it reads right. */
const FIRST_PATH_START = 11;
/** Of no meaning to anybody: handlers read path and query. */
const PLAIN_ORIGIN = "http://localhost";

/** The request itself where its address can be relied on, else the same request under a plain host. */
export function withPlainUrl(request: Request): Request {
  const { url } = request;
  const start = pathStart(url);
  if (start >= FIRST_PATH_START && URL.canParse(url)) return request;
  const path = start === -1 ? "/" : url.slice(start);
  return new Request(new URL(PLAIN_ORIGIN + path).href, request);
}

/** The path of a request that went through `withPlainUrl`: still percent-encoded, without query. */
export function pathOfUrl(url: string): string {
  const end = url.indexOf("?", FIRST_PATH_START);
  return url.slice(pathStart(url), end === -1 ? undefined : end);
}

/** Without a host that can be read the runtime gives the path alone. */
function pathStart(url: string): number {
  return url.indexOf("/", url.startsWith("http://") ? 7 : url.startsWith("https://") ? 8 : 0);
}
