// Part of the composition root: signing in, and who a request comes from. Everything is built with authentication off, too, when
// accounts can be managed but there is no sign-in.
import { randomBytes } from "node:crypto";
import { openPrincipal, type Principal } from "../access/principal.ts";
import type { AuthenticationConfig } from "../config/authentication.ts";
import type { IdentityProviderConfig } from "../config/identity-providers.ts";
import type { LdapConfig } from "../config/ldap.ts";
import type { MailConfig } from "../config/mail.ts";
import type { ServerConfig } from "../config/server.ts";
import type { PrincipalResolver } from "../http/guard.ts";
import { ownPages, ownPagesOf } from "../http/own-pages.ts";
import { resetPageOf } from "../http/reset-page.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Logger } from "../kernel/logger.ts";
import { type ApiKeysService, createApiKeysService } from "../modules/accounts/api-keys/api-keys.service.ts";
import { createApiKeysStore } from "../modules/accounts/api-keys/api-keys.store.ts";
import type { AuthRoutesNeeds } from "../modules/accounts/auth/auth.routes.ts";
import { createIdentityLoginService } from "../modules/accounts/auth/identity-login.service.ts";
import { createDirectoryService } from "../modules/accounts/auth/ldap/directory.service.ts";
import {
  createLdapLoginService,
  type LdapLoginDependencies,
  type LdapLoginService,
} from "../modules/accounts/auth/ldap/ldap-login.service.ts";
import type { ProviderLimits } from "../modules/accounts/auth/openid/provider-requests.service.ts";
import { createPasswordLoginService } from "../modules/accounts/auth/password-login.service.ts";
import { createPasswordResetService } from "../modules/accounts/auth/password-reset.service.ts";
import { createPasswordResetStore } from "../modules/accounts/auth/password-reset.store.ts";
import { createLockOutService } from "../modules/accounts/auth/protection/lock-out.service.ts";
import { createLockOutStore } from "../modules/accounts/auth/protection/lock-out.store.ts";
import { createRateLimitService } from "../modules/accounts/auth/protection/rate-limit.service.ts";
import { createRateLimitStore } from "../modules/accounts/auth/protection/rate-limit.store.ts";
import { createRefusedSignIns, type OnRefusedSignIn } from "../modules/accounts/auth/refused-sign-ins.service.ts";
import { createCredentialsService } from "../modules/accounts/auth/tokens/credentials.service.ts";
import { createExpiredRowsStore } from "../modules/accounts/auth/tokens/expired-rows.store.ts";
import { createLoginsService } from "../modules/accounts/auth/tokens/logins.service.ts";
import { createLoginsStore } from "../modules/accounts/auth/tokens/logins.store.ts";
import { createTokenForm } from "../modules/accounts/auth/tokens/token.rules.ts";
import { createMailService, type MailService } from "../modules/accounts/mail/mail.service.ts";
import { welcomeMail } from "../modules/accounts/mail/mail-texts.rules.ts";
import { createSentNoticesStore } from "../modules/accounts/mail/sent-notices.store.ts";
import { createSmtpSender } from "../modules/accounts/mail/smtp.service.ts";
import {
  createStorageWarningsService,
  type StorageWarningsService,
} from "../modules/accounts/mail/storage-warnings.service.ts";
import { type HashCost, passwordRules } from "../modules/accounts/users/password.rules.ts";
import { retryWhileAway } from "../storage/postgres/retry-while-away.ts";
import type { CallContext, Storage } from "../storage/storage.ts";
import type { SignInOffers } from "../web/start.ts";
import { type Accounts, createAccounts } from "./accounts.ts";
import { createIdentityProviders } from "./identity-providers.ts";

