// Asks before a key is deleted, by its name.
import { Button } from "../kit/Button.tsx";
import { Dialog } from "../kit/Dialog.tsx";
import { Notice } from "../kit/States.tsx";
import { showToast } from "../kit/Toast.tsx";
import { useGraphqlMutation } from "../lib/queries.ts";
import { text } from "../texts/texts.ts";
import {
  deletePersonsKey,
  deleteSystemKey,
  keysOfPeople,
  type ListedKey,
  ownKeys,
  systemKeys,
} from "./keys.queries.ts";

interface DeleteKeyDialogProps {
  /** Null while nothing is asked. */
  readonly apiKey: ListedKey | null;
  readonly system?: boolean;
  readonly onClose: () => void;
}

export function DeleteKeyDialog({ apiKey, system = false, onClose }: DeleteKeyDialogProps) {
  const removePersons = useGraphqlMutation(deletePersonsKey, [ownKeys, keysOfPeople]);
  const removeOfSystem = useGraphqlMutation(deleteSystemKey, [systemKeys]);
  const { error, isPending } = system ? removeOfSystem : removePersons;
  const name = apiKey?.name ?? "";
  const close = () => {
    removePersons.reset();
    removeOfSystem.reset();
    onClose();
  };
  const onSuccess = () => {
    showToast(text("keys.api.deleted", { name }));
    close();
  };
  const remove = () => {
    if (apiKey === null) return;
    if (system) removeOfSystem.mutate({ id: apiKey.id }, { onSuccess });
    else removePersons.mutate({ id: apiKey.id }, { onSuccess });
  };
  return (
    <Dialog
      open={apiKey !== null}
      onClose={close}
      title={text("keys.api.delete.title", { name })}
      actions={
        <>
          <Button onClick={close}>{text("kit.cancel")}</Button>
          <Button look="danger" disabled={isPending} onClick={remove}>
            {text("keys.api.delete")}
          </Button>
        </>
      }
    >
      <p>{text("keys.api.delete.text")}</p>
      {error && <Notice tone="error">{error.message}</Notice>}
    </Dialog>
  );
}
