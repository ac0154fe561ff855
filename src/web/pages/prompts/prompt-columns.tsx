// The columns of the table of prompts.
import type { ListedPrompt } from "../../domain/prompts/prompts.queries.ts";
import type { Column } from "../../kit/table/DataTable.tsx";
import { agoColumn, badgesColumn, nameColumn, Quiet } from "../../kit/table/thing-columns.tsx";
import { linkTo } from "../../lib/links.ts";
import { text } from "../../texts/texts.ts";

export const promptColumns: readonly Column<ListedPrompt>[] = [
  nameColumn({
    title: text("prompts.name"),
    width: 260,
    grow: 2,
    nameOf: ({ name }) => name,
    descriptionOf: ({ description }) => description,
    to: ({ id }) => linkTo("prompt", { promptId: id }),
  }),
  {
    key: "latest",
    title: text("prompts.latest"),
    width: 80,
    narrow: "line",
    render: ({ version: { sequenceNumber } }) => text("prompts.number", { number: sequenceNumber }),
  },
  badgesColumn({
    key: "tags",
    title: text("prompts.tags"),
    width: 180,
    grow: 1,
    narrow: "line",
    tone: "accent",
    of: ({ versionTags }) => versionTags,
  }),
  badgesColumn({ key: "labels", title: text("labels.title"), width: 160, grow: 1, of: ({ labels }) => labels }),
  {
    key: "model",
    title: text("prompts.model"),
    width: 150,
    grow: 1,
    narrow: "line",
    render: ({ version }) => version.modelName,
  },
  {
    key: "author",
    title: text("prompts.author"),
    width: 120,
    render: ({ updatedBy }) => updatedBy?.username ?? <Quiet />,
  },
  agoColumn("updated", text("prompts.updated"), ({ updatedAt }) => updatedAt, { narrow: "aside" }),
];
