// With authentication on, nothing is drawn before the current user is known. Users who must choose a new password are led there
// first; visitors without a sign-in go to the login page (by `lib/session.ts`).
import { type ReactNode, useEffect, useRef } from "react";
import { Redirect } from "wouter";
import { HoldKeys } from "../lib/held-keys.ts";
import { linkTo } from "../lib/links.ts";
import { withReturn } from "../lib/return-address.ts";
import { currentPath } from "../lib/session.ts";
import { start } from "../lib/start.ts";
import { useViewerQuery } from "../lib/viewer.ts";
import { text } from "../texts/texts.ts";
import { Mark } from "./Mark.tsx";
import styles from "./SignInGate.module.css";

export function SignInGate({ children }: { readonly children: ReactNode }) {
  return start.authenticationEnabled ? <Gate>{children}</Gate> : children;
}

function Gate({ children }: { readonly children: ReactNode }) {
  const { data, isPending } = useViewerQuery();
  const viewer = data?.viewer ?? null;
  const first = useRef<string | null>(null);
  useEffect(() => {
    if (viewer === null) return;
    first.current ??= viewer.id;
    // Another person has signed in here: what is on the page is not theirs.
    if (first.current !== viewer.id) location.reload();
  }, [viewer]);
  if (isPending) {
    return (
      <div role="status" aria-label={text("kit.loading")} className={styles.waiting}>
        <HoldKeys />
        <Mark />
      </div>
    );
  }
  if (viewer?.passwordNeedsReset) return <Redirect replace to={withReturn(linkTo("newPassword"), currentPath())} />;
  return children;
}
