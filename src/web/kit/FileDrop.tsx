// A place for one file: dropped on it, or chosen with the browser's own dialog.
import { FileUp } from "lucide-react";
import { type DragEvent, useId, useState } from "react";
import { classes } from "./classes.ts";
import styles from "./FileDrop.module.css";

interface FileDropProps {
  readonly label: string;
  readonly hint: string;
  /** Endings of names, such as ".csv,.jsonl". */
  readonly accept: string;
  readonly onFile: (file: File) => void;
}

export function FileDrop({ label, hint, accept, onFile }: FileDropProps) {
  const id = useId();
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined) onFile(file);
  };
  return (
    <label
      htmlFor={id}
      className={classes(styles.drop, over && styles.over)}
      onDragOver={(event) => {
        // Otherwise the browser would open the file instead of the page.
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <FileUp aria-hidden="true" />
      <span className={styles.label}>{label}</span>
      <span className={styles.hint}>{hint}</span>
      <input
        id={id}
        type="file"
        accept={accept}
        className="visually-hidden"
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file !== undefined) onFile(file);
          // The same file can be chosen again after it was corrected.
          event.target.value = "";
        }}
      />
    </label>
  );
}
