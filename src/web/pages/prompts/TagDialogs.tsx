// Points a tag at a version, and takes it away.

import { isName } from "../../domain/prompts/names.ts";
import { Button } from "../../kit/Button.tsx";
import { TextField } from "../../kit/Field.tsx";
import { ConfirmDialog } from "../../kit/form/ConfirmDialog.tsx";
import { FormDialog } from "../../kit/form/FormDialog.tsx";
import { useForm } from "../../kit/form/use-form.ts";
import { showToast } from "../../kit/Toast.tsx";
import { askGraphql } from "../../lib/graphql.ts";
import { text } from "../../texts/texts.ts";
import { type ListedVersion, removeTag, setTag } from "./prompts.queries.ts";
import styles from "./TagDialogs.module.css";

interface TagDialogProps {
  readonly version: ListedVersion;
  readonly versions: readonly ListedVersion[];
  readonly onClose: () => void;
}

export function TagDialog({ version, versions, onClose }: TagDialogProps) {
  const number = version.sequenceNumber;
  const form = useForm(
    { name: "", description: "" },
    {
      send: ({ name, description }) =>
        askGraphql(setTag, { versionId: version.id, name: name.trim(), description: description.trim() || null }),
      changes: ["prompts"],
      check: ({ name }) => ({ name: !isName(name.trim()) && text("prompts.tag.name.wrong") }),
      refusalAt: "name",
      done: (_, { name }) => showToast(text("prompts.tag.done", { name: name.trim(), number })),
      onClose,
    },
  );
  const elsewhere = versions
    .filter(({ id }) => id !== version.id)
    .flatMap(({ sequenceNumber, tags }) => tags.map(({ id, name }) => ({ id, name, number: sequenceNumber })));
  const name = form.field("name");
  return (
    <FormDialog open form={form} title={text("prompts.tag.title", { number })} submit={text("prompts.tag.set")}>
      <TextField mono label={text("prompts.tag.name")} hint={text("prompts.tag.name.hint")} {...name} />
      {elsewhere.length > 0 && (
        <fieldset className={styles.known}>
          <legend className="visually-hidden">{text("prompts.tag.known")}</legend>
          {elsewhere.map((tag) => (
            <Button key={tag.id} pressed={name.value === tag.name} onClick={() => name.onChange(tag.name)}>
              {text("prompts.tag.known.of", tag)}
            </Button>
          ))}
        </fieldset>
      )}
      <TextField
        label={text("prompts.tag.description")}
        note={text("kit.optional")}
        autoComplete="off"
        {...form.field("description")}
      />
    </FormDialog>
  );
}

interface RemoveTagDialogProps {
  readonly tag: ListedVersion["tags"][number];
  readonly onClose: () => void;
}

export function RemoveTagDialog({ tag: { id, name }, onClose }: RemoveTagDialogProps) {
  return (
    <ConfirmDialog
      title={text("prompts.tag.remove.title", { name })}
      confirm={text("prompts.tag.remove.confirm")}
      send={() => askGraphql(removeTag, { id })}
      changes={["prompts"]}
      done={text("prompts.tag.removed", { name })}
      onClose={onClose}
    >
      <p>{text("prompts.tag.remove.text")}</p>
    </ConfirmDialog>
  );
}
