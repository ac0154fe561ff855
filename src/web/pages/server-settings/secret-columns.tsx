// The columns of the secrets table.
import { RefreshCw, Trash2 } from "lucide-react";
import { IconButton } from "../../kit/Button.tsx";
import { Badge } from "../../kit/States.tsx";
import { Time } from "../../kit/Time.tsx";
import { Tooltip } from "../../kit/Tooltip.tsx";
import type { Column } from "../../kit/table/DataTable.tsx";
import { text } from "../../texts/texts.ts";
import styles from "./lists.module.css";
import type { ListedSecret } from "./secrets.queries.ts";

interface SecretActions {
  readonly onReplace: (name: string) => void;
  readonly onDelete: (name: string) => void;
}

/** Without actions nothing may be changed. */
export function secretColumns(actions: SecretActions | null): readonly Column<ListedSecret>[] {
  const buttons = ({ onReplace, onDelete }: SecretActions): Column<ListedSecret> => ({
    key: "actions",
    title: text("settings.actions"),
    width: 80,
    align: "end",
    narrow: "aside",
    render: ({ key: name }) => (
      <span className={styles.actions}>
        <IconButton
          small
          label={text("secrets.replace.of", { name })}
          icon={<RefreshCw />}
          onClick={() => onReplace(name)}
        />
        <IconButton
          small
          label={text("secrets.delete.of", { name })}
          icon={<Trash2 />}
          onClick={() => onDelete(name)}
        />
      </span>
    ),
  });
  return [
    {
      key: "name",
      title: text("secrets.name"),
      width: 220,
      grow: 2,
      pinned: true,
      narrow: "title",
      render: ({ key }) => <span className={styles.mono}>{key}</span>,
    },
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
      render: ({ user }) => user?.username ?? <span className={styles.quiet}>{text("secrets.nobody")}</span>,
    },
    {
      key: "updated",
      title: text("secrets.updated"),
      width: 120,
      align: "end",
      narrow: "line",
      render: ({ updatedAt }) => <Time at={updatedAt} relative />,
    },
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
  return (
    <span className={styles.quiet}>{end === undefined ? text("secrets.hidden") : text("secrets.masked", { end })}</span>
  );
}
