// Which dataset examples go to, one that is there or a new one, and into which splits.
import { useEffect, useId, useRef } from "react";
import { TextField } from "../../../kit/Field.tsx";
import { useDebounced } from "../../../lib/debounced.ts";
import { nodesOf } from "../../../lib/graphql.ts";
import { useGraphql } from "../../../lib/queries.ts";
import { text } from "../../../texts/texts.ts";
import { datasetChoices, knownSplits } from "./addition.queries.ts";
import styles from "./DatasetChoice.module.css";

/** Datasets that are offered at once; the search finds the others. */
const OFFERED = 6;
/** In the place of a dataset's id: the one of the name that is typed. */
export const NEW_DATASET = "new";

interface Field {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

interface DatasetChoiceProps {
  /** Searches, and names the new dataset. */
  readonly name: Field;
  readonly dataset: Field & { readonly problem: string | null };
}

export function DatasetChoice({ name, dataset: { value: chosen, onChange, problem } }: DatasetChoiceProps) {
  const group = useId();
  const typed = name.value.trim();
  const searched = useDebounced(typed);
  const { data } = useGraphql(
    datasetChoices,
    { first: OFFERED, filter: searched === "" ? null : { col: "name", value: searched } },
    { keepPrevious: true },
  );
  const found = nodesOf(data?.datasets.edges ?? []);
  const exact = found.find((dataset) => dataset.name === typed);
  const isNew = typed !== "" && data !== undefined && searched === typed && exact === undefined;
  // The one that is meant, as long as there is no doubt.
  const meant = exact?.id ?? (isNew && found.length === 0 ? NEW_DATASET : undefined);
  const choose = useRef(onChange);
  choose.current = onChange;
  useEffect(() => {
    if (meant !== undefined) choose.current(meant);
  }, [meant]);
  const choices = [
    ...found.map(({ id, name: label, exampleCount }) => ({
      value: id,
      label,
      note: text("datasets.example.count", { count: exampleCount }),
    })),
    ...(isNew ? [{ value: NEW_DATASET, label: text("addition.new", { name: typed }), note: "" }] : []),
  ];
  return (
    <div className={styles.choice}>
      <TextField
        label={text("addition.dataset")}
        hint={text("addition.dataset.hint")}
        problem={problem}
        autoComplete="off"
        value={name.value}
        onChange={(value) => {
          name.onChange(value);
          onChange("");
        }}
      />
      <fieldset className={styles.choices}>
        <legend className="visually-hidden">{text("addition.datasets")}</legend>
        {choices.map(({ value, label, note }) => (
          <label key={value}>
            <input type="radio" name={group} checked={value === chosen} onChange={() => onChange(value)} />
            <bdi>{label}</bdi>
            <small>{note}</small>
          </label>
        ))}
      </fieldset>
    </div>
  );
}

export function SplitsField(field: Field) {
  const list = useId();
  const { data } = useGraphql(knownSplits, {});
  return (
    <>
      <TextField
        label={text("addition.splits")}
        note={text("kit.optional")}
        hint={text("addition.splits.hint")}
        autoComplete="off"
        list={list}
        {...field}
      />
      <datalist id={list}>
        {nodesOf(data?.datasetSplits.edges ?? []).map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
    </>
  );
}
