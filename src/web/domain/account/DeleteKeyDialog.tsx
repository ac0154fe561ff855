// Asks before a key is deleted, by its name.
import { ConfirmDialog } from "../../kit/form/ConfirmDialog.tsx";
import { useForm } from "../../kit/form/use-form.ts";
import { showToast } from "../../kit/Toast.tsx";
import { askGraphql } from "../../lib/graphql.ts";
import { text } from "../../texts/texts.ts";
import { deletePersonsKey, deleteSystemKey, type ListedKey } from "./keys.queries.ts";

interface DeleteKeyDialogProps {
  readonly apiKey: ListedKey;
  readonly system?: boolean;
  readonly onClose: () => void;
}

export function DeleteKeyDialog({ apiKey: { id, name }, system = false, onClose }: DeleteKeyDialogProps) {
  const form = useForm(
    {},
    {
      send: () => askGraphql<unknown, { id: string }>(system ? deleteSystemKey : deletePersonsKey, { id }),
      changes: ["apiKeys"],
      done: () => showToast(text("keys.api.deleted", { name })),
      onClose,
    },
  );
  return (
    <ConfirmDialog open form={form} title={text("keys.api.delete.title", { name })} confirm={text("keys.api.delete")}>
      <p>{text("keys.api.delete.text")}</p>
    </ConfirmDialog>
  );
}
