// The columns of API keys, wherever they are listed.
import { Trash2 } from "lucide-react";
import { Badge } from "../../kit/States.tsx";
import { Time } from "../../kit/Time.tsx";
import type { Column } from "../../kit/table/DataTable.tsx";
import { actionsColumn, agoColumn, nameColumn, Quiet } from "../../kit/table/thing-columns.tsx";
import { text } from "../../texts/texts.ts";
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
    nameColumn({
      title: text("keys.api.name"),
      width: 180,
      grow: 2,
      nameOf: ({ name }) => name,
      descriptionOf: ({ description }) => description,
    }),
    ...(withOwner ? [owner] : []),
    agoColumn("created", text("keys.api.created"), ({ createdAt }) => createdAt, { width: 110, narrow: "line" }),
    {
      key: "expires",
      title: text("keys.api.expires"),
      width: 150,
      align: "end",
      narrow: "line",
      render: ({ expiresAt }) => <End at={expiresAt} />,
    },
    actionsColumn<ListedKey>(70, (key) => [
      { label: text("keys.api.delete.of", { name: key.name }), icon: <Trash2 />, run: () => onDelete(key) },
    ]),
  ];
}

function End({ at }: { readonly at: string | null }) {
  if (at === null) return <Quiet>{text("keys.api.never")}</Quiet>;
  return Date.parse(at) <= Date.now() ? <Badge tone="error">{text("keys.api.ended")}</Badge> : <Time at={at} />;
}
