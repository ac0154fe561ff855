// The two fields of a new password: the same in every form that sets one.
import { useState } from "react";
import { text } from "../../texts/texts.ts";
import { PasswordField } from "./PasswordField.tsx";
import { keepsRules, PasswordRules } from "./PasswordRules.tsx";

export interface NewPassword {
  readonly value: string;
  readonly again: string;
  readonly tried: boolean;
  readonly setValue: (value: string) => void;
  readonly setAgain: (value: string) => void;
  /** True if the password may be sent; from now on what is wrong is shown. */
  readonly check: () => boolean;
  readonly clear: () => void;
}

export function useNewPassword(): NewPassword {
  const [value, setValue] = useState("");
  const [again, setAgain] = useState("");
  const [tried, setTried] = useState(false);
  return {
    value,
    again,
    tried,
    setValue,
    setAgain,
    check() {
      setTried(true);
      return keepsRules(value) && value === again;
    },
    clear() {
      setValue("");
      setAgain("");
      setTried(false);
    },
  };
}

interface NewPasswordFieldsProps {
  readonly password: NewPassword;
  /** What is wrong with it beyond the rules. */
  readonly problem?: string | null | undefined;
}

export function NewPasswordFields({ password, problem }: NewPasswordFieldsProps) {
  const { value, again, tried, setValue, setAgain } = password;
  const differs = value !== again && again !== "" && (tried || !value.startsWith(again));
  const missing = tried && again === "" && keepsRules(value);
  return (
    <>
      <PasswordField
        label={text("password.new")}
        purpose="new-password"
        value={value}
        onChange={setValue}
        problem={problem}
      />
      <PasswordRules password={value} tried={tried} />
      <PasswordField
        label={text("password.again")}
        purpose="new-password"
        value={again}
        onChange={setAgain}
        problem={differs || missing ? text("password.differs") : null}
      />
    </>
  );
}
