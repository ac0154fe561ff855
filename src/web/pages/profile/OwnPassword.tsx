// Changes one's own password: folded until somebody wants to.
import { useState } from "react";
import { NewPasswordFields } from "../../domain/account/NewPassword.tsx";
import { useOwnPassword } from "../../domain/account/own-password.ts";
import { PasswordField } from "../../domain/account/PasswordField.tsx";
import { Button } from "../../kit/Button.tsx";
import { Notice } from "../../kit/States.tsx";
import { linkTo } from "../../lib/links.ts";
import { start } from "../../lib/start.ts";
import { text } from "../../texts/texts.ts";
import styles from "./profile.module.css";

export function OwnPassword({ name }: { readonly name: string }) {
  const [open, setOpen] = useState(false);
  if (open) return <PasswordForm name={name} />;
  return (
    <Button disabled={start.readOnly} onClick={() => setOpen(true)}>
      {text("profile.password.change")}
    </Button>
  );
}

function PasswordForm({ name }: { readonly name: string }) {
  const form = useOwnPassword(linkTo("profile"));
  return (
    <form
      noValidate
      method="post"
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      {form.problem !== null && <Notice tone="error">{form.problem}</Notice>}
      <input type="text" autoComplete="username" value={name} readOnly hidden />
      <PasswordField
        label={text("reset.current")}
        purpose="current-password"
        value={form.current}
        onChange={form.setCurrent}
        problem={form.currentProblem}
      />
      <NewPasswordFields password={form.password} problem={form.newProblem} />
      <Button type="submit" look="main" disabled={form.busy}>
        {text("reset.submit")}
      </Button>
    </form>
  );
}
