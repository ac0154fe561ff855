// A password that an administrator sets for another user: typed once, or generated here and read from the screen.
import { useState } from "react";
import { generatePassword } from "../../domain/account/generate-password.ts";
import { PasswordField } from "../../domain/account/PasswordField.tsx";
import { PasswordRules } from "../../domain/account/PasswordRules.tsx";
import { Button } from "../../kit/Button.tsx";
import type { FormField } from "../../kit/form/use-form.ts";
import { text } from "../../texts/texts.ts";
import styles from "./GivenPassword.module.css";

interface GivenPasswordProps extends FormField<string> {
  readonly label: string;
  readonly hint?: string;
  /** After a try to send, the rules that it breaks are marked. */
  readonly tried: boolean;
}

export function GivenPassword({ label, hint, tried, value, onChange, problem }: GivenPasswordProps) {
  const [made, setMade] = useState(0);
  const generate = () => {
    onChange(generatePassword());
    setMade(made + 1);
  };
  return (
    <>
      <div className={styles.line}>
        <div className={styles.field}>
          {/* A generated password has to be read: a new field starts with its text shown. */}
          <PasswordField
            key={made}
            shownAtFirst={made > 0}
            label={label}
            purpose="off"
            value={value}
            onChange={onChange}
          />
        </div>
        <Button onClick={generate}>{text("users.new.generate")}</Button>
      </div>
      <PasswordRules password={value} tried={tried} />
      {problem && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      {hint !== undefined && <p className={styles.hint}>{hint}</p>}
    </>
  );
}
