// Part of the composition root: the services of accounts, which signing in and the command line need as well as the API.
import type { AuthenticationConfig } from "../config/authentication.ts";
import { systemClock } from "../kernel/clock.ts";
import type { Logger } from "../kernel/logger.ts";
import { createPasswordResetStore } from "../modules/accounts/auth/password-reset.store.ts";
import { createLoginsStore } from "../modules/accounts/auth/tokens/logins.store.ts";
import { type HashCost, passwordPolicy } from "../modules/accounts/users/password.rules.ts";
import { createPasswordsService, type PasswordsService } from "../modules/accounts/users/passwords.service.ts";
import {
  createProvisioningService,
  type ProvisioningService,
} from "../modules/accounts/users/provisioning/provisioning.service.ts";
import {
  createSeedAccountsService,
  type SeedAccountsService,
} from "../modules/accounts/users/provisioning/seed-accounts.service.ts";
import {
  type AccountSignIns,
  createUserChangesService,
  type UserChangesService,
} from "../modules/accounts/users/user-changes.service.ts";
import {
  createUsersService,
  type UsersDependencies,
  type UsersService,
} from "../modules/accounts/users/users.service.ts";
import { createUsersStore } from "../modules/accounts/users/users.store.ts";
import type { Storage } from "../storage/storage.ts";

interface AccountsNeeds extends Partial<Pick<UsersDependencies, "invalidate" | "sendWelcome">> {
  readonly storage: Storage;
  readonly settings: Pick<
    AuthenticationConfig,
    "enabled" | "strongPasswords" | "basicAuthDisabled" | "adminMethod" | "initialAdminPassword" | "admins"
  >;
  /** Without it (authentication is off, or a command runs) sign-ins still end, and there is no lock-out. */
  readonly signIns?: Pick<AccountSignIns, "endAll" | "guard">;
  readonly log: Logger;
  /** For tests, which make many passwords. */
  readonly hashCost?: HashCost;
}

export interface Accounts {
  readonly users: UsersService;
  readonly userChanges: UserChangesService;
  readonly passwords: PasswordsService;
  readonly seeds: SeedAccountsService;
  readonly provisioning: ProvisioningService;
}

export function createAccounts({ storage, settings, ...needs }: AccountsNeeds): Accounts {
  const store = createUsersStore(storage.dialect);
  const passwords = createPasswordsService(passwordPolicy({ strong: settings.strongPasswords }), needs.hashCost);
  const common = { store, storage, passwords, clock: systemClock, log: needs.log.named("users"), ...settings };
  const signIns: AccountSignIns = {
    endLinks: createPasswordResetStore().removeOfUser,
    ...(needs.signIns ?? {
      endAll: createLoginsStore(storage.dialect).removeOfUser,
      guard: (_context, _name, attempt) => attempt(),
    }),
  };
  const invalidate = needs.invalidate ?? (() => {});
  return {
    passwords,
    provisioning: createProvisioningService({ ...common, invalidate }),
    users: createUsersService({
      ...common,
      invalidate,
      sendWelcome: needs.sendWelcome ?? (async () => {}),
    }),
    userChanges: createUserChangesService({ ...common, signIns }),
    seeds: createSeedAccountsService(common),
  };
}
