// Part of the composition root: signing in with identity providers.
import type { AuthenticationConfig } from "../config/authentication.ts";
import type { IdentityProviderConfig } from "../config/identity-providers.ts";
import type { ServerConfig } from "../config/server.ts";
import { signInOriginOf } from "../http/sign-in-origin.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Logger } from "../kernel/logger.ts";
import type { CookieSettings } from "../modules/accounts/auth/cookie.rules.ts";
import type { IdentityLoginService } from "../modules/accounts/auth/identity-login.service.ts";
import type { OpenidRoutesNeeds } from "../modules/accounts/auth/openid/openid.routes.ts";
import { createOpenidLoginService } from "../modules/accounts/auth/openid/openid-login.service.ts";
import { createIdentityProvider } from "../modules/accounts/auth/openid/provider.service.ts";
import { type ProviderLimits, providerLimits } from "../modules/accounts/auth/openid/provider-requests.service.ts";
import { createRoundTrips } from "../modules/accounts/auth/openid/round-trip.rules.ts";
import type { RateLimitService } from "../modules/accounts/auth/protection/rate-limit.service.ts";

interface IdentityProvidersNeeds {
  readonly identityProviders: readonly IdentityProviderConfig[];
  readonly settings: Pick<AuthenticationConfig, "basicAuthDisabled">;
  readonly server: Pick<ServerConfig, "rootUrl" | "rootUrlIsSet" | "rootPath" | "trustedOrigins">;
  readonly secret: string;
  readonly cookies: CookieSettings;
  readonly identityLogin: IdentityLoginService;
  readonly rateLimits: RateLimitService;
  readonly clock: Clock;
  readonly log: Logger;
  /** For tests, which do not wait long for a provider that stays silent. */
  readonly providerLimits?: ProviderLimits;
}

export function createIdentityProviders(needs: IdentityProvidersNeeds): OpenidRoutesNeeds {
  const { server, secret, cookies, rateLimits, clock, log } = needs;
  const limits = needs.providerLimits ?? providerLimits;
  return {
    openidLogin: createOpenidLoginService({
      providers: needs.identityProviders.map((config) => createIdentityProvider(config, limits)),
      roundTrips: createRoundTrips(secret, clock),
      identityLogin: needs.identityLogin,
      cookies,
      limits,
      log,
    }),
    rateLimits,
    cookies,
    rootPath: server.rootPath,
    refusedPage: `${server.rootPath}${needs.settings.basicAuthDisabled ? "/logout" : "/login"}`,
    originOf: signInOriginOf(server),
  };
}
