// Changes the password of the current user, on whichever page.
import type { ReactNode } from "react";
import { Button } from "../../kit/Button.tsx";
import { PlainForm } from "../../kit/form/PlainForm.tsx";
import { text } from "../../texts/texts.ts";
import { NewPasswordFields } from "./NewPassword.tsx";
import { useOwnPassword } from "./own-password.ts";
import { PasswordField } from "./PasswordField.tsx";

interface OwnPasswordFormProps {
  /** For password managers: whose password it is. */
  readonly name: string;
  /** Where success leads. */
  readonly back: string;
  readonly className: string | undefined;
  readonly problem: (message: string) => ReactNode;
  /** Above the fields. */
  readonly children?: ReactNode;
}

export function OwnPasswordForm({ name, back, className, problem, children }: OwnPasswordFormProps) {
  const form = useOwnPassword(back);
  return (
    <PlainForm className={className} onSubmit={form.submit}>
      {children}
      {form.problem !== null && problem(form.problem)}
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
    </PlainForm>
  );
}
