// Asks before a key is deleted, by its name.
import { ConfirmDialog } from "../../kit/form/ConfirmDialog.tsx";
import { askGraphql } from "../../lib/graphql.ts";
import { text } from "../../texts/texts.ts";
import { deletePersonsKey, deleteSystemKey, type ListedKey } from "./keys.queries.ts";

interface DeleteKeyDialogProps {
  readonly apiKey: ListedKey;
  readonly system?: boolean;
  readonly onClose: () => void;
}

export function DeleteKeyDialog({ apiKey: { id, name }, system = false, onClose }: DeleteKeyDialogProps) {
  return (
    <ConfirmDialog
      title={text("keys.api.delete.title", { name })}
      confirm={text("keys.api.delete")}
      send={() => askGraphql<unknown, { id: string }>(system ? deleteSystemKey : deletePersonsKey, { id })}
      changes={["apiKeys"]}
      done={text("keys.api.deleted", { name })}
      onClose={onClose}
    >
      <p>{text("keys.api.delete.text")}</p>
    </ConfirmDialog>
  );
}
