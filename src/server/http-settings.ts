// What the settings of the program are to the HTTP server and to the pages.
import { BODY_SILENCE_MILLISECONDS } from "../api/body.ts";
import type { Config } from "../config/config.ts";
import { namesOf } from "../config/server.ts";
import { ownPagesOf } from "../http/own-pages.ts";
import { createPages, type Pages, switchedOffPages } from "../http/pages.ts";
import type { HttpSettings } from "../http/server.ts";
import { openWebFiles } from "../http/web-files.ts";
import { VERSION } from "../version.ts";
import type { SignInOffers } from "../web/start.ts";

/** Milliseconds after which a slow read is stopped. */
export const SLOW_READ_MILLISECONDS = 30_000;

export function httpSettingsOf({ server, authentication, tls, run, ingestion }: Config): HttpSettings {
  return {
    version: VERSION,
    rootPath: server.rootPath,
    hostNames: authentication.enabled ? null : namesOf(server),
    encryption: { tls: tls.http !== null, rootUrl: server.rootUrl },
    allowedOrigins: server.allowedOrigins,
    trustedHostNames: server.trustedHostNames,
    ownPages: ownPagesOf(server, authentication.enabled),
    trustedProxies: server.trustedProxies,
    supportEmail: server.supportEmail,
    readOnly: run.readOnly,
    bodyLimit: ingestion.maxBodyBytes,
    jsonBodyLimit: ingestion.maxJsonBodyBytes,
    bodySilenceMs: BODY_SILENCE_MILLISECONDS,
    deadlineMs: SLOW_READ_MILLISECONDS,
  };
}

/** `offers`: what the pages offer to people who are not signed in; null while authentication is off. */
export function pagesOf({ server, authentication, modelProviders, run }: Config, offers: SignInOffers | null): Pages {
  if (!run.webPage) return switchedOffPages(server.rootPath);
  return createPages(openWebFiles(), {
    basePath: server.rootPath,
    version: VERSION,
    supportEmail: server.supportEmail,
    readOnly: run.readOnly,
    authenticationEnabled: authentication.enabled,
    signIn: offers,
    managementUrl: authentication.managementUrl,
    offeredProviders: modelProviders.offered,
  });
}
