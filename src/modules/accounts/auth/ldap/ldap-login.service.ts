// Signing in with the name and password of a directory. Who tries learns nothing but yes or no; the operator's log says why.
import type { LdapConfig } from "../../../../config/ldap.ts";
import type { Logger } from "../../../../kernel/logger.ts";
import { createSemaphore } from "../../../../kernel/semaphore.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { normalisedEmail } from "../../users/users.schema.ts";
import { directoryCredentialsMissing, directoryUnavailable, wrongDirectoryCredentials } from "../auth.errors.ts";
import type { IdentityLoginService } from "../identity-login.service.ts";
import type { LockOutService } from "../protection/lock-out.service.ts";
import type { Cookies } from "../tokens/logins.service.ts";
import type { DirectoryPerson } from "./directory.schema.ts";
import type { DirectoryService } from "./directory.service.ts";

export interface LdapLoginDependencies {
  readonly directory: DirectoryService;
  readonly lockOut: Pick<LockOutService, "guard">;
  readonly identityLogin: IdentityLoginService;
  readonly settings: Pick<LdapConfig, "allowSignUp">;
  readonly log: Logger;
  /** Milliseconds for a whole sign-in, waiting included. */
  readonly limitMs?: number;
}

interface SentCredentials {
  readonly username: string;
  readonly password: string;
  readonly clientAddress: string | null;
}

export interface LdapLoginService {
  /** Texts that are missing are empty. Throws kind `unauthenticated` alike for all that is wrong with the person, `rate_limited` when
   *  locked out, `unavailable` when no server of the directory answers. */
  login(context: CallContext, sent: SentCredentials): Promise<Cookies>;
}

/** A directory is asked by so many at once; others wait. */
const MOST_AT_ONCE = 10;
const LIMIT_MS = 60_000;
/** The directory is not asked for longer ones. */
const LONGEST_USERNAME = 256;
const LONGEST_PASSWORD = 1024;

export function createLdapLoginService(dependencies: LdapLoginDependencies): LdapLoginService {
  const { directory, lockOut, identityLogin, settings, log, limitMs = LIMIT_MS } = dependencies;
  const semaphore = createSemaphore(MOST_AT_ONCE);

  /** Null when the directory has no user with this name and password, or has no role for them. */
  async function check(context: CallContext, { username, password, clientAddress }: SentCredentials) {
    const about = { method: "ldap", client: clientAddress, request_id: context.requestId };
    const refuse = (facts: Record<string, string | number>) => {
      log.warning("sign-in refused", { ...about, ...facts });
      return null;
    };
    if (username.length > LONGEST_USERNAME) return refuse({ step: "input", reason: "username_too_long" });
    if (password.length > LONGEST_PASSWORD) return refuse({ step: "input", reason: "password_too_long" });
    const signal = AbortSignal.timeout(limitMs);
    const trail = {
      done() {},
      trouble: (server: string, { step, reason }: { readonly step: string; readonly reason: string }) =>
        log.warning("a server of the directory did not do its part", { ...about, server, step, reason }),
    };
    const answer = await semaphore
      .take(signal, () => directory.ask({ username, password }, trail, signal))
      .catch((error) => {
        if (signal.aborted) return { kind: "unavailable" } as const;
        throw error;
      });
    if (answer.kind === "unavailable") {
      log.error("no server of the directory answered: nobody can sign in by it", about);
      throw directoryUnavailable();
    }
    return answer.kind === "known"
      ? answer.person
      : refuse({ step: answer.step, reason: answer.reason, ...answer.facts });
  }

  return {
    async login(context, sent) {
      const username = sent.username.trim();
      // Many directories take an empty password for no password, and let everybody in.
      if (username === "" || sent.password === "") throw directoryCredentialsMissing();
      const person = await lockOut.guard(context, username, () => check(context, { ...sent, username }));
      if (person === null) throw wrongDirectoryCredentials();
      const { clientAddress } = sent;
      const login = await identityLogin.login(
        context,
        identityOf(person, username),
        { allowsSignUp: settings.allowSignUp, role: person.role, resynchronisesRole: true },
        { provider: "ldap", clientAddress },
      );
      if (login.ok) return login.cookies;
      const about = { method: "ldap", client: clientAddress, request_id: context.requestId };
      log.warning("sign-in refused", { ...about, step: "account", reason: login.reason });
      throw wrongDirectoryCredentials();
    },
  };
}

function identityOf({ uniqueId, email, displayName }: DirectoryPerson, username: string) {
  return {
    method: "LDAP",
    uniqueId,
    email: email === null ? null : normalisedEmail(email),
    names: [...(displayName === null ? [] : [displayName]), username],
  } as const;
}
