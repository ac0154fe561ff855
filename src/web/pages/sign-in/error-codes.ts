// What an identity provider's sign-in may come back with. Only known codes are shown, never text of the address.
import { type LabelKey, text } from "../../texts/texts.ts";

const texts: ReadonlyMap<string, LabelKey> = new Map(
  (
    [
      "login.error.unknown_idp",
      "login.error.auth_failed",
      "login.error.invalid_state",
      "login.error.unsafe_return_url",
      "login.error.oauth_error",
      "login.error.no_oidc_support",
      "login.error.missing_email_scope",
      "login.error.email_in_use",
      "login.error.sign_in_not_allowed",
    ] as const
  ).map((key) => [key.slice("login.error.".length), key]),
);

export function errorText(code: string | null): string | null {
  const key = texts.get(code ?? "");
  return key === undefined ? null : text(key);
}
