// Where the link of a reset mail leads. The mail goes to the owner of an account, but anybody may ask for it: no header that the
// asker is free to choose may name the host that the owner's token is sent to (`auth.md` 5.4).
import type { ServerConfig } from "../config/server.ts";

const PAGE = "/reset-password-with-token";

/** SERVICE_ROOT_URL; without it the page that sent the request, if its host is among the trusted ones; else our own address. */
export function resetPageOf(
  server: Pick<ServerConfig, "rootUrl" | "rootUrlIsSet" | "rootPath" | "trustedHostNames">,
): (request: Request) => string {
  return (request) => {
    const referer = URL.parse(request.headers.get("referer") ?? "");
    const isPage = referer?.protocol === "https:" || referer?.protocol === "http:";
    if (!server.rootUrlIsSet && isPage && server.trustedHostNames.includes(referer.hostname)) {
      return `${referer.origin}${server.rootPath}${PAGE}`;
    }
    return `${server.rootUrl}${PAGE}`;
  };
}
