// Where the link of a reset mail leads. The mail goes to the owner of an account, but anybody may ask for it: no header that the
// asker is free to choose may name the place that the owner's token is sent to.
import type { ServerConfig } from "../config/server.ts";

const PAGE = "/reset-password-with-token";

/** SERVICE_ROOT_URL; without it the trusted origin, scheme and port included, whose page sent the request; else our own address. */
export function resetPageOf(
  server: Pick<ServerConfig, "rootUrl" | "rootUrlIsSet" | "rootPath" | "trustedOrigins">,
): (request: Request) => string {
  return (request) => {
    const asking = URL.parse(request.headers.get("referer") ?? "")?.origin;
    const trusted = server.rootUrlIsSet ? undefined : server.trustedOrigins.find((origin) => origin === asking);
    return trusted === undefined ? `${server.rootUrl}${PAGE}` : `${trusted}${server.rootPath}${PAGE}`;
  };
}
