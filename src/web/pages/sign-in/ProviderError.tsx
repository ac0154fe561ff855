// Why an identity provider's sign-in was refused, with the reference that leads to the line of the server's log.
import { findCookie, REFERENCE_COOKIE } from "../../../modules/accounts/auth/cookie.rules.ts";
import { text } from "../../texts/texts.ts";
import { CardMessage } from "./SignInCard.tsx";

export function ProviderError({ text: problem }: { readonly text: string }) {
  const reference = findCookie(document.cookie, REFERENCE_COOKIE);
  return (
    <CardMessage tone="error">
      {problem} {reference !== null && text("login.reference", { reference })}
    </CardMessage>
  );
}
