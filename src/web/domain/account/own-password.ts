// Changes the password of the current user. All sign-ins of the account end with it; here a new one begins at once.
import { useState } from "react";
import { addresses } from "../../declared-pages.ts";
import { graphql } from "../../lib/graphql.ts";
import { useGraphqlMutation } from "../../lib/queries.ts";
import { withReturn } from "../../lib/return-address.ts";
import { leaveFor } from "../../lib/session.ts";
import { start } from "../../lib/start.ts";
import { useViewer } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import { type NewPassword, useNewPassword } from "./NewPassword.tsx";
import { aboutNewPassword } from "./refusals.ts";
import { signIn } from "./sign-in.ts";

const changeOwnPassword = graphql(`
  mutation ChangeOwnPassword($current: String!, $password: String!) {
    patchViewer(input: { currentPassword: $current, newPassword: $password }) { user { id } }
  }
`);

interface OwnPasswordForm {
  readonly current: string;
  readonly setCurrent: (value: string) => void;
  readonly currentProblem: string | null;
  readonly password: NewPassword;
  readonly newProblem: string | null;
  /** What is wrong with neither field. */
  readonly problem: string | null;
  readonly busy: boolean;
  readonly submit: () => void;
}

/** As the server words them. */
const WRONG_CURRENT = /current password is required/i;

/** Success leads to `back`: signed in again where that is possible, else by the login page. */
export function useOwnPassword(back: string): OwnPasswordForm {
  const [current, setCurrent] = useState("");
  const [tried, setTried] = useState(false);
  const password = useNewPassword();
  const change = useGraphqlMutation(changeOwnPassword, []);
  const email = useViewer()?.email ?? null;
  const { newPassword: refused, other: refusal } = aboutNewPassword(change.error?.message ?? null);
  const isWrong = refusal !== null && WRONG_CURRENT.test(refusal);
  const isSame = tried && password.value !== "" && password.value === current;
  return {
    current,
    setCurrent(value) {
      setCurrent(value);
      if (change.error) change.reset();
    },
    currentProblem: isWrong
      ? text("reset.current.wrong")
      : tried && current === ""
        ? text("reset.current.missing")
        : null,
    password,
    newProblem: isSame ? text("reset.same") : refused,
    problem: isWrong ? null : refusal,
    busy: change.isPending,
    submit() {
      setTried(true);
      const allowed = password.check();
      if (!allowed || current === "" || current === password.value || change.isPending) return;
      change.mutate(
        { current, password: password.value },
        {
          async onSuccess() {
            const refusal = email === null ? text("login.missing") : await signIn(email, password.value);
            const to = refusal === null ? back : withReturn(addresses.login, back, { message: "password_reset" });
            leaveFor(start.basePath + to);
          },
        },
      );
    },
  };
}
