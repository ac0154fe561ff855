// The control that an annotation configuration makes: numbered labels, a slider between bounds, or a text.
import { ChoiceRow } from "../../kit/ChoiceRow.tsx";
import { TextArea, TextField } from "../../kit/Field.tsx";
import { Slider } from "../../kit/Slider.tsx";
import { text } from "../../texts/texts.ts";

export type JudgedBy = { readonly name: string } & (
  | {
      readonly type: "CATEGORICAL";
      readonly values: readonly { readonly label: string; readonly score: number | null }[];
    }
  | { readonly type: "CONTINUOUS"; readonly lowerBound: number | null; readonly upperBound: number | null }
  | { readonly type: "FREEFORM" }
);

interface JudgeControlProps {
  readonly by: JudgedBy;
  /** The label, the number as text, or the text; empty without a value. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly firstDigit?: number | undefined;
}

export function JudgeControl({ by, value, onChange, firstDigit }: JudgeControlProps) {
  if (by.type === "CATEGORICAL") {
    return (
      <ChoiceRow
        label={by.name}
        value={value === "" ? null : value}
        choices={by.values.map(({ label, score }) => ({
          value: label,
          note: score === null ? undefined : String(score),
        }))}
        onChange={(chosen) => onChange(chosen ?? "")}
        firstDigit={firstDigit}
      />
    );
  }
  if (by.type === "FREEFORM") return <TextArea label={by.name} value={value} onChange={onChange} />;
  const { lowerBound: min, upperBound: max } = by;
  if (min === null || max === null) {
    return <TextField label={by.name} inputMode="decimal" value={value} onChange={onChange} />;
  }
  return (
    <Slider
      label={by.name}
      value={value === "" ? null : Number(value)}
      min={min}
      max={max}
      none={text("annotations.unset")}
      onChange={(moved) => onChange(String(moved))}
    />
  );
}
