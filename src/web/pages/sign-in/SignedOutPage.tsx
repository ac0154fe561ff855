// Where signing out leads when nobody signs in with a password here.
import { useEffect } from "react";
import { LinkButton } from "../../kit/Button.tsx";
import { useAddress } from "../../lib/address.ts";
import { linkTo } from "../../lib/links.ts";
import { forgetSignedOut } from "../../lib/signed-out.ts";
import { text } from "../../texts/texts.ts";
import { errorText } from "./error-codes.ts";
import { CardMessage, CardText, SignInCard } from "./SignInCard.tsx";

export default function SignedOutPage() {
  const error = errorText(useAddress().get("error"));
  useEffect(forgetSignedOut, []);
  return (
    <SignInCard title={text("signedout.title")}>
      {error === null ? <CardText>{text("signedout.text")}</CardText> : <CardMessage tone="error">{error}</CardMessage>}
      <LinkButton to={linkTo("login")}>{text("signedout.back")}</LinkButton>
    </SignInCard>
  );
}
