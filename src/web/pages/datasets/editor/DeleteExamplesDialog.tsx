// Examples go out of the dataset with a new version; older versions keep them.
import { ConfirmDialog } from "../../../kit/form/ConfirmDialog.tsx";
import { askGraphql } from "../../../lib/graphql.ts";
import { text } from "../../../texts/texts.ts";
import { deleteExamples } from "./examples.queries.ts";

interface DeleteExamplesDialogProps {
  readonly exampleIds: readonly string[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export default function DeleteExamplesDialog({ exampleIds, onDone, onClose }: DeleteExamplesDialogProps) {
  const count = exampleIds.length;
  return (
    <ConfirmDialog
      title={text("datasets.remove.title", { count })}
      confirm={text("datasets.remove.confirm", { count })}
      send={() => askGraphql(deleteExamples, { input: { exampleIds: [...exampleIds] } })}
      changes={["datasets"]}
      done={text("datasets.remove.done", { count })}
      onDone={onDone}
      onClose={onClose}
    >
      <p>{text("datasets.remove.text")}</p>
    </ConfirmDialog>
  );
}
