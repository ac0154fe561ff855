// Signing in with an identity that a provider of OpenID Connect or a directory vouches for: the account is found or made, and the
// sign-in is issued as any other. What was checked before is for the two ways of signing in.
import type { Logger } from "../../../kernel/logger.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type {
  ProvisioningRefusal,
  ProvisioningRules,
  VerifiedIdentity,
} from "../users/provisioning/identity.schema.ts";
import type { ProvisioningService } from "../users/provisioning/provisioning.service.ts";
import type { Cookies, LoginsService } from "./tokens/logins.service.ts";

interface IdentityLoginDependencies {
  readonly provisioning: ProvisioningService;
  readonly logins: LoginsService;
  readonly log: Logger;
}

/** For the log alone. */
interface SignInTrail {
  /** The provider's id, or `ldap`. */
  readonly provider: string;
  readonly clientAddress: string | null;
}

type IdentityLogin =
  | { readonly ok: true; readonly cookies: Cookies }
  | { readonly ok: false; readonly reason: ProvisioningRefusal };

export interface IdentityLoginService {
  /** Signs the owner of the identity in. Its caller logs a refusal, with what it knows of the cause. */
  login(
    context: CallContext,
    identity: VerifiedIdentity,
    rules: ProvisioningRules,
    trail: SignInTrail,
  ): Promise<IdentityLogin>;
}

/** Another sign-in of the same person may change the account between finding it and issuing. */
const ATTEMPTS = 3;

export function createIdentityLoginService(dependencies: IdentityLoginDependencies): IdentityLoginService {
  const { provisioning, logins, log } = dependencies;
  return {
    async login(context, identity, rules, { provider, clientAddress }) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const provisioned = await provisioning.provision(context, identity, rules);
        if (!provisioned.ok) return provisioned;
        const { account } = provisioned;
        const cookies = await logins.begin(context, account);
        if (cookies === null) continue;
        const by = { user_id: account.id, client: clientAddress, request_id: context.requestId };
        log.info("signed in", { method: identity.method, provider, ...by });
        return { ok: true, cookies };
      }
      return { ok: false, reason: "account_changing" };
    },
  };
}
