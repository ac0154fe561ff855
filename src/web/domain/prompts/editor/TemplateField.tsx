// A text with variables, marked while it is typed: the same text lies below the field and draws the marks.

import type { TemplateFormat } from "../../../../model/prompt.ts";
import { classes } from "../../../kit/classes.ts";
import { FieldFrame } from "../../../kit/Field.tsx";
import { piecesOf } from "../version-parts.ts";
import styles from "./TemplateField.module.css";

interface TemplateFieldProps {
  readonly label: string;
  readonly value: string;
  readonly format: TemplateFormat;
  readonly problem: string | null;
  readonly onChange: (value: string) => void;
}

export function TemplateField({ label, value, format, problem, onChange }: TemplateFieldProps) {
  return (
    <FieldFrame labelHidden label={label} problem={problem}>
      {(wiring) => (
        <div className={styles.box}>
          <div aria-hidden="true" className={styles.marks}>
            {piecesOf(value, format).map(({ kind, text, start }) =>
              kind === "text" ? (
                text
              ) : (
                <mark key={start} className={classes(styles.mark, kind === "unclosed" && styles.open)}>
                  {text}
                </mark>
              ),
            )}
            {/* A last line without a character has no height. */}
            {"\n"}
          </div>
          <textarea
            {...wiring}
            className={styles.field}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        </div>
      )}
    </FieldFrame>
  );
}
