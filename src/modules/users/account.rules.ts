// What names and addresses of accounts may look like.
import { storableText } from "../../kernel/validation-scalars.ts";
import { invalidEmail, invalidUsername } from "./users.errors.ts";
import { normalisedEmail } from "./users.schema.ts";

const EMAIL = /^[^@\s\p{Cc}]+@[^@\s\p{Cc}]+\.[^@\s\p{Cc}]+$/u;
/** The longest address that mail can be sent to. */
const MAX_EMAIL_CHARACTERS = 320;
/** Names are indexed, and index entries are bounded. */
const MAX_USERNAME_CHARACTERS = 256;

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
