// Asks before an evaluator is detached from its dataset.
import { useState } from "react";
import { Checkbox } from "../../../kit/Field.tsx";
import { ConfirmDialog } from "../../../kit/form/ConfirmDialog.tsx";
import { askGraphql } from "../../../lib/graphql.ts";
import { text } from "../../../texts/texts.ts";
import { deleteEvaluator, type ListedEvaluator } from "./evaluators.queries.ts";

interface DetachDialogProps {
  readonly evaluator: ListedEvaluator;
  readonly onClose: () => void;
}

export function DetachDialog({ evaluator: { id, name, evaluator }, onClose }: DetachDialogProps) {
  const [deletePrompt, setDeletePrompt] = useState(true);
  return (
    <ConfirmDialog
      title={text("evaluators.detach.title", { name })}
      confirm={text("evaluators.detach.confirm")}
      send={() => askGraphql(deleteEvaluator, { id, deletePrompt })}
      changes={["evaluators", "prompts", "projects"]}
      done={text("evaluators.detached", { name })}
      onClose={onClose}
    >
      <p>{text("evaluators.detach.text")}</p>
      {evaluator.kind === "LLM" && (
        <Checkbox label={text("evaluators.detach.prompt")} checked={deletePrompt} onChange={setDeletePrompt} />
      )}
    </ConfirmDialog>
  );
}
