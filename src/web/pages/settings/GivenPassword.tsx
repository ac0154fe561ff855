// A password that an administrator gives to somebody else: typed once, or made up here and read from the screen.
import { useState } from "react";
import { generatePassword } from "../../account/generate-password.ts";
import { PasswordField } from "../../account/PasswordField.tsx";
import { keepsRules, PasswordRules } from "../../account/PasswordRules.tsx";
import { Button } from "../../kit/Button.tsx";
import { text } from "../../texts/texts.ts";
import styles from "./GivenPassword.module.css";

export interface GivenPasswordState {
  readonly value: string;
  readonly setValue: (value: string) => void;
  readonly tried: boolean;
  /** True if the password may be sent; from now on what is missing is shown. */
  readonly check: () => boolean;
}

export function useGivenPassword(): GivenPasswordState {
  const [value, setValue] = useState("");
  const [tried, setTried] = useState(false);
  return {
    value,
    setValue,
    tried,
    check() {
      setTried(true);
      return keepsRules(value);
    },
  };
}

interface GivenPasswordProps {
  readonly label: string;
  readonly hint?: string;
  readonly password: GivenPasswordState;
  readonly problem?: string | null | undefined;
}

export function GivenPassword({ label, hint, password, problem }: GivenPasswordProps) {
  const [made, setMade] = useState(0);
  const makeUp = () => {
    password.setValue(generatePassword());
    setMade(made + 1);
  };
  return (
    <>
      <div className={styles.line}>
        <div className={styles.field}>
          {/* Made up, it must be read: the field begins anew, and open. */}
          <PasswordField
            key={made}
            shownAtFirst={made > 0}
            label={label}
            purpose="off"
            value={password.value}
            onChange={password.setValue}
          />
        </div>
        <Button onClick={makeUp}>{text("users.new.generate")}</Button>
      </div>
      <PasswordRules password={password.value} tried={password.tried} />
      {problem && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      {hint !== undefined && <p className={styles.hint}>{hint}</p>}
    </>
  );
}
