// Asks before a custom provider is deleted, and says what loses it.
import { ConfirmDialog } from "../../../kit/form/ConfirmDialog.tsx";
import { askGraphql } from "../../../lib/graphql.ts";
import { text } from "../../../texts/texts.ts";
import { promptsText } from "./ProviderDetails.tsx";
import { type CustomProvider, deleteProvider } from "./providers.queries.ts";

interface DeleteProviderDialogProps {
  readonly provider: CustomProvider;
  readonly onClose: () => void;
}

export function DeleteProviderDialog({ provider, onClose }: DeleteProviderDialogProps) {
  const { id, name, promptCount: count, promptNames } = provider;
  const names = promptsText(count, promptNames);
  return (
    <ConfirmDialog
      title={text("providers.delete.title", { name })}
      confirm={text("providers.delete")}
      send={() => askGraphql(deleteProvider, { id })}
      changes={["customProviders"]}
      done={text("providers.deleted", { name })}
      onClose={onClose}
    >
      <p>{text("providers.delete.text")}</p>
      {names !== null && <p>{text("providers.delete.prompts", { count, names })}</p>}
    </ConfirmDialog>
  );
}
