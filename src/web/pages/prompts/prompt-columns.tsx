// The columns of the table of prompts.
import { Link } from "wouter";
import type { ListedPrompt } from "../../domain/prompts/prompts.queries.ts";
import { Badge } from "../../kit/States.tsx";
import { Time } from "../../kit/Time.tsx";
import type { Column } from "../../kit/table/DataTable.tsx";
import { linkTo } from "../../lib/links.ts";
import { text } from "../../texts/texts.ts";
import styles from "./PromptsPage.module.css";

export const promptColumns: readonly Column<ListedPrompt>[] = [
  {
    key: "name",
    title: text("prompts.name"),
    width: 260,
    grow: 2,
    pinned: true,
    narrow: "title",
    render: ({ id, name, description }) => (
      <>
        <Link href={linkTo("prompt", { promptId: id })} tabIndex={-1} className={styles.name}>
          {name}
        </Link>
        {description && <span className={styles.description}>{description}</span>}
      </>
    ),
  },
  {
    key: "latest",
    title: text("prompts.latest"),
    width: 80,
    narrow: "line",
    render: ({ version: { sequenceNumber } }) => text("prompts.number", { number: sequenceNumber }),
  },
  {
    key: "tags",
    title: text("prompts.tags"),
    width: 180,
    grow: 1,
    narrow: "line",
    render: ({ versionTags }) => (
      <span className={styles.badges}>
        {versionTags.map(({ id, name }) => (
          <Badge key={id} tone="accent">
            {name}
          </Badge>
        ))}
      </span>
    ),
  },
  {
    key: "labels",
    title: text("prompts.labels"),
    width: 160,
    grow: 1,
    render: ({ labels }) => (
      <span className={styles.badges}>
        {labels.map(({ id, name }) => (
          <Badge key={id}>{name}</Badge>
        ))}
      </span>
    ),
  },
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
    render: ({ updatedBy }) => updatedBy?.username ?? <span className={styles.quiet}>–</span>,
  },
  {
    key: "updated",
    title: text("prompts.updated"),
    width: 120,
    align: "end",
    narrow: "aside",
    render: ({ updatedAt }) => <Time at={updatedAt} relative />,
  },
];
