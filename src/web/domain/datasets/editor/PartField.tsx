// One part of an example to be written: as JSON, or as plain text where the part holds one text only.
import { useState } from "react";
import { JsonEditor } from "../../../kit/editor/JsonEditor.tsx";
import { Segmented } from "../../../kit/Field.tsx";
import type { FormField } from "../../../kit/form/use-form.ts";
import { text } from "../../../texts/texts.ts";
import { type ExamplePart, isNothing, oneTextOf, withText } from "./example-draft.ts";
import styles from "./PartField.module.css";

interface PartFieldProps extends FormField<string> {
  readonly part: ExamplePart;
  /** What a text is named by that is written where there is nothing; without it nothing is written as JSON. */
  readonly nothingAs?: string;
}

const NOTHING = "{}";

export function PartField({ part, value, onChange, problem, nothingAs }: PartFieldProps) {
  const isEmpty = nothingAs !== undefined && isNothing(value);
  const one = isEmpty ? { name: nothingAs, value: "" } : oneTextOf(value);
  const [asText, setAsText] = useState(one !== null);
  const isText = asText && one !== null;
  const name = text(`datasets.example.${part}`);
  return (
    <div className={styles.part}>
      {one !== null && (
        <span className={styles.language}>
          <Segmented
            label={text("datasets.edit.as", { part: name })}
            value={isText ? "text" : "json"}
            choices={[
              { value: "text", label: text("datasets.edit.text") },
              { value: "json", label: text("datasets.edit.json") },
            ]}
            onChange={(chosen) => setAsText(chosen === "text")}
          />
        </span>
      )}
      {isText ? (
        <JsonEditor
          key="text"
          language="text"
          label={name}
          note={one.name}
          value={one.value}
          onChange={(written) =>
            onChange(written === "" && nothingAs !== undefined ? NOTHING : withText(one.name, written))
          }
        />
      ) : (
        <JsonEditor key="json" label={name} value={value} onChange={onChange} problem={problem} />
      )}
    </div>
  );
}