interface SignInsNeeds {
  readonly storage: Storage;
  readonly settings: AuthenticationConfig;
  readonly identityProviders: readonly IdentityProviderConfig[];
  /** Null without a directory. */
  readonly ldap: LdapConfig | null;
  /** Null without a mail server. */
  readonly mail: MailConfig | null;
  readonly server: Pick<
    ServerConfig,
    "rootUrl" | "rootUrlIsSet" | "rootPath" | "trustedOrigins" | "allowedOrigins" | "supportEmail"
  >;
  /** A context of the server itself, for finding out who asks. */
  readonly context: () => CallContext;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onRefused: OnRefusedSignIn;
  /** For tests, which make many passwords. */
  readonly hashCost?: HashCost;
  /** For tests, which do not wait long for a provider that stays silent. */
  readonly providerLimits?: ProviderLimits;
}

export interface SignIns {
  readonly accounts: Accounts;
  readonly apiKeys: ApiKeysService;
  /** Null without a mail server. */
  readonly storageWarnings: StorageWarningsService | null;
  /** What the routes of a sign-in need; null while authentication is off. */
  readonly routes: AuthRoutesNeeds | null;
  /** What the pages offer to visitors who are not signed in; null while authentication is off. */
  readonly offers: SignInOffers | null;
  readonly resolvePrincipal: PrincipalResolver;
  /** By the `authorization` of a gRPC call, where there are no cookies. */
  readonly resolveBearer: (authorization: string | null) => Principal | Promise<Principal>;
  /** Removes what has expired. */
  sweep(): Promise<void>;
}

export function createSignIns(needs: SignInsNeeds): SignIns {
  const { storage, settings, server, context, clock } = needs;
  const log = needs.log.named("auth");
  const mail = createMail(needs);
  // Without a secret nothing is signed; should something be, the key is random.
  const secret = settings.secret ?? randomBytes(32).toString("hex");
  const tokens = createTokenForm(secret);
  const cookies = { path: settings.cookiesPath, secure: settings.secureCookies };
  const loginsStore = createLoginsStore(storage.dialect);
  const apiKeysStore = createApiKeysStore(storage.dialect);
  const credentials = createCredentialsService({
    tokens,
    rows: { AccessToken: loginsStore.findAccessToken, ApiKey: apiKeysStore.findToken },
    adminSecret: settings.adminSecret,
    findSystemUserId: async (asking) => (await accounts.users.findUser(asking, { role: "SYSTEM" }))?.id ?? null,
    clock,
    log,
  });
  const logins = createLoginsService({
    store: loginsStore,
    storage,
    tokens,
    credentials,
    cookies,
    accessTokenMinutes: settings.accessTokenMinutes,
    refreshTokenMinutes: settings.refreshTokenMinutes,
    loginMinutes: settings.loginMinutes,
    clock,
    log,
  });
  const lockOut = createLockOutService(
    createLockOutStore(),
    { disabled: settings.lockOutDisabled, maxFailures: settings.maxFailedLogins },
    { clock, log },
  );
  const refused = createRefusedSignIns(needs.onRefused);
  const rateLimits = refused.ofRates(createRateLimitService(createRateLimitStore(), clock, settings.rateLimitDisabled));
  const accounts = createAccounts({
    storage,
    settings,
    // Called once the change is committed.
    invalidate: credentials.invalidateCommitted,
    async sendWelcome({ email, username }) {
      if (email !== null) await mail?.send(welcomeMail(email, { username, url: server.rootUrl }));
    },
    signIns: { endAll: logins.endAll, guard: lockOut.guard },
    log: needs.log,
    ...(needs.hashCost === undefined ? {} : { hashCost: needs.hashCost }),
  });
  const { users, userChanges } = accounts;
  const expiredRows = createExpiredRowsStore();

  function routesNeeds(): AuthRoutesNeeds {
    const disabled = settings.basicAuthDisabled;
    const identityLogin = createIdentityLoginService({ provisioning: accounts.provisioning, logins, log });
    const passwordReset = createPasswordResetService({
      store: createPasswordResetStore(),
      storage,
      users,
      userChanges,
      logins,
      lockOut,
      tokens,
      mail,
      disabled,
      tokenMinutes: settings.passwordResetTokenMinutes,
      clock,
      log,
      wait: (milliseconds) => Bun.sleep(milliseconds),
    });
    const openid = createIdentityProviders({ ...needs, secret, cookies, identityLogin, rateLimits, log });
    const ldapLogin = createLdapLogin(needs, { lockOut, identityLogin, log });
    return {
      logins,
      passwordLogin: refused.ofPasswords(createPasswordLoginService({ userChanges, lockOut, logins, disabled, log })),
      passwordReset,
      openid: { ...openid, openidLogin: refused.ofProviders(openid.openidLogin) },
      ldapLogin: ldapLogin === null ? null : refused.ofDirectory(ldapLogin),
      rateLimits,
      // With auto-login the login page would sign the person in again.
      signedOutPage: `${server.rootPath}${disabled || autoLoginOf(needs) !== null ? "/logout" : "/login"}`,
      resetPageOf: resetPageOf(server),
      isOwnPage: ownPages(ownPagesOf(server, true)),
      log,
    };
  }

  return {
    accounts,
    storageWarnings: mail === null ? null : createStorageWarnings(mail, accounts, needs),
    apiKeys: createApiKeysService({
      store: apiKeysStore,
      users,
      tokens,
      // Called once the change is committed.
      invalidate: credentials.invalidateCommitted,
      clock,
      log: needs.log.named("api keys"),
    }),
    routes: settings.enabled ? routesNeeds() : null,
    offers: settings.enabled ? offersOf(needs) : null,
    resolvePrincipal({ method, headers }) {
      if (!settings.enabled) return openPrincipal;
      const sent = { authorization: headers.get("authorization"), cookies: headers.get("cookie") };
      const resolve = () => credentials.resolve(context(), sent);
      return method === "GET" || method === "HEAD" ? resolve() : retryWhileAway(resolve);
    },
    resolveBearer: (authorization) =>
      settings.enabled
        ? retryWhileAway(() => credentials.resolve(context(), { authorization, cookies: null }))
        : openPrincipal,
    async sweep() {
      await expiredRows.remove(context(), clock.now());
      await lockOut.sweep(context());
      await rateLimits.sweep(context());
    },
  };
}

