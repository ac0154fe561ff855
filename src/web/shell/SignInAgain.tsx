// Signs in again in a dialog after a sign-in has expired, so that nothing that was typed is lost.
import { useEffect } from "react";
import { PasswordField } from "../domain/account/PasswordField.tsx";
import { signIn } from "../domain/account/sign-in.ts";
import { Button } from "../kit/Button.tsx";
import { Dialog } from "../kit/Dialog.tsx";
import { FormDialog } from "../kit/form/FormDialog.tsx";
import { useForm } from "../kit/form/use-form.ts";
import { PageFailure } from "../lib/failure.ts";
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
  const form = useForm(
    { password: "" },
    {
      async send({ password }) {
        const refusal = password === "" ? text("login.missing") : await signIn(email, password);
        if (refusal !== null) throw new PageFailure("refused", refusal);
      },
      // The role may be another one now.
      changes: "everything",
      done: () => endWait(true),
      onClose: () => endWait(false),
    },
  );
  return (
    <FormDialog
      firm
      open={open}
      form={form}
      title={text("login.again.title")}
      submit={text("login.submit")}
      leave={<Button onClick={leave}>{text("login.again.page")}</Button>}
    >
      <p>{text("login.again.text", { name: email })}</p>
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField label={text("login.password")} purpose="current-password" {...form.field("password")} />
    </FormDialog>
  );
}
