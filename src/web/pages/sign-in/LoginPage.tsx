// The login: what is offered here (a password of ours, one of a directory, identity providers), what happened before, and the way back to the page that was asked for.
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { signIn, signInByDirectory } from "../../domain/account/sign-in.ts";
import { LinkButton } from "../../kit/Button.tsx";
import { useAddress } from "../../lib/address.ts";
import { linkTo } from "../../lib/links.ts";
import { forgetSignedOut, hasSignedOut } from "../../lib/signed-out.ts";
import { start } from "../../lib/start.ts";
import { text } from "../../texts/texts.ts";
import { CredentialsForm } from "./CredentialsForm.tsx";
import { errorText } from "./error-codes.ts";
import { ProviderButtons } from "./ProviderButtons.tsx";
import { ProviderError } from "./ProviderError.tsx";
import { CardDivider, CardMessage, CardText, SignInCard } from "./SignInCard.tsx";

export default function LoginPage() {
  const offers = start.signIn;
  if (offers === null) {
    return (
      <SignInCard title={text("login.title")}>
        <CardText>{text("login.none")}</CardText>
        <LinkButton to={linkTo("home")}>{text("login.none.action")}</LinkButton>
      </SignInCard>
    );
  }
  const hasForm = offers.password || offers.directory;
  return (
    <SignInCard
      title={text("login.title")}
      below={offers.passwordReset ? <Link href={linkTo("forgotPassword")}>{text("login.forgot")}</Link> : undefined}
    >
      <Before />
      {offers.password && <PasswordForm />}
      {offers.password && offers.directory && <CardDivider>{text("login.or")}</CardDivider>}
      {offers.directory && <DirectoryForm isAlone={!offers.password} />}
      <ProviderButtons divided={hasForm} />
      {!hasForm && offers.providers.length === 0 && <CardText>{text("login.nothing")}</CardText>}
    </SignInCard>
  );
}

/** What led here. */
function Before() {
  const address = useAddress();
  const [signedOut] = useState(hasSignedOut);
  useEffect(forgetSignedOut, []);
  const error = errorText(address.get("error"));
  const message = address.get("message");
  if (error !== null) return <ProviderError text={error} />;
  if (message === "password_reset") return <CardMessage tone="ok">{text("login.changed")}</CardMessage>;
  if (message === "expired") return <CardMessage>{text("login.expired")}</CardMessage>;
  return signedOut ? <CardMessage>{text("login.signedout")}</CardMessage> : null;
}

function PasswordForm() {
  return (
    <CredentialsForm
      label={text("login.email")}
      type="email"
      missing={text("login.missing")}
      signIn={signIn}
      submit={text("login.submit")}
      isFirst
    />
  );
}

/** `isAlone`: no other form stands before it. */
function DirectoryForm({ isAlone }: { readonly isAlone: boolean }) {
  return (
    <CredentialsForm
      label={text("login.directory.name")}
      type="text"
      missing={text("login.directory.missing")}
      signIn={signInByDirectory}
      submit={text(isAlone ? "login.submit" : "login.directory.submit")}
      isFirst={isAlone}
    />
  );
}
