// Signing in with a provider of OpenID Connect: to the provider, and back with an answer that is checked step by step
// (docs/protocol/authentication.md#identity-providers). Nothing is stored in memory between the two halves.
import { createHash } from "node:crypto";
import type { IdentityProviderConfig } from "../../../../config/identity-providers.ts";
import type { Logger } from "../../../../kernel/logger.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import {
  CODE_VERIFIER_COOKIE,
  type CookieSettings,
  clearedRoundTripCookies,
  cookieText,
  findCookie,
  NONCE_COOKIE,
  STATE_COOKIE,
} from "../cookie.rules.ts";
import type { IdentityLoginService } from "../identity-login.service.ts";
import type { Cookies } from "../tokens/logins.service.ts";
import type { Warn } from "./claims.rules.ts";
import { configurationOf, exchangeCode, metadataOf } from "./exchange.service.ts";
import { type RefusalCode, refusedSignIn, type SignInRefusal, SignInRefused, shortForLog } from "./openid.errors.ts";
import { accountRefused, personOf } from "./person.rules.ts";
import type { IdentityProvider } from "./provider.service.ts";
import type { ProviderLimits } from "./provider-requests.service.ts";
import { LONGEST_RETURN_PATH, returnPathOf } from "./return-path.rules.ts";
import { ROUND_TRIP_SECONDS, type RoundTrips, randomText } from "./round-trip.rules.ts";

interface OpenidLoginDependencies {
  readonly providers: readonly IdentityProvider[];
  readonly roundTrips: RoundTrips;
  readonly identityLogin: IdentityLoginService;
  readonly cookies: CookieSettings;
  readonly limits: ProviderLimits;
  readonly log: Logger;
}

/** Where the browser goes next, with what cookies. */
type Onward = { readonly ok: true; readonly location: string; readonly cookies: Cookies };
/** `reference` leads from what the person sees to the line of the log. */
type Outcome = Onward | { readonly ok: false; readonly code: RefusalCode; readonly reference: string };

interface Arrival {
  readonly provider: string;
  readonly clientAddress: string | null;
}

export interface OpenidLoginService {
  /** To the provider. `origin` is the address of the service as the browser sees it, root path included. */
  begin(
    context: CallContext,
    arrival: Arrival & { readonly origin: string; readonly returnPath: string | null },
  ): Promise<Outcome>;
  /** Back from it: `location` is a path below the root path. */
  complete(
    context: CallContext,
    arrival: Arrival & { readonly query: URLSearchParams; readonly cookies: string | null },
  ): Promise<Outcome>;
  /** Those of the settings, by name, with whether they answer. */
  listProviders(): Promise<
    readonly { readonly name: string; readonly displayName: string; readonly available: boolean }[]
  >;
  /** Whether there is such a provider. */
  has(provider: string): boolean;
}

const NONCE_CHARACTERS = 20;
const VERIFIER_CHARACTERS = 48;
const REFERENCE_CHARACTERS = 10;
/** A provider may send a thousand; their names are cut short. */
const MOST_CLAIM_NAMES = 50;

