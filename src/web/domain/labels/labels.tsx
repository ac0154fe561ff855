// The labels of a thing in a form: those there are, and a new one, which is made when the form is sent.
import { Checkbox, TextField } from "../../kit/Field.tsx";
import type { FormField } from "../../kit/form/use-form.ts";
import { text } from "../../texts/texts.ts";

export interface Label {
  readonly id: string;
  readonly name: string;
}

interface LabelFieldsProps {
  /** Undefined while they are asked for. */
  readonly labels: readonly Label[] | undefined;
  readonly chosen: FormField<readonly string[]>;
  readonly added: FormField<string>;
  /** Where a new label goes. */
  readonly hint: string;
}

export function LabelFields({ labels, chosen: { value: ids, onChange }, added, hint }: LabelFieldsProps) {
  return (
    <>
      <fieldset>
        <legend>{text("labels.title")}</legend>
        {labels?.length === 0 && <p>{text("labels.none")}</p>}
        {labels?.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            checked={ids.includes(id)}
            onChange={(checked) => onChange(checked ? [...ids, id] : ids.filter((each) => each !== id))}
          />
        ))}
      </fieldset>
      <TextField label={text("labels.new")} note={text("kit.optional")} hint={hint} autoComplete="off" {...added} />
    </>
  );
}

/** The colour of a label for which none was chosen. */
export const PLAIN_COLOR = "#8b837a";

interface LabelValues {
  readonly labelIds: readonly string[];
  readonly newLabel: string;
}

/** The ids of the chosen labels and of the new one. */
export async function madeLabels(
  { labelIds, newLabel }: LabelValues,
  make: (label: { readonly name: string; readonly color: string }) => Promise<readonly Label["id"][]>,
): Promise<string[]> {
  const name = newLabel.trim();
  return [...labelIds, ...(name === "" ? [] : await make({ name, color: PLAIN_COLOR }))];
}
