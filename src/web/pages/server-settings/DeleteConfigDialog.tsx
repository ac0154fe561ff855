// Asks before an annotation configuration is deleted.
import { deleteConfig } from "../../domain/annotations/configs/config-changes.queries.ts";
import type { ListedConfig } from "../../domain/annotations/configs/configs.queries.ts";
import { ConfirmDialog } from "../../kit/form/ConfirmDialog.tsx";
import { useForm } from "../../kit/form/use-form.ts";
import { showToast } from "../../kit/Toast.tsx";
import { askGraphql } from "../../lib/graphql.ts";
import { text } from "../../texts/texts.ts";

export function DeleteConfigDialog({
  config,
  onClose,
}: {
  readonly config: ListedConfig;
  readonly onClose: () => void;
}) {
  const { id, name } = config;
  const form = useForm(
    {},
    {
      send: () => askGraphql(deleteConfig, { id }),
      changes: ["annotationConfigs"],
      done: () => showToast(text("annotations.deleted", { name })),
      onClose,
    },
  );
  return (
    <ConfirmDialog
      open
      form={form}
      title={text("annotations.delete.title", { name })}
      confirm={text("annotations.delete")}
    >
      <p>{text("annotations.delete.text")}</p>
    </ConfirmDialog>
  );
}
