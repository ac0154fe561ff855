// The outputs of an evaluator: names, labels with scores, and which scores are the better ones.
import { Plus, Trash2, X } from "lucide-react";
import { Button, IconButton } from "../../../kit/Button.tsx";
import { Select, TextField } from "../../../kit/Field.tsx";
import { text } from "../../../texts/texts.ts";
import styles from "./Evaluators.module.css";
import { type LabelDraft, labelPlace, newLabel, newOutput, type OutputDraft, outputPlace } from "./outputs.ts";

interface OutputFieldsProps {
  readonly outputs: readonly OutputDraft[];
  /** Whether outputs and labels can be added and removed: those of built-in evaluators are found by their position. */
  readonly growing: boolean;
  readonly problemAt: (place: string) => string | null;
  readonly onChange: (outputs: readonly OutputDraft[]) => void;
}

const directions = (["MAXIMIZE", "MINIMIZE", "NONE"] as const).map((value) => ({
  value,
  label: text(`evaluators.output.direction.${value}`),
}));

export function OutputFields({ outputs, growing, problemAt, onChange }: OutputFieldsProps) {
  return (
    <div className={styles.outputs}>
      {outputs.map((output, position) => (
        <OutputField
          key={output.key}
          output={output}
          number={position + 1}
          growing={growing}
          problemAt={problemAt}
          onChange={(changed) => onChange(outputs.map((each) => (each === output ? changed : each)))}
          onRemove={growing && outputs.length > 1 ? () => onChange(outputs.filter((each) => each !== output)) : null}
        />
      ))}
      {growing && (
        <span>
          <Button icon={<Plus />} onClick={() => onChange([...outputs, newOutput("", "MAXIMIZE", { yes: 1, no: 0 })])}>
            {text("evaluators.output.add")}
          </Button>
        </span>
      )}
    </div>
  );
}

interface OutputFieldProps {
  readonly output: OutputDraft;
  /** From 1. */
  readonly number: number;
  readonly growing: boolean;
  readonly problemAt: (place: string) => string | null;
  readonly onChange: (output: OutputDraft) => void;
  readonly onRemove: (() => void) | null;
}

function OutputField({ output, number, growing, problemAt, onChange, onRemove }: OutputFieldProps) {
  const { labels } = output;
  const change = (changed: readonly LabelDraft[]) => onChange({ ...output, labels: changed });
  return (
    <div className={styles.output}>
      <div className={styles.outputHead}>
        <TextField
          labelHidden
          label={text("evaluators.output.name", { number })}
          autoComplete="off"
          value={output.name}
          problem={problemAt(outputPlace(output.key))}
          onChange={(name) => onChange({ ...output, name })}
        />
        {output.kind !== "freeform" && (
          <Select
            labelHidden
            label={text("evaluators.output.direction", { number })}
            choices={directions}
            value={output.direction}
            onChange={(direction) => onChange({ ...output, direction })}
          />
        )}
        {onRemove !== null && (
          <IconButton label={text("evaluators.output.remove", { number })} icon={<Trash2 />} onClick={onRemove} />
        )}
      </div>
      {output.kind === "categorical" && (
        <>
          <div className={styles.labelHead} aria-hidden="true">
            <span>{text("evaluators.label.head")}</span>
            <span>{text("evaluators.score.head")}</span>
          </div>
          {labels.map((label, position) => (
            <div key={label.key} className={styles.label}>
              <TextField
                labelHidden
                label={text("evaluators.label", { number: position + 1 })}
                autoComplete="off"
                value={label.label}
                problem={problemAt(labelPlace(label.key))}
                onChange={(typed) => change(labels.map((each) => (each === label ? { ...each, label: typed } : each)))}
              />
              <TextField
                labelHidden
                label={text("evaluators.label.score", { number: position + 1 })}
                inputMode="decimal"
                autoComplete="off"
                value={label.score}
                onChange={(score) => change(labels.map((each) => (each === label ? { ...each, score } : each)))}
              />
              {growing && labels.length > 2 && (
                <IconButton
                  label={text("evaluators.label.remove", { number: position + 1 })}
                  icon={<X />}
                  onClick={() => change(labels.filter((each) => each !== label))}
                />
              )}
            </div>
          ))}
          {growing && (
            <span>
              <Button look="quiet" icon={<Plus />} onClick={() => change([...labels, newLabel()])}>
                {text("evaluators.label.add")}
              </Button>
            </span>
          )}
        </>
      )}
    </div>
  );
}
