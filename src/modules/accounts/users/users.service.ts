// The use cases of accounts. Who may call them is decided by the policy before; which account may be touched, and how, here.
import { authorIdOf } from "../../../access/principal.ts";
import type { AuthMethod, PersonRole } from "../../../access/roles.ts";
import type { Clock } from "../../../kernel/clock.ts";
import {
  ARRIVAL,
  arrivalCursors,
  type Page,
  type PlacedPage,
  type RestRequest,
  requestedPage,
  type SortedRequest,
  wholeList,
} from "../../../kernel/list.ts";
import type { Logger } from "../../../kernel/logger.ts";
import type { CallContext, Storage } from "../../../storage/storage.ts";
import { unknowablePasswordHash } from "./password.rules.ts";
import type { PasswordsService } from "./passwords.service.ts";
import { requireEmail, requireUsername } from "./provisioning/account.rules.ts";
import { createAccountLog } from "./provisioning/account-log.service.ts";
import { isDefaultAdmin, isReserved } from "./provisioning/protected-accounts.rules.ts";
import {
  accountConflict,
  defaultAdminProtected,
  emailTaken,
  invalidUsersCursor,
  localAccountsDisabled,
  passwordForeign,
  passwordRequired,
  reservedUser,
  someUsersNotFound,
  userNotFound,
  usernameTaken,
  viewerGone,
} from "./users.errors.ts";
import { type NewUser, USER, type User } from "./users.schema.ts";
import type { UserKey, UsersStore } from "./users.store.ts";

/** Most users of one page over REST, also when a larger limit was sent. */
const MAX_USERS_OF_PAGE = 1000;

export interface UsersDependencies {
  readonly store: UsersStore;
  readonly storage: Pick<Storage, "transaction">;
  readonly passwords: PasswordsService;
  /** From now on this server reads again what it knows of the account's tokens and keys. */
  readonly invalidate: (userId: number) => void;
  /** Hands a welcome to the mail server before it resolves; never fails, and does nothing without one. */
  readonly sendWelcome: (user: User) => Promise<void>;
  readonly clock: Clock;
  readonly log: Logger;
  /** SERVICE_DISABLE_BASIC_AUTH. */
  readonly basicAuthDisabled: boolean;
  /** SERVICE_ADMINS, addresses lower-cased. */
  readonly admins: readonly { readonly email: string }[];
}

/** An account as an administrator asks for it: texts as sent. */
export interface WantedUser {
  readonly authMethod: AuthMethod;
  readonly email: string;
  readonly username: string;
  readonly role: PersonRole;
  /** Null and empty count as absent. */
  readonly password: string | null;
  /** The server refuses everything else until the password is changed; otherwise only the pages ask for a new one. */
  readonly passwordMustChange?: boolean;
  /** Whether a local account may be created without a password: the user then sets one by a reset mail. */
  readonly passwordOptional: boolean;
  readonly oauth2ClientId?: string | null;
  readonly oauth2UserId?: string | null;
  readonly sendWelcome: boolean;
}

export interface UsersService {
  /** Newest first, the SYSTEM account included. Throws kind `invalid` for a malformed cursor. */
  listUsers(context: CallContext, page: RestRequest): Promise<Page<User>>;
  /** Everybody but the SYSTEM account, by address; those without one last. */
  listPeople(context: CallContext, request: SortedRequest<"email">): Promise<PlacedPage<User>>;
  /** All of them. */
  listEverybody(context: CallContext): Promise<User[]>;
  findUser(context: CallContext, key: UserKey): Promise<User | null>;
  /** By row id. */
  findUsers(context: CallContext, ids: readonly number[]): Promise<Map<number, User>>;
  /** The account of the caller; null while authentication is off. Throws kind `unauthenticated` when it is gone. */
  findViewer(context: CallContext): Promise<User | null>;
  /** Throws kind `invalid`, `forbidden` (local accounts while basic auth is disabled) or `conflict`. */
  createUser(context: CallContext, wanted: WantedUser): Promise<User>;
  /** Whether the account has an address of SERVICE_ADMINS. */
  isConfiguredAdmin(user: User): boolean;
  /** All or none. Throws kind `conflict` for the default admin, `not_found` for unknown ones and the SYSTEM account. */
  deleteUsers(context: CallContext, ids: readonly number[]): Promise<void>;
  /** One, with the rule of REST: reserved names and addresses are kind `forbidden`. */
  deleteUser(context: CallContext, id: number): Promise<void>;
}

