// The accounts that exist from the start (docs/protocol/authentication.md#accounts). Made at every start unless they are there,
// by whichever of several servers comes first; never changed afterwards.
import type { AuthMethod } from "../../../../access/roles.ts";
import type { Clock } from "../../../../kernel/clock.ts";
import type { Logger } from "../../../../kernel/logger.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import { DOCUMENTED_PASSWORD, PENDING_PASSWORD, unknowablePasswordHash } from "../password.rules.ts";
import type { PasswordsService } from "../passwords.service.ts";
import { defaultAdmin, type NewUser, systemAccount } from "../users.schema.ts";
import type { UsersStore } from "../users.store.ts";

interface SeedAccountsDependencies {
  readonly store: UsersStore;
  readonly passwords: PasswordsService;
  readonly clock: Clock;
  readonly log: Logger;
  /** SERVICE_DEFAULT_ADMIN_INITIAL_PASSWORD; null when it is not set. */
  readonly initialAdminPassword: string | null;
  /** SERVICE_ADMINS, addresses lower-cased. */
  readonly admins: readonly { readonly username: string; readonly email: string }[];
  /** How configured administrators sign in. */
  readonly adminMethod: AuthMethod;
  /** SERVICE_ENABLE_AUTH. Without it there is no sign-in, and a start need not wait for a hash. */
  readonly enabled: boolean;
}

export interface SeedAccountsService {
  /** Makes the system account, an administrator if there is none, and those of SERVICE_ADMINS. Warns while everybody can sign in
   *  as the default administrator. */
  ensureSeedAccounts(context: CallContext): Promise<void>;
}

export function createSeedAccountsService(dependencies: SeedAccountsDependencies): SeedAccountsService {
  const { store, passwords, clock, log, initialAdminPassword, adminMethod, enabled } = dependencies;
  /** False when another server, or another account, has the name or the address. */
  const made = async (context: CallContext, user: NewUser) =>
    (await store.insert(context, { ...user, nowUs: clock.now() })) !== null;

  async function ensureSystemAccount(context: CallContext): Promise<void> {
    if ((await store.find(context, { role: "SYSTEM" })) !== null) return;
    const wasMade = await made(context, {
      ...systemAccount,
      role: "SYSTEM",
      authMethod: "LOCAL",
      passwordHash: unknowablePasswordHash(),
      passwordChange: "none",
    });
    if (!wasMade && (await store.find(context, { role: "SYSTEM" })) === null) {
      log.warning("the system account could not be made: another account has its name or address");
    }
  }

  const hashInitialPassword = () => passwords.hash(initialAdminPassword ?? DOCUMENTED_PASSWORD);
  const initialPasswordChange = initialAdminPassword === null ? "required" : "asked";

  /** Of an administrator made while authentication was off. */
  async function ensureInitialPassword(context: CallContext): Promise<void> {
    const found = await store.findWithPassword(context, { email: defaultAdmin.email });
    if (found?.passwordHash !== PENDING_PASSWORD) return;
    const hashes = { from: PENDING_PASSWORD, to: await hashInitialPassword(), change: initialPasswordChange } as const;
    await store.replaceHash(context, found.user.id, hashes);
  }

  async function ensureAdministrator(context: CallContext): Promise<void> {
    if (await store.hasAdministrator(context)) return;
    const { items: people } = await store.list(context, { sort: "email", order: "asc", start: null, limit: 1 });
    const isFirstStart = people.length === 0;
    const wasMade = await made(context, {
      ...defaultAdmin,
      role: "ADMIN",
      authMethod: "LOCAL",
      passwordHash: enabled ? await hashInitialPassword() : PENDING_PASSWORD,
      passwordChange: initialPasswordChange,
    });
    if (wasMade && !isFirstStart) {
      log.warning(
        `no account was an administrator: ${defaultAdmin.email} was created again, with its initial password`,
      );
    }
    if (!wasMade && !(await store.hasAdministrator(context))) {
      log.warning(
        `there is no administrator, and another account has the name ${defaultAdmin.username}: spanlight users create-admin makes one`,
      );
    }
  }

  async function warnOfDocumentedPassword(context: CallContext): Promise<void> {
    const found = await store.findWithPassword(context, { email: defaultAdmin.email });
    const { matches } = await passwords.check(DOCUMENTED_PASSWORD, found?.passwordHash ?? null);
    if (matches) {
      log.warning(
        `${defaultAdmin.email} still has the password that the documentation names: sign in and choose another one`,
      );
    }
  }

  async function ensureConfigured(context: CallContext): Promise<void> {
    for (const { username, email } of dependencies.admins) {
      const exists =
        (await store.find(context, { email })) !== null || (await store.find(context, { username })) !== null;
      if (exists) continue;
      const common = { username, email, role: "ADMIN" } as const;
      const wasMade = await made(
        context,
        adminMethod !== "LOCAL"
          ? { ...common, authMethod: adminMethod, passwordHash: null, passwordChange: "none" }
          : {
              ...common,
              authMethod: "LOCAL",
              passwordHash: unknowablePasswordHash(),
              passwordChange: "required",
            },
      );
      if (wasMade) log.info("an administrator of SERVICE_ADMINS was made", { email });
    }
  }

  return {
    async ensureSeedAccounts(context) {
      await ensureSystemAccount(context);
      await ensureAdministrator(context);
      if (enabled) await ensureInitialPassword(context);
      await ensureConfigured(context);
      if (enabled && adminMethod === "LOCAL") await warnOfDocumentedPassword(context);
    },
  };
}
