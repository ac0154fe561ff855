// What is said of a dataset as a whole: made, edited with its labels, and deleted.
import { useState } from "react";
import { Checkbox, TextArea, TextField } from "../../kit/Field.tsx";
import { ConfirmDialog } from "../../kit/form/ConfirmDialog.tsx";
import { FormDialog } from "../../kit/form/FormDialog.tsx";
import { useForm } from "../../kit/form/use-form.ts";
import { showToast } from "../../kit/Toast.tsx";
import { askGraphql, nodesOf } from "../../lib/graphql.ts";
import { useGraphql } from "../../lib/queries.ts";
import { text } from "../../texts/texts.ts";
import { createDataset, createLabel, deleteDataset, labelList, patchDataset, setLabels } from "./datasets.queries.ts";

interface NewDatasetDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

export function NewDatasetDialog({ open, onClose }: NewDatasetDialogProps) {
  const form = useForm(
    { name: "", description: "" },
    {
      send: ({ name, description }) =>
        askGraphql(createDataset, { input: { name: name.trim(), description: description.trim() || null } }),
      changes: ["datasets"],
      check: ({ name }) => ({ name: name.trim() === "" && text("datasets.name.empty") }),
      refusalAt: "name",
      done: (_, { name }) => showToast(text("datasets.new.done", { name: name.trim() })),
      onClose,
    },
  );
  return (
    <FormDialog open={open} form={form} title={text("datasets.new")} submit={text("datasets.new.create")}>
      <TextField label={text("datasets.name")} autoComplete="off" {...form.field("name")} />
      <TextArea label={text("datasets.description")} note={text("kit.optional")} {...form.field("description")} />
    </FormDialog>
  );
}

interface ChangedDataset {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly labels: readonly { readonly id: string }[];
}

interface DialogProps {
  readonly dataset: ChangedDataset;
  readonly onClose: () => void;
}

/** The colour of a label that nobody chose one for. */
const PLAIN_COLOR = "#8b837a";

export function EditDatasetDialog({ dataset: { id, name, description, labels }, onClose }: DialogProps) {
  const known = useGraphql(labelList, {});
  const [start] = useState(() => labels.map((label) => label.id));
  const form = useForm(
    { name, description: description ?? "", labelIds: start, newLabel: "" },
    {
      async send(values) {
        await askGraphql(patchDataset, {
          id,
          name: values.name.trim(),
          description: values.description.trim() || null,
        });
        const label = values.newLabel.trim();
        const made = label === "" ? [] : [await makeLabel(label)];
        await askGraphql(setLabels, { id, labelIds: [...values.labelIds, ...made] });
      },
      changes: ["datasets", "datasetLabels"],
      check: (values) => ({ name: values.name.trim() === "" && text("datasets.name.empty") }),
      done: (_, values) => showToast(text("datasets.edit.done", { name: values.name.trim() })),
      onClose,
    },
  );
  const { value: chosen, onChange } = form.field("labelIds");
  const choices = nodesOf(known.data?.datasetLabels.edges ?? []);
  return (
    <FormDialog open firm form={form} title={text("datasets.edit.of", { name })} submit={text("datasets.edit.save")}>
      <TextField label={text("datasets.name")} autoComplete="off" {...form.field("name")} />
      <TextArea label={text("datasets.description")} note={text("kit.optional")} {...form.field("description")} />
      <fieldset>
        <legend>{text("datasets.labels")}</legend>
        {known.data !== undefined && choices.length === 0 && <p>{text("datasets.labels.none")}</p>}
        {choices.map((label) => (
          <Checkbox
            key={label.id}
            label={label.name}
            checked={chosen.includes(label.id)}
            onChange={(checked) =>
              onChange(checked ? [...chosen, label.id] : chosen.filter((each) => each !== label.id))
            }
          />
        ))}
      </fieldset>
      <TextField
        label={text("datasets.labels.new")}
        note={text("kit.optional")}
        hint={text("datasets.labels.new.hint")}
        autoComplete="off"
        {...form.field("newLabel")}
      />
    </FormDialog>
  );
}

async function makeLabel(name: string): Promise<string> {
  const { createDatasetLabel } = await askGraphql(createLabel, { name, color: PLAIN_COLOR });
  return createDatasetLabel.datasetLabel.id;
}

interface DeleteDialogProps extends DialogProps {
  /** It is gone. */
  readonly onDone?: () => void;
}

export function DeleteDatasetDialog({ dataset: { id, name }, onClose, onDone }: DeleteDialogProps) {
  const form = useForm(
    {},
    {
      send: () => askGraphql(deleteDataset, { id }),
      changes: ["datasets"],
      done() {
        showToast(text("datasets.delete.done", { name }));
        onDone?.();
      },
      onClose,
    },
  );
  return (
    <ConfirmDialog
      open
      form={form}
      title={text("datasets.delete.title", { name })}
      confirm={text("datasets.delete.confirm")}
    >
      <p>{text("datasets.delete.text")}</p>
    </ConfirmDialog>
  );
}
