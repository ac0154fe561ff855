// The login in place: whoever has worked here when the sign-in ended goes on where they were, with everything they typed.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { PasswordField } from "../account/PasswordField.tsx";
import { signIn } from "../account/sign-in.ts";
import { Button } from "../kit/Button.tsx";
import { Dialog, FormDialog } from "../kit/Dialog.tsx";
import { Notice } from "../kit/States.tsx";
import { endWait, loginAddress, onSignInElsewhere, useSignInEnded } from "../lib/session.ts";
import { start } from "../lib/start.ts";
import { useViewer } from "../lib/viewer.ts";
import { text } from "../texts/texts.ts";

export function SignInAgain() {
  const ended = useSignInEnded();
  const viewer = useViewer();
  useEffect(() => (ended ? onSignInElsewhere(() => void goOnAs(viewer?.id)) : undefined), [ended, viewer?.id]);
  const email = viewer?.authMethod === "LOCAL" ? viewer.email : null;
  return email === null || start.signIn?.password !== true ? (
    <Dialog
      firm
      open={ended}
      onClose={() => endWait(false)}
      title={text("login.again.title")}
      actions={
        <Button look="main" onClick={leave}>
          {text("login.again.page")}
        </Button>
      }
    >
      <p>{text("login.again.elsewhere")}</p>
    </Dialog>
  ) : (
    <PasswordDialog open={ended} email={email} />
  );
}

function leave(): void {
  location.assign(start.basePath + loginAddress());
}

/** Another tab has signed in: as the same person it holds here, too. */
async function goOnAs(id: string | undefined): Promise<void> {
  const answer = await fetch("v1/user").catch(() => null);
  if (!answer?.ok) return;
  const { data } = (await answer.json()) as { readonly data: { readonly id?: string } };
  if (data.id === id) endWait(true);
  else location.reload();
}

function PasswordDialog({ open, email }: { readonly open: boolean; readonly email: string }) {
  const client = useQueryClient();
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    if (busy) return;
    if (password === "") return setProblem(text("login.missing"));
    setBusy(true);
    const refusal = await signIn(email, password);
    setBusy(false);
    setProblem(refusal);
    if (refusal !== null) return;
    setPassword("");
    endWait(true);
    // The role may be another one now.
    await client.invalidateQueries();
  };
  return (
    <FormDialog
      firm
      open={open}
      onClose={() => endWait(false)}
      title={text("login.again.title")}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={leave}>{text("login.again.page")}</Button>
          <Button type="submit" look="main" disabled={busy}>
            {text("login.submit")}
          </Button>
        </>
      }
    >
      <p>{text("login.again.text", { name: email })}</p>
      {problem !== null && <Notice tone="error">{problem}</Notice>}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label={text("login.password")}
        purpose="current-password"
        value={password}
        onChange={setPassword}
      />
    </FormDialog>
  );
}
