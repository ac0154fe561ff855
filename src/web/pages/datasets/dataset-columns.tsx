// The columns of the table of datasets.
import { Pencil, Trash2 } from "lucide-react";
import type { Column } from "../../kit/table/DataTable.tsx";
import { actionsColumn, agoColumn, badgesColumn, nameColumn, Quiet } from "../../kit/table/thing-columns.tsx";
import { formatCount } from "../../lib/format.ts";
import { linkTo } from "../../lib/links.ts";
import { text } from "../../texts/texts.ts";
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
  nameColumn({
    title: text("datasets.name"),
    width: 280,
    grow: 2,
    sortable: true,
    nameOf: ({ name }) => name,
    descriptionOf: ({ description }) => description,
    to: ({ id }) => linkTo("dataset", { datasetId: id }),
  }),
  {
    key: "examples",
    title: text("datasets.examples"),
    width: 100,
    align: "end",
    narrow: "line",
    render: ({ exampleCount }) => formatCount(exampleCount),
  },
  badgesColumn({
    key: "labels",
    title: text("labels.title"),
    width: 180,
    grow: 1,
    narrow: "line",
    of: ({ labels }) => labels,
  }),
  {
    key: "by",
    title: text("datasets.by"),
    width: 120,
    render: ({ updatedBy }) => updatedBy?.username ?? <Quiet />,
  },
  agoColumn("createdAt", text("datasets.created"), ({ createdAt }) => createdAt, { sortable: true }),
  agoColumn("updated", text("datasets.updated"), ({ updatedAt }) => updatedAt, { narrow: "line" }),
];

const buttons = ({ onEdit, onDelete }: DatasetActions) =>
  actionsColumn<ListedDataset>(80, (dataset) => [
    { label: text("datasets.edit.of", { name: dataset.name }), icon: <Pencil />, run: () => onEdit(dataset) },
    { label: text("datasets.delete.of", { name: dataset.name }), icon: <Trash2 />, run: () => onDelete(dataset) },
  ]);
