// A new password for the current user: required before anything else when the present one was only for the first sign-in.

import { OwnPasswordForm } from "../../domain/account/OwnPasswordForm.tsx";
import { methodText } from "../../domain/account/roles.ts";
import { LinkButton } from "../../kit/Button.tsx";
import { FailedState, Skeleton } from "../../kit/States.tsx";
import { linkTo } from "../../lib/links.ts";
import { returnPath } from "../../lib/return-address.ts";
import { signOut } from "../../lib/signed-out.ts";
import { useViewer, useViewerQuery } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import styles from "./NewPasswordPage.module.css";
import { CardMessage, CardText, cardForm, SignInCard } from "./SignInCard.tsx";

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
      <OwnPasswordForm
        name={name}
        back={returnPath(location.search)}
        className={cardForm}
        problem={(message) => <CardMessage tone="error">{message}</CardMessage>}
      >
        <CardText>{why}</CardText>
      </OwnPasswordForm>
    </SignInCard>
  );
}
