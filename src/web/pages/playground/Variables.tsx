// Values for the variables of all variants.
import { TextArea } from "../../kit/Field.tsx";
import { text } from "../../texts/texts.ts";
import styles from "./Playground.module.css";

interface VariablesProps {
  readonly names: readonly string[];
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (values: Readonly<Record<string, string>>) => void;
}

export function Variables({ names, values, onChange }: VariablesProps) {
  if (names.length === 0) return null;
  return (
    <section className={styles.variables} aria-label={text("playground.variables")}>
      {names.map((name) => (
        <TextArea
          key={name}
          mono
          rows={1}
          label={name}
          spellCheck={false}
          value={values[name] ?? ""}
          onChange={(value) => onChange({ ...values, [name]: value })}
        />
      ))}
    </section>
  );
}
