// A new password by the link of a mail. The token leaves the address at once: neither the history nor a picture of the screen
// keeps it.
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { NewPasswordFields, useNewPassword } from "../../domain/account/NewPassword.tsx";
import { aboutNewPassword } from "../../domain/account/refusals.ts";
import { setPasswordByLink } from "../../domain/account/sign-in.ts";
import { Button } from "../../kit/Button.tsx";
import { useAddress } from "../../lib/address.ts";
import { linkTo } from "../../lib/links.ts";
import { start } from "../../lib/start.ts";
import { text } from "../../texts/texts.ts";
import { CardForm, CardMessage, CardText, SignInCard } from "./SignInCard.tsx";

export default function NewPasswordByLinkPage() {
  const address = useAddress();
  const [token] = useState(() => address.get("token") ?? "");
  const password = useNewPassword();
  const [problem, setProblem] = useState<string | null>(token === "" ? text("reset.link.missing") : null);
  const [busy, setBusy] = useState(false);
  const { newPassword: refused, other } = aboutNewPassword(problem);
  const { set } = address;
  useEffect(() => set({ token: null }, "replace"), [set]);
  const submit = async () => {
    if (busy || token === "" || !password.check()) return;
    setProblem(null);
    setBusy(true);
    const refusal = await setPasswordByLink(token, password.value);
    setBusy(false);
    if (refusal === null) location.assign(`${start.basePath}${linkTo("login")}?message=password_reset`);
    else setProblem(refusal);
  };
  const again = start.signIn?.passwordReset === true && (
    <Link href={linkTo("forgotPassword")}>{text("reset.link.again")}</Link>
  );
  return (
    <SignInCard title={text("reset.title")} below={again || undefined}>
      {other !== null && <CardMessage tone="error">{other}</CardMessage>}
      {token !== "" && (
        <CardForm onSubmit={() => void submit()}>
          <CardText>{text("reset.link.text")}</CardText>
          <NewPasswordFields password={password} problem={refused} />
          <Button type="submit" look="main" disabled={busy}>
            {text("reset.submit")}
          </Button>
        </CardForm>
      )}
    </SignInCard>
  );
}
