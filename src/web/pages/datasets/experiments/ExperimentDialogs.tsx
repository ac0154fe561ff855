// An experiment renamed, and experiments deleted.
import { useState } from "react";
import { Checkbox, TextArea, TextField } from "../../../kit/Field.tsx";
import { ConfirmDialog } from "../../../kit/form/ConfirmDialog.tsx";
import { FormDialog } from "../../../kit/form/FormDialog.tsx";
import { useForm } from "../../../kit/form/use-form.ts";
import { showToast } from "../../../kit/Toast.tsx";
import { failureOfResponse, unreachable } from "../../../lib/failure.ts";
import { askGraphql } from "../../../lib/graphql.ts";
import { queryText } from "../../../lib/rest.ts";
import { fetchApi } from "../../../lib/session.ts";
import { text } from "../../../texts/texts.ts";
import { type ListedExperiment, patchExperiment } from "./experiments.queries.ts";

interface EditExperimentDialogProps {
  readonly experiment: ListedExperiment;
  readonly onClose: () => void;
}

export function EditExperimentDialog({ experiment, onClose }: EditExperimentDialogProps) {
  const form = useForm(
    { name: experiment.name, description: experiment.description ?? "" },
    {
      send: ({ name, description }) =>
        askGraphql(patchExperiment, {
          id: experiment.id,
          name: name.trim(),
          description: description.trim() || null,
        }),
      changes: ["experiments"],
      check: ({ name }) => ({ name: name.trim() === "" && text("experiments.name.empty") }),
      done: (_, { name }) => showToast(text("experiments.edit.done", { name: name.trim() })),
      onClose,
    },
  );
  return (
    <FormDialog
      open
      form={form}
      title={text("experiments.edit.of", { name: experiment.name })}
      submit={text("experiments.edit.save")}
    >
      <TextField label={text("experiments.name")} autoComplete="off" {...form.field("name")} />
      <TextArea label={text("datasets.description")} note={text("kit.optional")} {...form.field("description")} />
    </FormDialog>
  );
}

interface DeleteExperimentsDialogProps {
  readonly experiments: readonly ListedExperiment[];
  readonly onClose: () => void;
  /** They are gone. */
  readonly onDone: () => void;
}

export function DeleteExperimentsDialog({ experiments, onClose, onDone }: DeleteExperimentsDialogProps) {
  const [withProject, setWithProject] = useState(true);
  const [first] = experiments;
  const count = experiments.length;
  return (
    <ConfirmDialog
      title={
        count === 1
          ? text("experiments.delete.title", { name: first?.name ?? "" })
          : text("experiments.delete.title.many", { count })
      }
      confirm={text("experiments.delete.confirm", { count })}
      send={async () => {
        for (const { id } of experiments) await deleteExperiment(id, withProject);
      }}
      changes={["experiments", "projects"]}
      done={text("experiments.delete.done", { count })}
      onDone={onDone}
      onClose={onClose}
    >
      <p>{text("experiments.delete.text")}</p>
      <Checkbox label={text("experiments.delete.project")} checked={withProject} onChange={setWithProject} />
    </ConfirmDialog>
  );
}

/** One that is gone already is what was wanted. */
async function deleteExperiment(id: string, withProject: boolean): Promise<void> {
  const path = `v1/experiments/${encodeURIComponent(id)}${queryText({ delete_project: withProject })}`;
  const response = await fetchApi(path, { method: "DELETE" }).catch((error: unknown) => {
    throw unreachable(error);
  });
  if (!response.ok && response.status !== 404) throw await failureOfResponse(response);
}
