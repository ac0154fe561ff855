// Signing in with an e-mail address and a password.
import type { Logger } from "../../../kernel/logger.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { UserChangesService } from "../users/user-changes.service.ts";
import { normalisedEmail } from "../users/users.schema.ts";
import { basicAuthDisabled, credentialsMissing, wrongCredentials } from "./auth.errors.ts";
import type { LockOutService } from "./protection/lock-out.service.ts";
import type { Cookies, LoginsService } from "./tokens/logins.service.ts";

export interface PasswordLoginDependencies {
  readonly userChanges: UserChangesService;
  readonly lockOut: LockOutService;
  readonly logins: LoginsService;
  /** SERVICE_DISABLE_BASIC_AUTH. */
  readonly disabled: boolean;
  readonly log: Logger;
}

interface SentPassword {
  readonly email: string;
  readonly password: string;
  readonly clientAddress: string | null;
}

export interface PasswordLoginService {
  /** Texts that are missing are empty; `clientAddress` is for the log. Throws kind `unauthenticated` alike for all that is wrong, `rate_limited` when locked out,
   *  `forbidden` when passwords are switched off. */
  login(context: CallContext, sent: SentPassword): Promise<Cookies>;
}

export function createPasswordLoginService(dependencies: PasswordLoginDependencies): PasswordLoginService {
  const { userChanges, lockOut, logins, disabled, log } = dependencies;
  return {
    async login(context, { email, password, clientAddress }) {
      if (disabled) throw basicAuthDisabled();
      if (email.trim() === "" || password === "") throw credentialsMissing();
      const address = normalisedEmail(email);
      const account = await lockOut.guard(context, address, () =>
        userChanges.findByPassword(context, address, password),
      );
      const cookies = account === null ? null : await logins.begin(context, account);
      if (account === null || cookies === null) {
        log.info("sign-in refused", { method: "password", client: clientAddress, request_id: context.requestId });
        throw wrongCredentials();
      }
      const by = { user_id: account.id, client: clientAddress, request_id: context.requestId };
      log.info("signed in", { method: "password", ...by });
      return cookies;
    },
  };
}
