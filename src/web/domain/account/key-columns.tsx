// The columns of API keys, wherever they are listed.
import { Trash2 } from "lucide-react";
import { IconButton } from "../../kit/Button.tsx";
import { Badge } from "../../kit/States.tsx";
import { Time } from "../../kit/Time.tsx";
import type { Column } from "../../kit/table/DataTable.tsx";
import { text } from "../../texts/texts.ts";
import styles from "./key-columns.module.css";
import type { ListedKey } from "./keys.queries.ts";

interface KeyColumnsOptions {
  readonly withOwner?: boolean;
  readonly onDelete: (key: ListedKey) => void;
}

export function keyColumns({ withOwner = false, onDelete }: KeyColumnsOptions): readonly Column<ListedKey>[] {
  const owner: Column<ListedKey> = {
    key: "owner",
    title: text("keys.api.owner"),
    width: 160,
    grow: 1,
    narrow: "line",
    render: ({ user }) => user?.username ?? null,
  };
  return [
    {
      key: "name",
      title: text("keys.api.name"),
      width: 180,
      grow: 2,
      pinned: true,
      narrow: "title",
      render: ({ name, description }) => (
        <>
          <span className={styles.name}>{name}</span>
          {description && <span className={styles.description}>{description}</span>}
        </>
      ),
    },
    ...(withOwner ? [owner] : []),
    {
      key: "created",
      title: text("keys.api.created"),
      width: 110,
      align: "end",
      narrow: "line",
      render: ({ createdAt }) => <Time at={createdAt} relative />,
    },
    {
      key: "expires",
      title: text("keys.api.expires"),
      width: 150,
      align: "end",
      narrow: "line",
      render: ({ expiresAt }) => <End at={expiresAt} />,
    },
    {
      key: "delete",
      title: text("settings.actions"),
      width: 70,
      align: "end",
      narrow: "aside",
      render: (key) => (
        <span className={styles.action}>
          <IconButton
            small
            label={text("keys.api.delete.of", { name: key.name })}
            icon={<Trash2 />}
            onClick={() => onDelete(key)}
          />
        </span>
      ),
    },
  ];
}

function End({ at }: { readonly at: string | null }) {
  if (at === null) return <span className={styles.never}>{text("keys.api.never")}</span>;
  return Date.parse(at) <= Date.now() ? <Badge tone="error">{text("keys.api.ended")}</Badge> : <Time at={at} />;
}
