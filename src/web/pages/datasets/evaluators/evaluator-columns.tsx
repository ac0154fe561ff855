// The columns of a dataset's evaluators.
import { Pencil, Trash2 } from "lucide-react";
import { Badge } from "../../../kit/States.tsx";
import type { Column } from "../../../kit/table/DataTable.tsx";
import { actionsColumn, agoColumn, Mono, nameColumn, Quiet } from "../../../kit/table/thing-columns.tsx";
import { text } from "../../../texts/texts.ts";
import type { ListedEvaluator } from "./evaluators.queries.ts";
import { mappingText } from "./input-mapping.ts";
import { outputText } from "./outputs.ts";

interface EvaluatorActions {
  readonly onEdit: (evaluator: ListedEvaluator) => void;
  readonly onDetach: (evaluator: ListedEvaluator) => void;
}

const buttons = ({ onEdit, onDetach }: EvaluatorActions) =>
  actionsColumn<ListedEvaluator>(80, (evaluator) => [
    { label: text("evaluators.edit", { name: evaluator.name }), icon: <Pencil />, run: () => onEdit(evaluator) },
    { label: text("evaluators.detach", { name: evaluator.name }), icon: <Trash2 />, run: () => onDetach(evaluator) },
  ]);

/** Without actions nothing may be changed. */
export function evaluatorColumns(actions: EvaluatorActions | null): readonly Column<ListedEvaluator>[] {
  return [
    nameColumn({ title: text("evaluators.name"), width: 200, grow: 1, nameOf: ({ name }) => name }),
    {
      key: "kind",
      title: text("evaluators.kind"),
      width: 230,
      narrow: "line",
      render: ({ evaluator }) => (
        <>
          <Badge>{text(`evaluators.kind.${evaluator.kind}`)}</Badge>{" "}
          <Quiet>
            {evaluator.__typename === "LLMEvaluator" ? (evaluator.promptVersion?.modelName ?? "") : evaluator.name}
          </Quiet>
        </>
      ),
    },
    {
      key: "mapping",
      title: text("evaluators.mapping"),
      width: 240,
      grow: 2,
      render: ({ inputMapping }) => <Mono>{mappingText(inputMapping)}</Mono>,
    },
    {
      key: "outputs",
      title: text("evaluators.outputs"),
      width: 200,
      grow: 1,
      narrow: "line",
      render: ({ outputConfigs }) => outputConfigs.map(outputText).join(", "),
    },
    {
      key: "author",
      title: text("evaluators.author"),
      width: 120,
      hidden: true,
      render: ({ user }) => user?.username ?? "",
    },
    agoColumn("updated", text("evaluators.updated"), ({ updatedAt }) => updatedAt),
    ...(actions === null ? [] : [buttons(actions)]),
  ];
}
