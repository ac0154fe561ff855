// Which dataset the examples go to, one that stands or a new one, of which rows they are made, and into which splits they come.
import { useEffect, useId, useRef } from "react";
import { Segmented, TextField } from "../../kit/Field.tsx";
import { FormDialog } from "../../kit/form/FormDialog.tsx";
import { useForm } from "../../kit/form/use-form.ts";
import { showToast } from "../../kit/Toast.tsx";
import { useDebounced } from "../../lib/debounced.ts";
import { askGraphql, nodesOf } from "../../lib/graphql.ts";
import { linkTo } from "../../lib/links.ts";
import { useGraphql } from "../../lib/queries.ts";
import { text } from "../../texts/texts.ts";
import styles from "./AddToDatasetDialog.module.css";
import {
  addSelection,
  type ChosenDataset,
  datasetChoices,
  knownSplits,
  makeDataset,
  type Source,
  type SourceKind,
  selectionOf,
} from "./addition.queries.ts";

export interface AddToDatasetDialogProps {
  readonly kind: SourceKind;
  /** Global ids of the selected rows. */
  readonly ids: readonly string[];
  /** Null where only what is selected can be taken. */
  readonly matching: Source["matching"] | null;
  readonly onClose: () => void;
}

/** Datasets that are offered at once; the search finds the others. */
const OFFERED = 6;
/** In the place of a dataset's id: the one of the name that is typed. */
const NEW = "new";

export default function AddToDatasetDialog({ kind, ids, matching, onClose }: AddToDatasetDialogProps) {
  // Where the examples were refused, the dataset that was made for them is there all the same.
  const made = useRef<ChosenDataset | null>(null);
  const datasetFor = async (datasetId: string, name: string): Promise<string> => {
    if (datasetId !== NEW) return datasetId;
    if (made.current?.name !== name) {
      made.current = (await askGraphql(makeDataset, { name })).createDataset.dataset;
    }
    return made.current.id;
  };
  const form = useForm(
    { name: "", datasetId: "", splits: "", which: "selected" },
    {
      async send({ datasetId, name, splits, which }) {
        const id = await datasetFor(datasetId, name.trim());
        const source = which === "matching" && matching !== null ? { kind, matching } : { kind, ids };
        return askGraphql(addSelection, {
          datasetId: id,
          selection: selectionOf(source),
          splitNames: splits.split(",").map((each) => each.trim()),
        });
      },
      changes: ["datasets", "datasetSplits"],
      check: ({ datasetId }) => ({ datasetId: datasetId === "" && text("addition.dataset.missing") }),
      done({ addSelectionToDataset: { dataset } }) {
        const count = dataset.newestVersion?.createdCount ?? 0;
        const link = { to: linkTo("examples", { datasetId: dataset.id }), label: text("addition.done.open") };
        showToast(text("addition.done", { name: dataset.name, count }), "plain", link);
      },
      onClose,
    },
  );
  const which = form.field("which");
  const all = which.value === "matching" && matching !== null;
  const count = all ? (matching.count ?? 0) : ids.length;
  return (
    <FormDialog
      open
      form={form}
      title={text(`addition.title.${kind}`)}
      submit={text(`addition.submit.${kind}`, { count })}
    >
      {matching !== null && (
        <Segmented
          label={text("addition.which")}
          value={which.value}
          choices={[
            { value: "selected", label: text("bulk.selected", { count: ids.length }) },
            { value: "matching", label: text("bulk.matching", { count: matching.count ?? 0 }) },
          ]}
          onChange={which.onChange}
        />
      )}
      <DatasetChoice name={form.field("name")} dataset={form.field("datasetId")} />
      <SplitsField {...form.field("splits")} />
      <p className={styles.hint}>{text(`addition.hint.${kind}`)}</p>
    </FormDialog>
  );
}

interface Field {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

interface DatasetChoiceProps {
  /** Searches, and names the new dataset. */
  readonly name: Field;
  readonly dataset: Field & { readonly problem: string | null };
}

function DatasetChoice({ name, dataset: { value: chosen, onChange, problem } }: DatasetChoiceProps) {
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
  const meant = exact?.id ?? (isNew && found.length === 0 ? NEW : undefined);
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
    ...(isNew ? [{ value: NEW, label: text("addition.new", { name: typed }), note: "" }] : []),
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

function SplitsField(field: Field) {
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
