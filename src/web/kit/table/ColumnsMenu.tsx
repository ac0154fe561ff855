// Chooses the columns of a table and their order. It stands in the page's bar, beside the filter.
import { ChevronDown, ChevronUp, Columns3 } from "lucide-react";
import type { ReactNode } from "react";
import { usePreference } from "../../lib/preferences.ts";
import { text } from "../../texts/texts.ts";
import { Button, IconButton } from "../Button.tsx";
import { Checkbox } from "../Field.tsx";
import { Popover } from "../Menu.tsx";
import { useNarrow } from "../media.ts";
import styles from "./ColumnsMenu.module.css";
import { type Column, densePreference, useArrangedColumns } from "./columns.ts";

interface ColumnsMenuProps<Row> {
  /** The `name` of the table. */
  readonly table: string;
  readonly columns: readonly Column<Row>[];
  /** Below the columns: what adds others. */
  readonly children?: ReactNode;
}

export function ColumnsMenu<Row>({ table, columns, children }: ColumnsMenuProps<Row>) {
  const narrow = useNarrow();
  const [dense, setDense] = usePreference(densePreference);
  const { all, show, move, reset } = useArrangedColumns(table, columns);
  // A phone shows each column in the place that the table gives it.
  if (narrow) return null;
  return (
    <Popover label={text("kit.columns")} trigger={<Button icon={<Columns3 />}>{text("kit.columns")}</Button>}>
      <ul className={styles.list}>
        {all.map(({ key, title, visible, pinned }) => (
          <li key={key} className={styles.line}>
            <Checkbox
              label={title}
              checked={visible}
              disabled={pinned === true}
              onChange={(checked) => show(key, checked)}
            />
            {pinned !== true && (
              <span className={styles.moves}>
                <IconButton
                  small
                  label={text("kit.columns.up", { name: title })}
                  icon={<ChevronUp />}
                  onClick={() => move(key, -1)}
                />
                <IconButton
                  small
                  label={text("kit.columns.down", { name: title })}
                  icon={<ChevronDown />}
                  onClick={() => move(key, 1)}
                />
              </span>
            )}
          </li>
        ))}
      </ul>
      {children}
      <Checkbox label={text("kit.table.dense")} checked={dense} onChange={setDense} />
      <Button look="quiet" onClick={reset}>
        {text("kit.columns.reset")}
      </Button>
    </Popover>
  );
}
