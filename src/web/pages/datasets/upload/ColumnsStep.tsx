// The second step: what each column is of an example, with the first three examples as they will be.
import { GripVertical } from "lucide-react";
import { type DragEvent, useState } from "react";
import { classes } from "../../../kit/classes.ts";
import { Menu, MenuChoice } from "../../../kit/Menu.tsx";
import { columnsOf, type Mapping, moveColumn, type Part, parts, previewOf } from "./columns.ts";
import type { FirstRows } from "./first-rows.ts";
import styles from "./Upload.module.css";
import { uploadText } from "./upload-text.ts";

const PREVIEW_ROWS = 3;
const choices = parts.map((value) => ({ value, label: uploadText(`upload.part.${value}`) }));

interface ColumnsStepProps {
  readonly first: FirstRows;
  readonly mapping: Mapping;
  readonly onChange: (mapping: Mapping) => void;
}

export function ColumnsStep({ first, mapping, onChange }: ColumnsStepProps) {
  const move = (column: string, part: Part) => onChange(moveColumn(mapping, column, part));
  return (
    <>
      <p className={styles.note}>{uploadText("upload.columns")}</p>
      <div className={styles.parts}>
        {parts.map((part) => (
          <PartBox key={part} part={part} columns={columnsOf(mapping, part)} onMove={move} />
        ))}
      </div>
      <h3 className={styles.heading}>{uploadText("upload.preview")}</h3>
      <div className={styles.previews}>
        {first.rows.slice(0, PREVIEW_ROWS).map((row, at) => (
          <Preview key={at} example={previewOf(mapping, first, row)} />
        ))}
      </div>
    </>
  );
}

interface PartBoxProps {
  readonly part: Part;
  readonly columns: readonly string[];
  readonly onMove: (column: string, part: Part) => void;
}

function PartBox({ part, columns, onMove }: PartBoxProps) {
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const column = event.dataTransfer.getData("text/plain");
    if (column !== "") onMove(column, part);
  };
  return (
    <section
      className={classes(styles.part, over && styles.over)}
      aria-label={uploadText(`upload.part.${part}`)}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <h3>{uploadText(`upload.part.${part}`)}</h3>
      {columns.length === 0 && <span className={styles.nothing}>{uploadText("upload.part.empty")}</span>}
      <ul>
        {columns.map((column) => (
          // A menu keeps the pointer from dragging its button: the column is dragged beside it.
          <li
            key={column}
            draggable
            className={styles.column}
            onDragStart={(event) => event.dataTransfer.setData("text/plain", column)}
          >
            <span className={styles.grip} title={uploadText("upload.drag", { column })}>
              <GripVertical aria-hidden="true" />
            </span>
            <Menu
              align="start"
              trigger={
                <button type="button" aria-label={uploadText("upload.move", { column })}>
                  {column}
                </button>
              }
            >
              <MenuChoice
                label={uploadText("upload.move", { column })}
                value={part}
                choices={choices}
                onChange={(to) => onMove(column, to)}
              />
            </Menu>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Preview({ example }: { readonly example: ReturnType<typeof previewOf> }) {
  const rows = (["input", "output", "metadata", "split", "id"] as const).flatMap((part) => {
    const value = example[part];
    const shown = typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
    return shown === "" || shown === "{}" ? [] : [[part, shown] as const];
  });
  return (
    <dl className={styles.preview}>
      {rows.map(([part, shown]) => (
        <div key={part}>
          <dt>{uploadText(`upload.part.${part}`)}</dt>
          <dd>{shown}</dd>
        </div>
      ))}
    </dl>
  );
}
