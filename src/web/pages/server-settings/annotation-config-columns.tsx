// The columns of the table of annotation configurations.
import { Pencil, Trash2 } from "lucide-react";
import type { ListedConfig } from "../../domain/annotations/configs/configs.queries.ts";
import { IconButton } from "../../kit/Button.tsx";
import type { Column } from "../../kit/table/DataTable.tsx";
import { text } from "../../texts/texts.ts";
import styles from "./lists.module.css";

interface ConfigActions {
  readonly onEdit: (config: ListedConfig) => void;
  readonly onDelete: (config: ListedConfig) => void;
}

/** Without actions nothing may be changed. */
export function configColumns(actions: ConfigActions | null): readonly Column<ListedConfig>[] {
  const buttons = ({ onEdit, onDelete }: ConfigActions): Column<ListedConfig> => ({
    key: "actions",
    title: text("settings.actions"),
    width: 80,
    align: "end",
    narrow: "aside",
    render: (config) => (
      <span className={styles.actions}>
        <IconButton
          small
          label={text("annotations.edit.of", { name: config.name })}
          icon={<Pencil />}
          onClick={() => onEdit(config)}
        />
        <IconButton
          small
          label={text("annotations.delete.of", { name: config.name })}
          icon={<Trash2 />}
          onClick={() => onDelete(config)}
        />
      </span>
    ),
  });
  return [
    {
      key: "name",
      title: text("annotations.name"),
      width: 180,
      grow: 1,
      pinned: true,
      narrow: "title",
      render: ({ name }) => <span className={styles.name}>{name}</span>,
    },
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
      render: ({ description }) => description ?? <span className={styles.quiet}>–</span>,
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
