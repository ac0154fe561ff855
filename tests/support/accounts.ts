// The services of accounts over a fresh database, with what surrounds them standing by: sign-ins are rows, mails are noted.

import type { Principal } from "../../src/access/principal.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { createPasswordResetStore } from "../../src/modules/accounts/auth/password-reset.store.ts";
import { type HashCost, passwordPolicy } from "../../src/modules/accounts/users/password.rules.ts";
import { createPasswordsService, type PasswordsService } from "../../src/modules/accounts/users/passwords.service.ts";
import {
  createProvisioningService,
  type ProvisioningService,
} from "../../src/modules/accounts/users/provisioning/provisioning.service.ts";
import {
  createSeedAccountsService,
  type SeedAccountsService,
} from "../../src/modules/accounts/users/provisioning/seed-accounts.service.ts";
import {
  createUserChangesService,
  type UserChangesService,
} from "../../src/modules/accounts/users/user-changes.service.ts";
import type { User } from "../../src/modules/accounts/users/users.schema.ts";
import {
  createUsersService,
  type UsersService,
  type WantedUser,
} from "../../src/modules/accounts/users/users.service.ts";
import { createUsersStore, type UsersStore } from "../../src/modules/accounts/users/users.store.ts";
import type { CallContext } from "../../src/storage/storage.ts";
import { openTestStorage, type TestStorage } from "./storage.ts";

/** So that tests with many passwords are quick; what they cost in earnest is tested by itself. */
export const CHEAP: HashCost = { memoryCost: 64, timeCost: 1 };

export interface TestAccountsOptions {
  readonly strongPasswords?: boolean;
  readonly basicAuthDisabled?: boolean;
  readonly initialAdminPassword?: string | null;
  /** False: authentication is off. */
  readonly enabled?: boolean;
  readonly admins?: readonly { readonly username: string; readonly email: string }[];
}

export interface TestAccounts {
  readonly users: UsersService;
  readonly changes: UserChangesService;
  readonly seeds: SeedAccountsService;
  readonly passwords: PasswordsService;
  readonly provisioning: ProvisioningService;
  readonly store: UsersStore;
  /** Accounts whose cached tokens were invalidated. */
  readonly invalidated: number[];
  readonly welcomed: User[];
  /** Names under which a wrong password was counted. */
  readonly failures: string[];
  readonly lines: string[];
  context(principal?: Principal): CallContext;
}

/** Services over a store that is open already; several of them stand for several servers. */
export function accountsOver(stored: TestStorage, options: TestAccountsOptions = {}): TestAccounts {
  const { storage } = stored;
  const store = createUsersStore(storage.dialect);
  const passwords = createPasswordsService(passwordPolicy({ strong: options.strongPasswords ?? false }), CHEAP);
  const invalidated: number[] = [];
  const welcomed: User[] = [];
  const failures: string[] = [];
  const lines: string[] = [];
  const log = createLogger({ level: "info", mode: "default", write: (line) => lines.push(line) });
  const common = { store, storage, passwords, clock: systemClock, log };
  const basicAuthDisabled = options.basicAuthDisabled ?? false;
  return {
    store,
    passwords,
    invalidated,
    welcomed,
    failures,
    lines,
    provisioning: createProvisioningService({ ...common, invalidate: (userId) => void invalidated.push(userId) }),
    users: createUsersService({
      ...common,
      basicAuthDisabled,
      admins: options.admins ?? [],
      invalidate: (userId) => void invalidated.push(userId),
      sendWelcome: async (user) => void welcomed.push(user),
    }),
    changes: createUserChangesService({
      ...common,
      signIns: {
        async endAll(context, userId) {
          await context.database.write(context).deleteFrom("refresh_tokens").where("user_id", "=", userId).execute();
          invalidated.push(userId);
        },
        endLinks: createPasswordResetStore().removeOfUser,
        async guard(_context, name, attempt) {
          const found = await attempt();
          if (found === null) failures.push(name);
          return found;
        },
      },
    }),
    seeds: createSeedAccountsService({
      ...common,
      adminMethod: basicAuthDisabled ? "OAUTH2" : "LOCAL",
      initialAdminPassword: options.initialAdminPassword ?? null,
      enabled: options.enabled ?? true,
      admins: options.admins ?? [],
    }),
    context: (principal) => ({ ...stored.context(), ...(principal === undefined ? {} : { principal }) }),
  };
}

export async function openTestAccounts(
  url: string,
  options: TestAccountsOptions = {},
): Promise<{ readonly stored: TestStorage; readonly accounts: TestAccounts }> {
  const stored = await openTestStorage(url);
  return { stored, accounts: accountsOver(stored, options) };
}

/** A local member by default. */
export function wanted(changes: Partial<WantedUser> = {}): WantedUser {
  return {
    authMethod: "LOCAL",
    email: "ann@example.com",
    username: "Ann",
    role: "MEMBER",
    password: "abcd",
    passwordOptional: false,
    sendWelcome: false,
    ...changes,
  };
}

/** A sign-in, a reset link and an API key of the account. */
export async function insertCredentials(context: CallContext, userId: number): Promise<void> {
  const database = context.database.write(context);
  const row = { user_id: userId, random_hash: new Uint8Array([1]), created_us: 1, expires_us: 2 };
  const { id } = await database.insertInto("refresh_tokens").values(row).returning("id").executeTakeFirstOrThrow();
  await database
    .insertInto("access_tokens")
    .values({ ...row, refresh_token_id: id })
    .execute();
  await database.insertInto("password_reset_tokens").values(row).execute();
  await database
    .insertInto("api_keys")
    .values({ ...row, name: "key", created_by_user_id: userId, description: null })
    .execute();
}

/** Rows of credentials by table, for one account or all. */
export async function countCredentials(context: CallContext, userId?: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of ["refresh_tokens", "access_tokens", "password_reset_tokens", "api_keys"] as const) {
    let query = context.database.read(context, "short").selectFrom(table).select("id");
    if (userId !== undefined) query = query.where("user_id", "=", userId);
    counts[table] = (await query.execute()).length;
  }
  return counts;
}
