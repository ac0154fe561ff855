// Where each input of an evaluator comes from, with the paths that an example of the dataset has.
import { useId } from "react";
import { Select, TextField } from "../../../kit/Field.tsx";
import { text } from "../../../texts/texts.ts";
import styles from "./Evaluators.module.css";
import { inputPlace } from "./evaluator-draft.ts";
import { type DeclaredInput, guessedInput, type InputDraft, type InputDrafts } from "./input-mapping.ts";

interface MappingFieldsProps {
  readonly inputs: readonly DeclaredInput[];
  readonly drafts: InputDrafts;
  readonly paths: readonly string[];
  readonly problemAt: (place: string) => string | null;
  readonly onChange: (drafts: InputDrafts) => void;
}

const sources = [
  { value: "path" as const, label: text("evaluators.input.from.path") },
  { value: "value" as const, label: text("evaluators.input.from.value") },
];

export function MappingFields({ inputs, drafts, paths, problemAt, onChange }: MappingFieldsProps) {
  const list = useId();
  if (inputs.length === 0)
    return <p className={styles.quiet}>{text("evaluators.mapping.none", { variable: "{{output}}" })}</p>;
  return (
    <div className={styles.inputs}>
      <datalist id={list}>
        {paths.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
      {inputs.map((input) => (
        <InputField
          key={input.name}
          input={input}
          draft={drafts[input.name] ?? guessedInput(input)}
          list={list}
          problem={problemAt(inputPlace(input.name))}
          onChange={(draft) => onChange({ ...drafts, [input.name]: draft })}
        />
      ))}
    </div>
  );
}

interface InputFieldProps {
  readonly input: DeclaredInput;
  readonly draft: InputDraft;
  /** Of the suggested paths. */
  readonly list: string;
  readonly problem: string | null;
  readonly onChange: (draft: InputDraft) => void;
}

function InputField({ input: { name, type, hint, initial }, draft, list, problem, onChange }: InputFieldProps) {
  const { from, source } = draft;
  const change = (typed: string) => onChange({ from, source: typed });
  return (
    <div className={styles.input}>
      <code className={styles.inputName}>{name}</code>
      <Select
        labelHidden
        label={text("evaluators.input.from", { name })}
        choices={sources}
        value={from}
        onChange={(chosen) => onChange({ from: chosen, source: "" })}
      />
      {from === "value" && type === "boolean" ? (
        <Select
          labelHidden
          label={text("evaluators.input.value", { name })}
          choices={booleanChoices(initial)}
          value={source}
          onChange={change}
        />
      ) : (
        <TextField
          mono
          labelHidden
          label={text(from === "path" ? "evaluators.input.path" : "evaluators.input.value", { name })}
          placeholder={from === "path" ? `$.${name}` : ""}
          {...(from === "path" ? { list } : {})}
          value={source}
          problem={problem}
          onChange={change}
        />
      )}
      {hint !== null && <p className={styles.inputHint}>{hint}</p>}
    </div>
  );
}

function booleanChoices(initial: boolean) {
  const word = (value: boolean) => text(value ? "evaluators.input.yes" : "evaluators.input.no");
  return [
    { value: "", label: text("evaluators.input.default", { value: word(initial) }) },
    { value: "true", label: word(true) },
    { value: "false", label: word(false) },
  ];
}
