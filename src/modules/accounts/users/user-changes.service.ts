// What changes an account, by an administrator or by its owner, and the check of its password. A new role or password ends the
// sign-ins of the account (docs/protocol/authentication.md#tokens).
import { authorIdOf } from "../../../access/principal.ts";
import type { PersonRole } from "../../../access/roles.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { Logger } from "../../../kernel/logger.ts";
import { duplicateAs } from "../../../storage/duplicate.ts";
import type { CallContext, Storage } from "../../../storage/storage.ts";
import type { PasswordsService } from "./passwords.service.ts";
import { requireUsername } from "./provisioning/account.rules.ts";
import { createAccountLog } from "./provisioning/account-log.service.ts";
import { hasDefaultAdminEmail } from "./provisioning/protected-accounts.rules.ts";
import type { UserRowChanges } from "./user-changes.store.ts";
import {
  currentPasswordRequired,
  currentPasswordWrong,
  defaultAdminRole,
  notAPerson,
  ownRole,
  passwordNotLocal,
  systemUserProtected,
  userNotFound,
  usernameTaken,
  viewerGone,
} from "./users.errors.ts";
import { normalisedEmail, type User } from "./users.schema.ts";
import type { UsersStore } from "./users.store.ts";

/** What the module of sign-ins does for this one. */
export interface AccountSignIns {
  /** Ends every sign-in of the account; joins the transaction of the context. */
  endAll(context: CallContext, userId: number): Promise<void>;
  /** Ends the reset link of the account, which was made for the password before; joins the transaction of the context. */
  endLinks(context: CallContext, userId: number): Promise<void>;
  /** Runs `attempt`, which tells whether a credential was right, and counts failures under the name. Throws kind `rate_limited`
   *  while there were too many. */
  guard<Found>(context: CallContext, name: string, attempt: () => Promise<Found | null>): Promise<Found | null>;
}

interface UserChangesDependencies {
  readonly store: UsersStore;
  readonly storage: Pick<Storage, "transaction">;
  readonly passwords: PasswordsService;
  readonly signIns: AccountSignIns;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What an administrator changes; null leaves it as it is. */
interface UserChanges {
  readonly role: PersonRole | null;
  readonly username: string | null;
  readonly password: string | null;
  /** The server refuses everything else until the password is changed; otherwise only the pages ask for a new one. */
  readonly passwordMustChange?: boolean;
}

/** What people change about themselves; null leaves it as it is. */
interface ViewerChanges {
  readonly username: string | null;
  readonly password: string | null;
  readonly currentPassword: string | null;
}

export interface UserChangesService {
  /** By an administrator. Throws kind `invalid` for what must not change, `conflict` for a name that is taken. */
  changeUser(context: CallContext, id: number, changes: UserChanges): Promise<User>;
  /** By its owner, who has signed in; a new password ends this sign-in too. Throws kind `invalid` for a key. */
  changeViewer(context: CallContext, changes: ViewerChanges): Promise<User>;
  /** The account with this address, in any letter case, and this password, else null; equally slow either way. Renews an
   *  outdated hash. */
  findByPassword(context: CallContext, email: string, password: string): Promise<User | null>;
  /** The hash of a password that may take the place of the one of the account; throws kind `invalid` for another. */
  hashNewPassword(context: CallContext, id: number, password: string): Promise<string>;
  /** Stores a password that its owner chose. Its caller ends the sign-ins. Joins the transaction of the context. */
  setOwnPassword(context: CallContext, id: number, passwordHash: string): Promise<void>;
}

export function createUserChangesService(dependencies: UserChangesDependencies): UserChangesService {
  const { store, storage, passwords, signIns, clock } = dependencies;
  const audit = createAccountLog(dependencies.log);

  /** In one transaction: the row, and the end of its sign-ins when its role or password changes. */
  async function update(context: CallContext, id: number, changes: Omit<UserRowChanges, "nowUs">): Promise<User> {
    const updated = await storage
      .transaction(context, async (inner) => {
        const user = await store.update(inner, id, { ...changes, nowUs: clock.now() });
        if (user !== null && (changes.role !== undefined || changes.password !== undefined)) {
          await signIns.endAll(inner, id);
        }
        if (user !== null && changes.password !== undefined) await signIns.endLinks(inner, id);
        return user;
      })
      .catch(duplicateAs(usernameTaken));
    if (updated === null) throw userNotFound();
    return updated;
  }

  async function hashNewPassword(context: CallContext, id: number, password: string): Promise<string> {
    const stored = await store.findWithPassword(context, { id });
    return passwords.hashAcceptable(password, stored?.passwordHash ?? null);
  }

  async function requireCurrentPassword(context: CallContext, user: User, current: string | null): Promise<void> {
    if (current === null || current === "") throw currentPasswordRequired();
    // A local account has an address; guesses count as they do at the login.
    const name = user.email ?? user.username;
    const accepted = await signIns.guard(context, name, async () => {
      const stored = await store.findWithPassword(context, { id: user.id });
      return (await passwords.check(current, stored?.passwordHash ?? null)).matches || null;
    });
    if (accepted === null) throw currentPasswordWrong();
  }

  return {
    async changeUser(context, id, { role, username, password, passwordMustChange }) {
      const user = await store.find(context, { id });
      if (user === null) throw userNotFound();
      if (user.role === "SYSTEM") throw systemUserProtected();
      if (role !== null) {
        if (hasDefaultAdminEmail(user)) throw defaultAdminRole();
        if (user.id === authorIdOf(context.principal)) throw ownRole();
      }
      if (password !== null && user.authMethod !== "LOCAL") throw passwordNotLocal();
      const newRole = role === user.role ? null : role;
      const updated = await update(context, id, {
        ...(newRole === null ? {} : { role: newRole }),
        ...(username === null ? {} : { username: requireUsername(username) }),
        ...(password === null
          ? {}
          : {
              password: {
                hash: await hashNewPassword(context, id, password),
                change: passwordMustChange ? ("required" as const) : ("asked" as const),
              },
            }),
      });
      if (newRole !== null) audit(context, `role of a user changed to ${newRole}`, id);
      if (password !== null) audit(context, "password of a user set by an administrator", id);
      return updated;
    },

    async changeViewer(context, { username, password, currentPassword }) {
      const { principal } = context;
      if (principal.kind !== "user" || principal.credential !== "login") throw notAPerson();
      const user = await store.find(context, { id: principal.userId });
      if (user === null) throw viewerGone();
      if (password !== null) {
        if (user.authMethod !== "LOCAL") throw passwordNotLocal();
        await requireCurrentPassword(context, user, currentPassword);
      }
      const updated = await update(context, user.id, {
        ...(username === null ? {} : { username: requireUsername(username) }),
        ...(password === null
          ? {}
          : { password: { hash: await hashNewPassword(context, user.id, password), change: "none" as const } }),
      });
      if (password !== null) audit(context, "password changed by its owner", user.id);
      return updated;
    },

    async findByPassword(context, email, password) {
      const stored = await store.findWithPassword(context, { email: normalisedEmail(email) });
      const hash = stored?.passwordHash ?? null;
      const { matches, outdated } = await passwords.check(password, hash);
      if (stored === null || hash === null || !matches) return null;
      if (outdated)
        await store.replaceHash(context, stored.user.id, { from: hash, to: await passwords.hash(password) });
      return stored.user;
    },

    hashNewPassword,

    async setOwnPassword(context, id, passwordHash) {
      await store.update(context, id, { password: { hash: passwordHash, change: "none" }, nowUs: clock.now() });
      await signIns.endLinks(context, id);
    },
  };
}
