// The columns of the table of datasets.
import { Pencil, Trash2 } from "lucide-react";
import { Link } from "wouter";
import { IconButton } from "../../kit/Button.tsx";
import { Badge } from "../../kit/States.tsx";
import { Time } from "../../kit/Time.tsx";
import type { Column } from "../../kit/table/DataTable.tsx";
import { formatCount } from "../../lib/format.ts";
import { linkTo } from "../../lib/links.ts";
import { text } from "../../texts/texts.ts";
import styles from "./DatasetsPage.module.css";
import type { ListedDataset } from "./datasets.queries.ts";

interface DatasetActions {
  readonly onEdit: (dataset: ListedDataset) => void;
  readonly onDelete: (dataset: ListedDataset) => void;
}

/** Without actions nothing may be changed. */
export function datasetColumns(actions: DatasetActions | null): readonly Column<ListedDataset>[] {
  return actions === null ? columns : [...columns, buttons(actions)];
}

const columns: readonly Column<ListedDataset>[] = [
  {
    key: "name",
    title: text("datasets.name"),
    width: 280,
    grow: 2,
    pinned: true,
    sortable: true,
    narrow: "title",
    render: ({ id, name, description }) => (
      <>
        <Link href={linkTo("dataset", { datasetId: id })} tabIndex={-1} className={styles.name}>
          {name}
        </Link>
        {description && <span className={styles.description}>{description}</span>}
      </>
    ),
  },
  {
    key: "examples",
    title: text("datasets.examples"),
    width: 100,
    align: "end",
    narrow: "line",
    render: ({ exampleCount }) => formatCount(exampleCount),
  },
  {
    key: "labels",
    title: text("datasets.labels"),
    width: 180,
    grow: 1,
    narrow: "line",
    render: ({ labels }) => (
      <span className={styles.badges}>
        {labels.map(({ id, name }) => (
          <Badge key={id}>{name}</Badge>
        ))}
      </span>
    ),
  },
  {
    key: "by",
    title: text("datasets.by"),
    width: 120,
    render: ({ updatedBy }) => updatedBy?.username ?? <span className={styles.quiet}>–</span>,
  },
  {
    key: "createdAt",
    title: text("datasets.created"),
    width: 120,
    align: "end",
    sortable: true,
    render: ({ createdAt }) => <Time at={createdAt} relative />,
  },
  {
    key: "updated",
    title: text("datasets.updated"),
    width: 120,
    align: "end",
    narrow: "line",
    render: ({ updatedAt }) => <Time at={updatedAt} relative />,
  },
];

const buttons = ({ onEdit, onDelete }: DatasetActions): Column<ListedDataset> => ({
  key: "actions",
  title: text("datasets.actions"),
  width: 80,
  align: "end",
  narrow: "aside",
  render: (dataset) => (
    <span className={styles.actions}>
      <IconButton
        small
        label={text("datasets.edit.of", { name: dataset.name })}
        icon={<Pencil />}
        onClick={() => onEdit(dataset)}
      />
      <IconButton
        small
        label={text("datasets.delete.of", { name: dataset.name })}
        icon={<Trash2 />}
        onClick={() => onDelete(dataset)}
      />
    </span>
  ),
});
