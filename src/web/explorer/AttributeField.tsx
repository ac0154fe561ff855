// Adds a column for an attribute.
import { Plus } from "lucide-react";
import { Button } from "../kit/Button.tsx";
import { useAddedColumns } from "../kit/table/columns.ts";
import { text } from "../texts/texts.ts";
import styles from "./AttributeField.module.css";
import { AttributeForm } from "./AttributeForm.tsx";
import { MOST_ATTRIBUTES } from "./attribute-columns.tsx";
import { isVerdictColumn } from "./verdicts/verdict-columns.tsx";

interface AttributeFieldProps {
  readonly table: string;
  /** Names of attributes that were seen, as conditions spell them. */
  readonly seen: readonly string[];
}

export function AttributeField({ table, seen }: AttributeFieldProps) {
  const [added, add] = useAddedColumns(table);
  const isFull = added.filter((key) => !isVerdictColumn(key)).length >= MOST_ATTRIBUTES;
  return (
    <div className={styles.field}>
      <AttributeForm
        label={text("explorer.attribute")}
        seen={seen.filter((name) => !added.includes(name))}
        most={6}
        onTake={(name) => {
          if (isFull) return text("explorer.attribute.most", { count: MOST_ATTRIBUTES });
          add(name);
          return null;
        }}
        end={
          <Button look="quiet" icon={<Plus />} type="submit">
            {text("explorer.attribute.add")}
          </Button>
        }
      />
    </div>
  );
}
