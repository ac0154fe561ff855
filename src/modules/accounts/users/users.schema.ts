// Users: the record that services hand around. (Bodies of the API are in user-bodies.schema.ts, the row is the store's.)
import type { AuthMethod, PasswordChange, UserRole } from "../../../access/roles.ts";
import { globalId, type TypeWord } from "../../../kernel/ids.ts";

/** Type words of global ids. */
export const USER: TypeWord<User> = "User";
export const USER_ROLE: TypeWord<RoleNode> = "UserRole";

/** A role under the number of its global id. */
export interface RoleNode {
  readonly id: number;
  readonly name: UserRole;
}

/** Never carries a password or its hash. */
export interface User {
  readonly id: number;
  readonly role: UserRole;
  readonly authMethod: AuthMethod;
  readonly username: string;
  /** Trimmed and lower-cased; null only for accounts of a directory without addresses. */
  readonly email: string | null;
  readonly profilePictureUrl: string | null;
  readonly passwordChange: PasswordChange;
  readonly oauth2ClientId: string | null;
  readonly oauth2UserId: string | null;
  readonly ldapUniqueId: string | null;
  /** Microseconds UTC. */
  readonly createdUs: number;
  readonly updatedUs: number;
}

/** The accounts that exist from the start. */
export const systemAccount = { username: "system", email: "system@localhost" } as const;
export const defaultAdmin = { username: "admin", email: "admin@localhost" } as const;

export function userGlobalId(id: number): string {
  return globalId(USER, id);
}

/** The form in which addresses are stored and compared. */
export function normalisedEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** A new account, its address normalised and everything checked. */
export interface NewUser {
  readonly role: UserRole;
  readonly authMethod: AuthMethod;
  readonly username: string;
  /** Null only for accounts of a directory, with a unique id. */
  readonly email: string | null;
  /** PHC string; null exactly when the method is not LOCAL. */
  readonly passwordHash: string | null;
  readonly passwordChange: PasswordChange;
  readonly oauth2ClientId?: string | null;
  readonly oauth2UserId?: string | null;
  readonly ldapUniqueId?: string | null;
  readonly profilePictureUrl?: string | null;
}
