// Adds a column for an attribute: typing narrows the attributes that were seen, any other key can be written out.
import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../kit/Button.tsx";
import { TextField } from "../kit/Field.tsx";
import { useAddedColumns } from "../kit/table/columns.ts";
import { text } from "../texts/texts.ts";
import styles from "./AttributeField.module.css";
import { attributeNameOf, MOST_ATTRIBUTES } from "./attribute-columns.tsx";
import { isVerdictColumn } from "./verdicts/verdict-columns.tsx";

interface AttributeFieldProps {
  readonly table: string;
  /** Names of attributes that were seen, as conditions spell them. */
  readonly seen: readonly string[];
}

/** Shown below the field. */
const MOST_SEEN = 6;

export function AttributeField({ table, seen }: AttributeFieldProps) {
  const [added, add] = useAddedColumns(table);
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const wanted = typed.trim().toLowerCase();
  const others = seen.filter((name) => !added.includes(name));
  const matches = others.filter((name) => name.toLowerCase().includes(wanted)).slice(0, MOST_SEEN);
  const take = (what: string) => {
    const name = attributeNameOf(what);
    if (added.filter((key) => !isVerdictColumn(key)).length >= MOST_ATTRIBUTES)
      return setProblem(text("explorer.attribute.most", { count: MOST_ATTRIBUTES }));
    if (name === null) return setProblem(text("explorer.attribute.invalid"));
    add(name);
    setTyped("");
  };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        take(typed);
      }}
    >
      <TextField
        label={text("explorer.attribute")}
        value={typed}
        onChange={(next) => {
          setTyped(next);
          setProblem(null);
        }}
        placeholder={text("explorer.attribute.example")}
        problem={problem}
        autoComplete="off"
        mono
        end={
          <Button look="quiet" icon={<Plus />} type="submit">
            {text("explorer.attribute.add")}
          </Button>
        }
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
    </form>
  );
}
