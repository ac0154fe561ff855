// The columns of the examples of a dataset. What an example says is shown from its beginning: the text where it holds one
// only, else its members by their names.
import { isJsonObject, type Json } from "../../../kernel/json.ts";
import type { Column } from "../../kit/table/DataTable.tsx";
import { agoColumn, badgesColumn, Mono, Quiet } from "../../kit/table/thing-columns.tsx";
import { text } from "../../texts/texts.ts";
import { readable } from "./comparison/readable.ts";
import type { ListedExample } from "./datasets.queries.ts";

/** Characters of a cell: more than fit into the widest. */
const CELL_CHARACTERS = 300;

export const exampleColumns: readonly Column<ListedExample>[] = [
  payload("input", { pinned: true, narrow: "title" }),
  payload("output", { narrow: "line" }),
  payload("metadata", { hidden: true }),
  {
    key: "id",
    title: text("datasets.example.id"),
    width: 140,
    render: ({ externalId }) => <Mono>{externalId}</Mono>,
  },
  badgesColumn({
    key: "splits",
    title: text("datasets.splits"),
    width: 120,
    narrow: "aside",
    of: ({ datasetSplits }) => datasetSplits,
  }),
  agoColumn("created", text("datasets.created"), ({ createdAt }) => createdAt, { hidden: true }),
];

function payload(
  part: "input" | "output" | "metadata",
  more: Pick<Column<ListedExample>, "pinned" | "narrow" | "hidden">,
): Column<ListedExample> {
  return {
    key: part,
    title: text(`datasets.example.${part}`),
    width: 260,
    grow: 1,
    ...more,
    render: ({ revision }) => <PartPreview value={revision[part] as Json} />,
  };
}

function PartPreview({ value }: { readonly value: Json }) {
  const members = isJsonObject(value) ? Object.values(value) : [];
  const [only] = members;
  if (members.length === 1 && typeof only === "string") return <span>{only.slice(0, CELL_CHARACTERS)}</span>;
  // An empty object says nothing.
  if (isJsonObject(value) && members.length === 0) return <Quiet />;
  return <span>{readable(value).slice(0, CELL_CHARACTERS)}</span>;
}
