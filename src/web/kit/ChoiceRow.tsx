// One of several words, numbered: by a click, by the arrow keys, or by the digit of the word while the row has the focus. The chosen
// one again takes the choice back.
import { useId } from "react";
import styles from "./ChoiceRow.module.css";
import { Kbd } from "./Kbd.tsx";

interface ChoiceRowProps {
  readonly label: string;
  readonly value: string | null;
  /** `note`: a text beside the label, such as a count. */
  readonly choices: readonly { readonly value: string; readonly note?: string | undefined }[];
  readonly onChange: (value: string | null) => void;
  /** The digit of the first word, where several rows share the digits: then the page listens to them. None has one from 10 on. */
  readonly firstDigit?: number | undefined;
}

/** Keys for the first nine: there is no tenth digit to begin with. */
const MOST_NUMBERED = 9;

export function ChoiceRow({ label, value, choices, onChange, firstDigit }: ChoiceRowProps) {
  const name = useId();
  const toggle = (chosen: string) => onChange(chosen === value ? null : chosen);
  return (
    <fieldset
      className={styles.choices}
      onKeyDown={({ key, altKey, ctrlKey, metaKey }) => {
        if (firstDigit !== undefined) return;
        const chosen = /^[1-9]$/.test(key) && !altKey && !ctrlKey && !metaKey ? choices[Number(key) - 1] : undefined;
        if (chosen !== undefined) toggle(chosen.value);
      }}
    >
      <legend className={styles.label}>{label}</legend>
      {choices.map((choice, position) => (
        <label key={choice.value} className={styles.choice}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
            onClick={() => choice.value === value && onChange(null)}
          />
          {position + (firstDigit ?? 1) <= MOST_NUMBERED && (
            <span aria-hidden="true">
              <Kbd keys={String(position + (firstDigit ?? 1))} />
            </span>
          )}
          {choice.value}
          {choice.note !== undefined && <span className={styles.note}>{choice.note}</span>}
        </label>
      ))}
    </fieldset>
  );
}