export function createUsersService(dependencies: UsersDependencies): UsersService {
  const { store, storage, passwords, clock } = dependencies;
  const audit = createAccountLog(dependencies.log);

  /** Which of the unique values of the account is taken. */
  async function conflictOf(context: CallContext, user: NewUser) {
    if ((await store.find(context, { username: user.username })) !== null) return usernameTaken();
    if (user.email !== null && (await store.find(context, { email: user.email })) !== null) return emailTaken();
    return accountConflict();
  }

  /** Whether the password goes with the way of signing in. */
  function requireFitting({ authMethod, password, passwordOptional }: WantedUser): void {
    if (authMethod !== "LOCAL") {
      if (password) throw passwordForeign(authMethod);
    } else if (dependencies.basicAuthDisabled) throw localAccountsDisabled();
    else if (!password && !passwordOptional) throw passwordRequired();
  }

  async function remove(
    context: CallContext,
    ids: readonly number[],
    require: (users: readonly User[]) => void,
  ): Promise<void> {
    await storage.transaction(context, async (inner) => {
      require(await store.findAll(inner, ids));
      // Another request may have deleted one of them since: then none is deleted here.
      if ((await store.remove(inner, ids)).length < ids.length) throw someUsersNotFound();
    });
    for (const id of ids) {
      dependencies.invalidate(id);
      audit(context, "user deleted", id);
    }
  }

  return {
    async listUsers(context, page) {
      return store.list(context, { ...pageOf(page), sort: ARRIVAL, order: "desc" });
    },

    listPeople: store.list,
    listEverybody: (context) =>
      wholeList((request) => store.list(context, { ...request, sort: "email", order: "asc" })),

    findUser: (context, key) => store.find(context, key),

    async findUsers(context, ids) {
      const found = await store.findAll(context, ids);
      return new Map(found.map((user) => [user.id, user]));
    },

    async findViewer(context) {
      const id = authorIdOf(context.principal);
      if (id === null) return null;
      const user = await store.find(context, { id });
      if (user === null) throw viewerGone();
      return user;
    },

    isConfiguredAdmin: ({ email }) => dependencies.admins.some((admin) => admin.email === email),

    async createUser(context, wanted) {
      const { role, authMethod, password } = wanted;
      const isOauth2 = authMethod === "OAUTH2";
      requireFitting(wanted);
      const user: NewUser = {
        role,
        authMethod,
        username: requireUsername(wanted.username),
        email: requireEmail(wanted.email),
        ...(authMethod === "LOCAL"
          ? {
              passwordHash: password ? await passwords.hashAcceptable(password, null) : unknowablePasswordHash(),
              passwordChange: wanted.passwordMustChange ? "required" : "asked",
            }
          : { passwordHash: null, passwordChange: "none" }),
        oauth2ClientId: (isOauth2 && wanted.oauth2ClientId) || null,
        oauth2UserId: (isOauth2 && wanted.oauth2UserId) || null,
      };
      const made = await store.insert(context, { ...user, nowUs: clock.now() });
      if (made === null) throw await conflictOf(context, user);
      audit(context, "user created", made.id);
      if (wanted.sendWelcome) await dependencies.sendWelcome(made);
      return made;
    },

    async deleteUsers(context, ids) {
      const different = [...new Set(ids)];
      await remove(context, different, (users) => {
        if (users.some(isDefaultAdmin)) throw defaultAdminProtected();
        const people = users.filter(({ role }) => role !== "SYSTEM");
        if (people.length < different.length) throw someUsersNotFound();
      });
    },

    async deleteUser(context, id) {
      await remove(context, [id], ([user]) => {
        if (user === undefined) throw userNotFound();
        if (isReserved(user) || user.role === "SYSTEM") throw reservedUser();
      });
    },
  };
}

function pageOf(page: RestRequest) {
  try {
    return requestedPage(arrivalCursors(USER), page, MAX_USERS_OF_PAGE);
  } catch {
    throw invalidUsersCursor(page.cursor ?? "");
  }
}
