// The login: e-mail address and password, what happened before, and the way back to the page that was asked for.
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { PasswordField } from "../../domain/account/PasswordField.tsx";
import { signIn } from "../../domain/account/sign-in.ts";
import { Button, LinkButton } from "../../kit/Button.tsx";
import { TextField } from "../../kit/Field.tsx";
import { useAddress } from "../../lib/address.ts";
import { linkTo } from "../../lib/links.ts";
import { returnPath } from "../../lib/return-address.ts";
import { forgetSignedOut, hasSignedOut } from "../../lib/signed-out.ts";
import { start } from "../../lib/start.ts";
import { text } from "../../texts/texts.ts";
import { errorText } from "./error-codes.ts";
import { ProviderButtons } from "./ProviderButtons.tsx";
import { ProviderError } from "./ProviderError.tsx";
import { CardForm, CardMessage, CardText, SignInCard } from "./SignInCard.tsx";

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
  return (
    <SignInCard
      title={text("login.title")}
      below={offers.passwordReset ? <Link href={linkTo("forgotPassword")}>{text("login.forgot")}</Link> : undefined}
    >
      <Before />
      {offers.password && <PasswordForm />}
      <ProviderButtons divided={offers.password} />
      {!offers.password && offers.providers.length === 0 && <CardText>{text("login.nothing")}</CardText>}
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
  const address = useAddress();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const submit = async () => {
    if (busy) return;
    // What was said about the time before does not hold any more.
    address.set({ message: null, error: null }, "replace");
    if (email.trim() === "" || password === "") return setProblem(text("login.missing"));
    setProblem(null);
    setBusy(true);
    const refusal = await signIn(email, password);
    setBusy(false);
    if (refusal !== null) return setProblem(refusal);
    // A full page load: nothing of the person who was signed in before stays.
    location.assign(start.basePath + returnPath(location.search));
  };
  return (
    <CardForm onSubmit={() => void submit()}>
      {problem !== null && <CardMessage tone="error">{problem}</CardMessage>}
      <TextField
        label={text("login.email")}
        type="email"
        autoComplete="username"
        inputRef={first}
        value={email}
        onChange={setEmail}
      />
      <PasswordField
        label={text("login.password")}
        purpose="current-password"
        value={password}
        onChange={setPassword}
      />
      <Button type="submit" look="main" disabled={busy}>
        {text("login.submit")}
      </Button>
    </CardForm>
  );
}
