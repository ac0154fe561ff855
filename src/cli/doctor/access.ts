// The doctor's look at who gets in: settings that are valid one by one, and together let everybody in or lock everybody out.
import type { Config } from "../../config/config.ts";
import { isLoopback } from "../../config/server.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

const ABOUT = "access";

export function checkAccess({ server, authentication }: Config): Finding[] {
  if (!authentication.enabled) return [withoutAuthentication(server.host)];
  const url = new URL(server.rootUrl);
  const isEncrypted = url.protocol === "https:";
  if (authentication.secureCookies && !isEncrypted && !isLoopback(url.hostname)) {
    return [
      problem(
        ABOUT,
        `cookies are for https only, but ${server.rootUrl} is not: browsers drop them, nobody can sign in`,
        "set SERVICE_ROOT_URL to the https address, or SERVICE_USE_SECURE_COOKIES=false",
      ),
    ];
  }
  if (!authentication.secureCookies && isEncrypted) {
    return [
      warning(
        ABOUT,
        `the cookies of a sign-in at ${server.rootUrl} would also travel without encryption`,
        "set SERVICE_USE_SECURE_COOKIES=true",
      ),
    ];
  }
  return [ok(ABOUT, "every call needs a credential")];
}

function withoutAuthentication(host: string): Finding {
  if (isLoopback(host)) return ok(ABOUT, `no authentication; only programs of this machine reach ${host}`);
  return warning(
    ABOUT,
    `it listens on ${host} without authentication: everybody who reaches it can read and change everything`,
    "set SERVICE_ENABLE_AUTH=true and SERVICE_SECRET, or let only a proxy with a login reach it",
  );
}
