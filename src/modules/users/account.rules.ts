// What names and addresses of accounts may look like, and which accounts are protected (`auth.md` 6.1, 6.3, 6.6).
import { storableText } from "../../kernel/validation.ts";
import { invalidEmail, invalidUsername } from "./users.errors.ts";
import { defaultAdmin, normalisedEmail, systemAccount, type User } from "./users.schema.ts";

const EMAIL = /^[^@\s\p{Cc}]+@[^@\s\p{Cc}]+\.[^@\s\p{Cc}]+$/u;
/** The longest address that mail can be sent to. */
const MAX_EMAIL_CHARACTERS = 320;
/** Names stand in indexes, whose entries are bounded. */
export const MAX_USERNAME_CHARACTERS = 256;

/** The address in the form it is stored in. Throws kind `invalid` unless it looks like `x@y.z`. */
export function requireEmail(text: string): string {
  const email = normalisedEmail(storableText(text));
  if (email.length > MAX_EMAIL_CHARACTERS || !EMAIL.test(email)) throw invalidEmail();
  return email;
}

/** The name without blanks around it; letter case is kept and counts. Throws kind `invalid`. */
export function requireUsername(text: string): string {
  const username = storableText(text).trim();
  if (username === "") throw invalidUsername("must not be empty");
  if (/\p{Cc}/u.test(username)) throw invalidUsername("must not contain control characters");
  if (username.length > MAX_USERNAME_CHARACTERS) {
    throw invalidUsername(`must be at most ${MAX_USERNAME_CHARACTERS} characters long`);
  }
  return username;
}

/** The one administrator that an installation always has: told by its address, whatever it is called. */
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
