// Makes a project by hand. Most come by themselves, with the first trace that names them.
import { TextArea, TextField } from "../../kit/Field.tsx";
import { FormDialog } from "../../kit/form/FormDialog.tsx";
import { useForm } from "../../kit/form/use-form.ts";
import { showToast } from "../../kit/Toast.tsx";
import { askGraphql } from "../../lib/graphql.ts";
import { text } from "../../texts/texts.ts";
import { createProject } from "./projects.queries.ts";

export function NewProjectDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const form = useForm(
    { name: "", description: "" },
    {
      send: ({ name, description }) =>
        askGraphql(createProject, { input: { name: name.trim(), description: description.trim() || null } }),
      changes: ["projects"],
      check: ({ name }) => ({ name: name.trim() === "" && text("projects.new.empty") }),
      refusalAt: "name",
      done: (_, { name }) => showToast(text("projects.new.created", { name: name.trim() })),
      onClose,
    },
  );
  return (
    <FormDialog open={open} form={form} title={text("projects.new")} submit={text("projects.new.create")}>
      <TextField
        label={text("projects.new.name")}
        hint={text("projects.new.name.hint")}
        autoComplete="off"
        {...form.field("name")}
      />
      <TextArea label={text("projects.new.description")} note={text("kit.optional")} {...form.field("description")} />
    </FormDialog>
  );
}
