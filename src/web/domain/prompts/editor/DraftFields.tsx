// How the variables of a draft are written, and with what its model is called.
import { parameterFamily, templateFormats } from "../../../../model/prompt.ts";
import { JsonEditor } from "../../../kit/editor/JsonEditor.tsx";
import { Segmented, Select, TextField } from "../../../kit/Field.tsx";
import { text } from "../../../texts/texts.ts";
import { parameterWords } from "../parameter-words.ts";
import styles from "./DraftFields.module.css";
import { parameterPlace } from "./draft-problems.ts";
import { type ParameterField, parameterFields } from "./parameter-fields.ts";
import type { PromptDraft } from "./prompt-draft.ts";

export interface DraftFieldsProps {
  readonly draft: PromptDraft;
  readonly problemAt: (place: string) => string | null;
  readonly onChange: (changes: Partial<PromptDraft>) => void;
}

const formatChoices = templateFormats.map((value) => ({ value, label: text(`prompts.editor.format.${value}`) }));

export function FormatField({ draft, onChange }: Omit<DraftFieldsProps, "problemAt">) {
  return (
    <div className={styles.format}>
      <Segmented
        label={text("prompts.editor.format")}
        choices={formatChoices}
        value={draft.format}
        onChange={(format) => onChange({ format })}
      />
      <span className={styles.quiet}>{text(`prompts.editor.format.${draft.format}.hint`)}</span>
    </div>
  );
}

export function ParameterFields({ draft, problemAt, onChange }: DraftFieldsProps) {
  const family = parameterFamily(draft.provider);
  return (
    <>
      <div className={styles.fields}>
        {parameterFields[family].map((field) => (
          <Parameter
            key={field.name}
            field={field}
            value={draft.parameters[field.name] ?? ""}
            problem={problemAt(parameterPlace(field.name))}
            onChange={(value) => onChange({ parameters: { ...draft.parameters, [field.name]: value } })}
          />
        ))}
      </div>
      <div className={styles.wide}>
        <JsonEditor
          label={text("prompts.editor.parameters.other")}
          note={text("kit.optional")}
          hint={text(`prompts.editor.parameters.other.${family}`)}
          value={draft.otherParameters}
          problem={problemAt("otherParameters")}
          onChange={(otherParameters) => onChange({ otherParameters })}
        />
      </div>
    </>
  );
}

interface ParameterProps {
  readonly field: ParameterField;
  readonly value: string;
  readonly problem: string | null;
  readonly onChange: (value: string) => void;
}

function Parameter({ field: { name, kind, words = [] }, value, problem, onChange }: ParameterProps) {
  if (kind === "word") {
    const unset = { value: "", label: text("prompts.editor.unset") };
    const choices = [unset, ...words.map((word) => ({ value: word, label: word }))];
    return (
      <Select label={parameterWords(name)} choices={choices} value={value} problem={problem} onChange={onChange} />
    );
  }
  return (
    <TextField
      label={parameterWords(name)}
      inputMode={kind === "integer" ? "numeric" : "decimal"}
      autoComplete="off"
      value={value}
      problem={problem}
      onChange={onChange}
    />
  );
}
