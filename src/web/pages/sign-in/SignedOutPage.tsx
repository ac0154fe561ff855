// Where signing out leads when the login page would sign the person in again, or there is no sign-in with a password.
import { useEffect } from "react";
import { Link } from "wouter";
import { useAddress } from "../../lib/address.ts";
import { linkTo } from "../../lib/links.ts";
import { forgetSignedOut } from "../../lib/signed-out.ts";
import { start } from "../../lib/start.ts";
import { text } from "../../texts/texts.ts";
import { errorText } from "./error-codes.ts";
import { ProviderButtons } from "./ProviderButtons.tsx";
import { ProviderError } from "./ProviderError.tsx";
import { CardText, SignInCard } from "./SignInCard.tsx";

export default function SignedOutPage() {
  const error = errorText(useAddress().get("error"));
  useEffect(forgetSignedOut, []);
  const manual = start.signIn?.autoLogin == null ? "" : "?manual";
  return (
    <SignInCard
      title={text("signedout.title")}
      below={<Link href={`${linkTo("login")}${manual}`}>{text("signedout.back")}</Link>}
    >
      {error === null ? <CardText>{text("signedout.text")}</CardText> : <ProviderError text={error} />}
      <ProviderButtons />
    </SignInCard>
  );
}
