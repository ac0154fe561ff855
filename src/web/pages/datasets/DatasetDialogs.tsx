// Dialogs of a dataset as a whole: created, edited with its labels, and deleted.
import { useState } from "react";
import { LabelFields, madeLabels } from "../../domain/labels/labels.tsx";
import { TextArea, TextField } from "../../kit/Field.tsx";
import { ConfirmDialog } from "../../kit/form/ConfirmDialog.tsx";
import { FormDialog } from "../../kit/form/FormDialog.tsx";
import { useForm } from "../../kit/form/use-form.ts";
import { showToast } from "../../kit/Toast.tsx";
import { askGraphql, nodesOf, type VariablesOf } from "../../lib/graphql.ts";
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

export function EditDatasetDialog({ dataset: { id, name, description, labels }, onClose }: DialogProps) {
  const known = useGraphql(labelList, {}).data?.datasetLabels.edges;
  const [start] = useState((): readonly string[] => labels.map((label) => label.id));
  const form = useForm(
    { name, description: description ?? "", labelIds: start, newLabel: "" },
    {
      async send(values) {
        await askGraphql(patchDataset, {
          id,
          name: values.name.trim(),
          description: values.description.trim() || null,
        });
        await askGraphql(setLabels, { id, labelIds: await madeLabels(values, makeLabel) });
      },
      changes: ["datasets", "datasetLabels"],
      check: (values) => ({ name: values.name.trim() === "" && text("datasets.name.empty") }),
      done: (_, values) => showToast(text("datasets.edit.done", { name: values.name.trim() })),
      onClose,
    },
  );
  return (
    <FormDialog open firm form={form} title={text("datasets.edit.of", { name })} submit={text("datasets.edit.save")}>
      <TextField label={text("datasets.name")} autoComplete="off" {...form.field("name")} />
      <TextArea label={text("datasets.description")} note={text("kit.optional")} {...form.field("description")} />
      <LabelFields
        labels={known && nodesOf(known)}
        chosen={form.field("labelIds")}
        added={form.field("newLabel")}
        hint={text("datasets.labels.new.hint")}
      />
    </FormDialog>
  );
}

async function makeLabel(label: VariablesOf<typeof createLabel>): Promise<readonly string[]> {
  return [(await askGraphql(createLabel, label)).createDatasetLabel.datasetLabel.id];
}

interface DeleteDialogProps extends DialogProps {
  /** It is gone. */
  readonly onDone?: () => void;
}

export function DeleteDatasetDialog({ dataset: { id, name }, onClose, onDone }: DeleteDialogProps) {
  return (
    <ConfirmDialog
      title={text("datasets.delete.title", { name })}
      confirm={text("datasets.delete.confirm")}
      send={() => askGraphql(deleteDataset, { id })}
      changes={["datasets"]}
      done={text("datasets.delete.done", { name })}
      onDone={onDone}
      onClose={onClose}
    >
      <p>{text("datasets.delete.text")}</p>
    </ConfirmDialog>
  );
}