export function createOpenidLoginService(dependencies: OpenidLoginDependencies): OpenidLoginService {
  const { roundTrips, identityLogin, cookies, limits } = dependencies;
  const providers = new Map(dependencies.providers.map((provider) => [provider.config.id, provider]));

  function providerOf(id: string): IdentityProvider {
    const provider = providers.get(id);
    if (provider === undefined) throw refusedSignIn("unknown_idp", "answer", "there is no such provider");
    return provider;
  }

  /** What a step refuses becomes a line of the log, and its code an answer. */
  async function answered(context: CallContext, arrival: Arrival, work: () => Promise<Onward>): Promise<Outcome> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error;
      const reference = randomText(REFERENCE_CHARACTERS);
      dependencies.log.warning("sign-in with an identity provider refused", {
        reference,
        ...refusalFields(error.refusal),
        provider: providers.has(arrival.provider) ? arrival.provider : "unknown",
        client: arrival.clientAddress,
        request_id: context.requestId,
      });
      return { ok: false, code: error.refusal.code, reference };
    }
  }

  const kept = (name: string, value: string) =>
    cookieText({ name, value, maxAge: ROUND_TRIP_SECONDS, sameSite: "Lax" }, cookies);

  return {
    begin: (context, arrival) =>
      answered(context, arrival, async () => {
        const provider = providerOf(arrival.provider);
        const { config } = provider;
        const configuration = await configurationOf(provider, await metadataOf(provider), null);
        const isKept = arrival.returnPath !== null && arrival.returnPath.length <= LONGEST_RETURN_PATH;
        const state = await roundTrips.write({
          provider: config.id,
          origin: arrival.origin,
          returnPath: isKept ? arrival.returnPath : null,
        });
        const nonce = randomText(NONCE_CHARACTERS);
        const verifier = config.usesPkce ? randomText(VERIFIER_CHARACTERS) : null;
        const { buildAuthorizationUrl } = await import("openid-client");
        const { href } = buildAuthorizationUrl(configuration, {
          redirect_uri: callbackOf(arrival.origin, config).href,
          scope: config.scopes.join(" "),
          state,
          nonce,
          ...(verifier === null ? {} : { code_challenge: challengeOf(verifier), code_challenge_method: "S256" }),
        });
        return {
          ok: true,
          location: href,
          cookies: [
            kept(STATE_COOKIE, state),
            kept(NONCE_COOKIE, nonce),
            ...(verifier === null ? [] : [kept(CODE_VERIFIER_COOKIE, verifier)]),
          ],
        };
      }),

    complete: (context, arrival) =>
      answered(context, arrival, async () => {
        const { query } = arrival;
        const state = query.get("state");
        const stateCookie = findCookie(arrival.cookies, STATE_COOKIE);
        const nonce = findCookie(arrival.cookies, NONCE_COOKIE);
        if (!state || stateCookie === null || nonce === null) {
          throw refusedSignIn(
            "invalid_state",
            "state",
            "state or cookies are missing: the sign-in took too long, or began elsewhere",
          );
        }
        const provider = providerOf(arrival.provider);
        const { config } = provider;
        requireCode(query);
        const trip = await roundTrips.read(state, stateCookie);
        if (trip === null)
          throw refusedSignIn("invalid_state", "state", "the state is not that of the cookie, not ours, or over");
        if (trip.provider !== config.id)
          throw refusedSignIn("invalid_state", "state", "the sign-in began with another provider");
        const location = trip.returnPath === null ? "/" : returnPathOf(trip.returnPath);
        if (location === null) throw refusedSignIn("unsafe_return_url", "state", "the return address leads elsewhere");
        const verifier = findCookie(arrival.cookies, CODE_VERIFIER_COOKIE);
        if (config.usesPkce && verifier === null)
          throw refusedSignIn("auth_failed", "state", "the cookie of PKCE is missing");
        const url = callbackOf(trip.origin, config);
        url.search = query.toString();
        const warn: Warn = (message) =>
          dependencies.log.warning(message, { provider: config.id, request_id: context.requestId });
        const claims = await exchangeCode(provider, { url, state, nonce, verifier }, limits, warn);
        const { identity, rules } = personOf(claims, config, warn);
        const login = await identityLogin.login(context, identity, rules, {
          provider: config.id,
          clientAddress: arrival.clientAddress,
        });
        if (!login.ok) throw accountRefused(login.reason, config, Object.keys(claims));
        return { ok: true, location, cookies: [...login.cookies, ...clearedRoundTripCookies(cookies)] };
      }),

    async listProviders() {
      return Promise.all(
        dependencies.providers.map(async ({ config, isAvailable }) => ({
          name: config.id,
          displayName: config.displayName,
          available: await isAvailable(),
        })),
      );
    },

    has: (provider) => providers.has(provider),
  };
}

/** Throws SignInRefused unless the provider sent a code. */
function requireCode(query: URLSearchParams): void {
  const messages = [query.get("error"), query.get("error_description")].filter((text) => text !== null && text !== "");
  if (messages.length > 0) {
    throw refusedSignIn("auth_failed", "answer", "the provider refused", {
      providerError: shortForLog(messages.join(": ")),
    });
  }
  if (!query.get("code")) throw refusedSignIn("auth_failed", "answer", "the provider sent no code");
}

function refusalFields({ code, step, cause, providerError = null, claimNames }: SignInRefusal) {
  const names = claimNames?.slice(0, MOST_CLAIM_NAMES).join(" ");
  return {
    step,
    code,
    cause: shortForLog(cause),
    ...(providerError === null ? {} : { provider_error: providerError }),
    ...(names === undefined ? {} : { claims: shortForLog(names) }),
  };
}

function callbackOf(origin: string, { id }: IdentityProviderConfig): URL {
  return new URL(`${origin}/oauth2/${id}/tokens`);
}

function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}
