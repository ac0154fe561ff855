// Makes a project by hand. Most come by themselves, with the first trace that names them.
import { useState } from "react";
import { Button } from "../../kit/Button.tsx";
import { FormDialog } from "../../kit/Dialog.tsx";
import { TextArea, TextField } from "../../kit/Field.tsx";
import { showToast } from "../../kit/Toast.tsx";
import { useGraphqlMutation } from "../../lib/queries.ts";
import { text } from "../../texts/texts.ts";
import { createProject, projectFigures, projectList } from "./projects.queries.ts";

export function NewProjectDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [tried, setTried] = useState(false);
  const create = useGraphqlMutation(createProject, [projectList, projectFigures]);
  const isEmpty = name.trim() === "";

  const close = () => {
    setName("");
    setDescription("");
    setTried(false);
    create.reset();
    onClose();
  };
  const submit = () => {
    setTried(true);
    if (isEmpty || create.isPending) return;
    create.mutate(
      { input: { name: name.trim(), description: description.trim() || null } },
      {
        onSuccess: () => {
          showToast(text("projects.new.created", { name: name.trim() }));
          close();
        },
      },
    );
  };

  return (
    <FormDialog
      open={open}
      onClose={close}
      title={text("projects.new")}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={close}>{text("kit.cancel")}</Button>
          <Button type="submit" look="main" disabled={create.isPending}>
            {text("projects.new.create")}
          </Button>
        </>
      }
    >
      <TextField
        label={text("projects.new.name")}
        hint={text("projects.new.name.hint")}
        problem={tried && isEmpty ? text("projects.new.empty") : create.error?.message}
        value={name}
        onChange={setName}
        autoComplete="off"
      />
      <TextArea
        label={text("projects.new.description")}
        note={text("projects.new.optional")}
        value={description}
        onChange={setDescription}
      />
    </FormDialog>
  );
}
