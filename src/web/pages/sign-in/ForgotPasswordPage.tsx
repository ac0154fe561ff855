// Asks for a mail with a link to a new password. The answer is the same whether or not there is such an account.
import { useState } from "react";
import { Link } from "wouter";
import { askForResetMail } from "../../domain/account/sign-in.ts";
import { Button } from "../../kit/Button.tsx";
import { TextField } from "../../kit/Field.tsx";
import { linkTo } from "../../lib/links.ts";
import { start } from "../../lib/start.ts";
import { text } from "../../texts/texts.ts";
import { CardForm, CardMessage, CardText, SignInCard } from "./SignInCard.tsx";

export default function ForgotPasswordPage() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const below = <Link href={linkTo("login")}>{text("signedout.back")}</Link>;
  if (sentTo !== null) {
    return (
      <SignInCard title={text("forgot.sent.title")} below={below}>
        <CardMessage>{text("forgot.sent", { email: sentTo })}</CardMessage>
      </SignInCard>
    );
  }
  return (
    <SignInCard title={text("forgot.title")} below={below}>
      {start.signIn?.passwordReset === true ? (
        <ResetForm onSent={setSentTo} />
      ) : (
        <CardText>{text("forgot.unavailable")}</CardText>
      )}
    </SignInCard>
  );
}

function ResetForm({ onSent }: { readonly onSent: (email: string) => void }) {
  const [email, setEmail] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    if (busy) return;
    if (email.trim() === "") return setProblem(text("forgot.missing"));
    setProblem(null);
    setBusy(true);
    const refusal = await askForResetMail(email);
    setBusy(false);
    if (refusal === null) onSent(email.trim());
    else setProblem(refusal);
  };
  return (
    <CardForm onSubmit={() => void submit()}>
      <CardText>{text("forgot.text")}</CardText>
      <TextField
        label={text("login.email")}
        type="email"
        autoComplete="username"
        value={email}
        onChange={setEmail}
        problem={problem}
      />
      <Button type="submit" look="main" disabled={busy}>
        {text("forgot.submit")}
      </Button>
    </CardForm>
  );
}
