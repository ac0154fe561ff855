// The address of the service as the browser sees it that signs in with an identity provider, which sends the person back there. No
// header that a stranger chooses freely may name it.
import type { ServerConfig } from "../config/server.ts";

/** SERVICE_ROOT_URL; without it the origin of the page that asked, where it is ours or trusted; else that of the request. With the
 *  root path. */
export function signInOriginOf(
  server: Pick<ServerConfig, "rootUrl" | "rootUrlIsSet" | "rootPath" | "trustedOrigins">,
): (request: Request) => string {
  return (request) => {
    if (server.rootUrlIsSet) return server.rootUrl.replace(/\/+$/, "");
    const own = new URL(request.url);
    const asking = URL.parse(request.headers.get("referer") ?? "");
    // Behind a proxy that speaks https the page knows the scheme, the request does not.
    const isOurs = asking !== null && (asking.host === own.host || server.trustedOrigins.includes(asking.origin));
    return `${isOurs && asking.origin !== "null" ? asking.origin : own.origin}${server.rootPath}`;
  };
}
