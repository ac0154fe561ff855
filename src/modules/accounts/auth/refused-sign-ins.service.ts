// Tells of sign-ins that are refused, whichever way they were tried, for the metrics.
import { Failure } from "../../../kernel/failure.ts";
import type { LdapLoginService } from "./ldap/ldap-login.service.ts";
import type { OpenidLoginService } from "./openid/openid-login.service.ts";
import type { PasswordLoginService } from "./password-login.service.ts";
import type { RateLimitService } from "./protection/rate-limit.service.ts";

/** What was refused: a password, a person by the directory or by an identity provider; `locked`: a name after too many failures;
 *  `rate`: an address that asked too often. */
export const refusedSignIns = ["password", "directory", "provider", "locked", "rate"] as const;
type RefusedSignIn = (typeof refusedSignIns)[number];
export type OnRefusedSignIn = (what: RefusedSignIn) => void;

/** Wraps the services of signing in so that their refusals are reported. */
export function createRefusedSignIns(onRefused: OnRefusedSignIn) {
  async function telling<Result>(what: RefusedSignIn, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Failure && error.kind === "unauthenticated") onRefused(what);
      if (error instanceof Failure && error.kind === "rate_limited") onRefused("locked");
      throw error;
    }
  }

  return {
    ofPasswords: ({ login }: PasswordLoginService): PasswordLoginService => ({
      login: (context, sent) => telling("password", () => login(context, sent)),
    }),
    ofDirectory: ({ login }: LdapLoginService): LdapLoginService => ({
      login: (context, sent) => telling("directory", () => login(context, sent)),
    }),
    ofProviders: (logins: OpenidLoginService): OpenidLoginService => ({
      ...logins,
      async complete(context, arrival) {
        const outcome = await logins.complete(context, arrival);
        if (!outcome.ok) onRefused("provider");
        return outcome;
      },
    }),
    ofRates: (rates: RateLimitService): RateLimitService => ({
      ...rates,
      async take(context, limit, clientAddress) {
        try {
          await rates.take(context, limit, clientAddress);
        } catch (error) {
          if (error instanceof Failure && error.kind === "rate_limited") onRefused("rate");
          throw error;
        }
      },
    }),
  };
}
