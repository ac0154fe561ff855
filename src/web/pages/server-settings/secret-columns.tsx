// The columns of the secrets table.
import { RefreshCw, Trash2 } from "lucide-react";
import { Badge } from "../../kit/States.tsx";
import { Tooltip } from "../../kit/Tooltip.tsx";
import type { Column } from "../../kit/table/DataTable.tsx";
import { actionsColumn, agoColumn, nameColumn, Quiet } from "../../kit/table/thing-columns.tsx";
import { text } from "../../texts/texts.ts";
import type { ListedSecret } from "./secrets.queries.ts";

interface SecretActions {
  readonly onReplace: (name: string) => void;
  readonly onDelete: (name: string) => void;
}

const buttons = ({ onReplace, onDelete }: SecretActions) =>
  actionsColumn<ListedSecret>(80, ({ key: name }) => [
    { label: text("secrets.replace.of", { name }), icon: <RefreshCw />, run: () => onReplace(name) },
    { label: text("secrets.delete.of", { name }), icon: <Trash2 />, run: () => onDelete(name) },
  ]);

/** Without actions nothing may be changed. */
export function secretColumns(actions: SecretActions | null): readonly Column<ListedSecret>[] {
  return [
    nameColumn({ title: text("secrets.name"), width: 220, grow: 2, mono: true, nameOf: ({ key }) => key }),
    {
      key: "value",
      title: text("secrets.value"),
      width: 200,
      grow: 1,
      narrow: "line",
      render: ({ value }) => <Masked value={value} />,
    },
    {
      key: "owner",
      title: text("secrets.owner"),
      width: 150,
      narrow: "line",
      render: ({ user }) => user?.username ?? <Quiet>{text("secrets.author.unknown")}</Quiet>,
    },
    agoColumn("updated", text("secrets.updated"), ({ updatedAt }) => updatedAt, { narrow: "line" }),
    ...(actions === null ? [] : [buttons(actions)]),
  ];
}

/** What ends a mask: at most the last four characters. */
const END_OF_MASK = /\uE000([^\uE000]+)\uE000$/;

function Masked({ value }: Pick<ListedSecret, "value">) {
  if (value.__typename === "UnparsableSecret") {
    return (
      <Tooltip text={text("secrets.unreadable.hint")}>
        <span>
          <Badge tone="error">{text("secrets.unreadable")}</Badge>
        </span>
      </Tooltip>
    );
  }
  const end = END_OF_MASK.exec(String(value.value))?.[1];
  return <Quiet>{end === undefined ? text("secrets.hidden") : text("secrets.masked", { end })}</Quiet>;
}
