// The columns of the table of annotation configurations.
import { Pencil, Trash2 } from "lucide-react";
import type { ListedConfig } from "../../domain/annotations/configs/configs.queries.ts";
import type { Column } from "../../kit/table/DataTable.tsx";
import { actionsColumn, nameColumn, Quiet } from "../../kit/table/thing-columns.tsx";
import { text } from "../../texts/texts.ts";

interface ConfigActions {
  readonly onEdit: (config: ListedConfig) => void;
  readonly onDelete: (config: ListedConfig) => void;
}

const buttons = ({ onEdit, onDelete }: ConfigActions) =>
  actionsColumn<ListedConfig>(80, (config) => [
    { label: text("annotations.edit.of", { name: config.name }), icon: <Pencil />, run: () => onEdit(config) },
    { label: text("annotations.delete.of", { name: config.name }), icon: <Trash2 />, run: () => onDelete(config) },
  ]);

/** Without actions nothing may be changed. */
export function configColumns(actions: ConfigActions | null): readonly Column<ListedConfig>[] {
  return [
    nameColumn({ title: text("annotations.name"), width: 180, grow: 1, nameOf: ({ name }) => name }),
    {
      key: "type",
      title: text("annotations.type"),
      width: 120,
      narrow: "line",
      render: ({ annotationType }) => text(`annotations.type.${annotationType}`),
    },
    {
      key: "content",
      title: text("annotations.content"),
      width: 220,
      grow: 1,
      narrow: "line",
      render: (config) => contentText(config),
    },
    {
      key: "description",
      title: text("annotations.description"),
      width: 240,
      grow: 2,
      render: ({ description }) => description ?? <Quiet />,
    },
    ...(actions === null ? [] : [buttons(actions)]),
  ];
}

function contentText(config: ListedConfig): string {
  if (config.__typename === "CategoricalAnnotationConfig") return config.values.map(({ label }) => label).join(" · ");
  const { lowerBound, upperBound } = config;
  if (lowerBound === null && upperBound === null) {
    return text(
      config.__typename === "FreeformAnnotationConfig" ? "annotations.content.text" : "annotations.content.any",
    );
  }
  return text("annotations.content.range", { lower: lowerBound ?? "…", upper: upperBound ?? "…" });
}
