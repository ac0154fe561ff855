// Stores, replaces and deletes a secret.
import { useState } from "react";
import { changeProblem } from "../../../modules/secrets/secret-change.rules.ts";
import { PasswordField } from "../../account/PasswordField.tsx";
import { Button } from "../../kit/Button.tsx";
import { Dialog, FormDialog } from "../../kit/Dialog.tsx";
import { TextField } from "../../kit/Field.tsx";
import { Notice } from "../../kit/States.tsx";
import { showToast } from "../../kit/Toast.tsx";
import { useGraphqlMutation } from "../../lib/queries.ts";
import { text } from "../../texts/texts.ts";
import { changeSecrets, secretList } from "./secrets.queries.ts";

interface SecretDialogProps {
  /** Empty for a new one. */
  readonly name: string;
  readonly taken: ReadonlySet<string>;
  readonly onClose: () => void;
}

export function SecretDialog({ name: given, taken, onClose }: SecretDialogProps) {
  const [name, setName] = useState(given);
  const [value, setValue] = useState("");
  const [tried, setTried] = useState(false);
  const change = useGraphqlMutation(changeSecrets, [secretList]);
  const key = name.trim();
  const nameProblem = changeProblem({ key, value: null });
  const valueProblem = nameProblem === null ? changeProblem({ key, value }) : null;
  const submit = () => {
    setTried(true);
    if (nameProblem !== null || valueProblem !== null || change.isPending) return;
    const onSuccess = () => {
      showToast(text("secrets.stored", { name: key }));
      onClose();
    };
    change.mutate({ input: { secrets: [{ key, value }] } }, { onSuccess });
  };
  return (
    <FormDialog
      open
      onClose={onClose}
      title={given === "" ? text("secrets.new") : text("secrets.replace.of", { name: given })}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={onClose}>{text("kit.cancel")}</Button>
          <Button type="submit" look="main" disabled={change.isPending}>
            {text(given === "" ? "secrets.new.save" : "secrets.replace")}
          </Button>
        </>
      }
    >
      {change.error && <Notice tone="error">{change.error.message}</Notice>}
      {given === "" && (
        <TextField
          mono
          label={text("secrets.name")}
          hint={text(taken.has(key) ? "secrets.new.taken" : "secrets.new.name.hint")}
          problem={tried || (key !== "" && nameProblem !== null) ? nameProblem : null}
          value={name}
          onChange={setName}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <PasswordField
        label={text("secrets.value")}
        purpose="off"
        hint={text("secrets.new.value.hint")}
        problem={tried ? valueProblem : null}
        value={value}
        onChange={setValue}
      />
    </FormDialog>
  );
}

export function DeleteSecretDialog({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const change = useGraphqlMutation(changeSecrets, [secretList]);
  const remove = () => {
    if (change.isPending) return;
    const onSuccess = () => {
      showToast(text("secrets.deleted", { name }));
      onClose();
    };
    change.mutate({ input: { secrets: [{ key: name, value: null }] } }, { onSuccess });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={text("secrets.delete.title", { name })}
      actions={
        <>
          <Button onClick={onClose}>{text("kit.cancel")}</Button>
          <Button look="danger" disabled={change.isPending} onClick={remove}>
            {text("secrets.delete")}
          </Button>
        </>
      }
    >
      <p>{text("secrets.delete.text")}</p>
      {change.error && <Notice tone="error">{change.error.message}</Notice>}
    </Dialog>
  );
}
