// Stores, replaces and deletes a secret.
import { changeProblem } from "../../../modules/accounts/secrets/secret-change.rules.ts";
import { PasswordField } from "../../domain/account/PasswordField.tsx";
import { TextField } from "../../kit/Field.tsx";
import { ConfirmDialog } from "../../kit/form/ConfirmDialog.tsx";
import { FormDialog } from "../../kit/form/FormDialog.tsx";
import { useForm } from "../../kit/form/use-form.ts";
import { showToast } from "../../kit/Toast.tsx";
import { askGraphql } from "../../lib/graphql.ts";
import { text } from "../../texts/texts.ts";
import { changeSecrets } from "./secrets.queries.ts";

interface SecretDialogProps {
  /** Empty where it is typed, too. */
  readonly name: string;
  readonly taken: ReadonlySet<string>;
  readonly onClose: () => void;
}

export function SecretDialog({ name: given, taken, onClose }: SecretDialogProps) {
  const form = useForm(
    { name: given, value: "" },
    {
      send: ({ name, value }) => askGraphql(changeSecrets, { input: { secrets: [{ key: name.trim(), value }] } }),
      changes: ["secrets"],
      check({ name, value }) {
        const key = name.trim();
        const problem = changeProblem({ key, value: null });
        return problem === null ? { value: changeProblem({ key, value }) } : { name: problem };
      },
      early: ["name"],
      done: (_, { name }) => showToast(text("secrets.stored", { name: name.trim() })),
      onClose,
    },
  );
  return (
    <FormDialog
      open
      form={form}
      title={titleOf(given, taken)}
      submit={text(taken.has(given) ? "secrets.replace" : "secrets.new.save")}
    >
      {given === "" && (
        <TextField
          mono
          label={text("secrets.name")}
          hint={text(taken.has(form.values.name.trim()) ? "secrets.new.taken" : "secrets.new.name.hint")}
          {...form.field("name")}
        />
      )}
      <PasswordField
        label={text("secrets.value")}
        purpose="off"
        hint={text("secrets.new.value.hint")}
        {...form.field("value")}
      />
    </FormDialog>
  );
}

/** A name that is given may be that of a secret that is not stored yet. */
function titleOf(name: string, taken: ReadonlySet<string>): string {
  if (name === "") return text("secrets.new");
  return text(taken.has(name) ? "secrets.replace.of" : "secrets.store.of", { name });
}

export function DeleteSecretDialog({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  return (
    <ConfirmDialog
      title={text("secrets.delete.title", { name })}
      confirm={text("secrets.delete")}
      send={() => askGraphql(changeSecrets, { input: { secrets: [{ key: name, value: null }] } })}
      changes={["secrets"]}
      done={text("secrets.deleted", { name })}
      onClose={onClose}
    >
      <p>{text("secrets.delete.text")}</p>
    </ConfirmDialog>
  );
}
