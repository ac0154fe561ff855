// Chooses an attribute: typing narrows those that were seen, any other key can be written out.
import { type ReactNode, useState } from "react";
import { TextField } from "../kit/Field.tsx";
import { PlainForm } from "../kit/form/PlainForm.tsx";
import { text } from "../texts/texts.ts";
import styles from "./AttributeForm.module.css";
import { attributeNameOf } from "./attribute-columns.tsx";

interface AttributeFormProps {
  readonly label: string;
  /** Names of attributes that were seen and can be chosen, as conditions spell them. */
  readonly seen: readonly string[];
  /** Names that are shown below the field. */
  readonly most: number;
  /** Why the name cannot be taken; null when it is. */
  readonly onTake: (name: string) => string | null;
  readonly problem?: string | null | undefined;
  readonly autoFocus?: boolean;
  /** At the end of the field, such as what sends it. */
  readonly end?: ReactNode;
  /** Below the names. */
  readonly children?: ReactNode;
}

export function AttributeForm({
  label,
  seen,
  most,
  onTake,
  autoFocus = false,
  end,
  children,
  ...props
}: AttributeFormProps) {
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const wanted = typed.trim().toLowerCase();
  const matches = seen.filter((name) => name.toLowerCase().includes(wanted)).slice(0, most);
  const take = (what: string) => {
    const name = attributeNameOf(what);
    const refused = name === null ? text("explorer.attribute.invalid") : onTake(name);
    setProblem(refused);
    if (refused === null) setTyped("");
  };
  return (
    <PlainForm className={styles.form} onSubmit={() => take(typed)}>
      <TextField
        label={label}
        value={typed}
        onChange={(next) => {
          setTyped(next);
          setProblem(null);
        }}
        placeholder={text("explorer.attribute.example")}
        problem={problem ?? props.problem ?? null}
        autoFocus={autoFocus}
        mono
        end={end}
      />
      <ul className={styles.seen}>
        {matches.map((name) => (
          <li key={name}>
            <button type="button" title={name} onClick={() => take(name)}>
              {name}
            </button>
          </li>
        ))}
      </ul>
      {children}
    </PlainForm>
  );
}
