// What names and addresses of accounts may look like.
import { isStorable, storableText } from "../../../../kernel/validation-scalars.ts";
import { invalidEmail, invalidUsername } from "../users.errors.ts";
import { normalisedEmail } from "../users.schema.ts";

const EMAIL = /^[^@\s\p{Cc}]+@[^@\s\p{Cc}]+\.[^@\s\p{Cc}]+$/u;
/** The longest address that mail can be sent to. */
const MAX_EMAIL_CHARACTERS = 320;
/** Names are indexed, and index entries are bounded. */
const MAX_USERNAME_CHARACTERS = 256;
/** Identities are indexed, too. */
export const MAX_IDENTITY_BYTES = 1024;

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

/** Leaves space for a suffix that distinguishes two users of one name. */
const MAX_GIVEN_CHARACTERS = MAX_USERNAME_CHARACTERS - 16;

/** The first name of a provider or directory with something in it, as an account may be called. */
export function givenUsername(names: readonly string[]): string {
  const fitting = names.map((name) =>
    storableText(
      name
        .replace(/\p{Cc}+/gu, " ")
        .trim()
        .slice(0, MAX_GIVEN_CHARACTERS),
    ).trim(),
  );
  return fitting.find((name) => name !== "") ?? "user";
}

/** Whether an id of a provider or directory can be stored as it stands: changed, it might be that of another user. */
export function fitsIdentity(id: string): boolean {
  return id !== "" && isStorable(id) && Buffer.byteLength(id) <= MAX_IDENTITY_BYTES;
}

/** Whether an address that a provider or directory vouches for can be stored; its form is theirs to judge. */
export function isStorableEmail(email: string): boolean {
  return email !== "" && email.length <= MAX_EMAIL_CHARACTERS && !/\p{Cc}/u.test(email) && isStorable(email);
}
