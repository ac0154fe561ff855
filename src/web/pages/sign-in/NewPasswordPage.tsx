// A new password for the current user: required before anything else when the present one was only for the first sign-in.

import { NewPasswordFields } from "../../domain/account/NewPassword.tsx";
import { useOwnPassword } from "../../domain/account/own-password.ts";
import { PasswordField } from "../../domain/account/PasswordField.tsx";
import { methodText } from "../../domain/account/roles.ts";
import { Button, LinkButton } from "../../kit/Button.tsx";
import { FailedState, Skeleton } from "../../kit/States.tsx";
import { linkTo } from "../../lib/links.ts";
import { returnPath } from "../../lib/return-address.ts";
import { signOut } from "../../lib/signed-out.ts";
import { useViewer, useViewerQuery } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import styles from "./NewPasswordPage.module.css";
import { CardForm, CardMessage, CardText, SignInCard } from "./SignInCard.tsx";

export default function NewPasswordPage() {
  const { error, refetch } = useViewerQuery();
  const viewer = useViewer();
  if (viewer === undefined) {
    return (
      <SignInCard title={text("reset.title")}>
        {error === null ? <Skeleton /> : <FailedState failure={error} onRetry={() => void refetch()} />}
      </SignInCard>
    );
  }
  if (viewer === null || viewer.authMethod !== "LOCAL") {
    const why =
      viewer === null ? text("profile.off") : text("reset.foreign", { method: methodText(viewer.authMethod) });
    return (
      <SignInCard title={text("reset.title")}>
        <CardText>{why}</CardText>
        <LinkButton to={linkTo("home")}>{text("login.none.action")}</LinkButton>
      </SignInCard>
    );
  }
  const name = viewer.email ?? viewer.username;
  const why = viewer.passwordNeedsReset ? text("reset.first", { name }) : text("reset.own", { name });
  return (
    <SignInCard
      title={text("reset.title")}
      below={
        <button type="button" className={styles.out} onClick={signOut}>
          {text("shell.signout")}
        </button>
      }
    >
      <ChangeForm why={why} name={name} />
    </SignInCard>
  );
}

function ChangeForm({ why, name }: { readonly why: string; readonly name: string }) {
  const form = useOwnPassword(returnPath(location.search));
  return (
    <CardForm onSubmit={form.submit}>
      <CardText>{why}</CardText>
      {form.problem !== null && <CardMessage tone="error">{form.problem}</CardMessage>}
      {/* For password managers: whose password it is. */}
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
    </CardForm>
  );
}