function autoLoginOf({ identityProviders }: SignInsNeeds): string | null {
  return identityProviders.find(({ autoLogin }) => autoLogin)?.id ?? null;
}

function offersOf(needs: SignInsNeeds): SignInOffers {
  const { settings, mail } = needs;
  return {
    providers: needs.identityProviders.map(({ id, displayName }) => ({ name: id, displayName })),
    autoLogin: autoLoginOf(needs),
    password: !settings.basicAuthDisabled,
    directory: needs.ldap !== null,
    directoryAccounts: needs.ldap !== null && needs.ldap.attributes.email !== null,
    passwordReset: !settings.basicAuthDisabled && mail !== null,
    passwordRules: passwordRules({ strong: settings.strongPasswords }),
  };
}

function createStorageWarnings(mail: MailService, { users }: Accounts, { server, clock }: SignInsNeeds) {
  return createStorageWarningsService({
    store: createSentNoticesStore(),
    mail,
    listAdministrators: async (context) => (await users.listEverybody(context)).filter(({ role }) => role === "ADMIN"),
    supportEmail: server.supportEmail,
    clock,
  });
}

function createLdapLogin(
  { ldap }: SignInsNeeds,
  shared: Pick<LdapLoginDependencies, "lockOut" | "identityLogin" | "log">,
): LdapLoginService | null {
  if (ldap === null) return null;
  return createLdapLoginService({ ...shared, directory: createDirectoryService({ config: ldap }), settings: ldap });
}

function createMail({ mail, log }: SignInsNeeds): MailService | null {
  return mail === null ? null : createMailService(createSmtpSender(mail), log.named("mail"));
}
