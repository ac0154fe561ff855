// Accounts that cannot be deleted. The pages use these rules, too.
import { defaultAdmin, systemAccount, type User } from "../users.schema.ts";

/** The one administrator that an installation always has: recognised by its address, under any name. */
export function hasDefaultAdminEmail({ email }: Pick<User, "email">): boolean {
  return email === defaultAdmin.email;
}

export function isDefaultAdmin({ role, username, email }: Pick<User, "role" | "username" | "email">): boolean {
  return role === "ADMIN" && username === defaultAdmin.username && email === defaultAdmin.email;
}

const reservedUsernames: readonly string[] = [defaultAdmin.username, systemAccount.username];
const reservedEmails: readonly (string | null)[] = [defaultAdmin.email, systemAccount.email];

/** Name or address of one of the accounts that exist from the start. */
export function isReserved({ username, email }: Pick<User, "username" | "email">): boolean {
  return reservedUsernames.includes(username) || reservedEmails.includes(email);
}
