// The bar of a selection below a list: how many rows, what can be done with them, and the way back to none.
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "../kit/Button.tsx";
import { text } from "../texts/texts.ts";
import styles from "./SelectionToolbar.module.css";

interface SelectionToolbarProps {
  readonly count: number;
  /** The selection is dealt with. */
  readonly onDone: () => void;
  readonly children: ReactNode;
}

export function SelectionToolbar({ count, onDone, children }: SelectionToolbarProps) {
  const selected = text("traces.selected", { count });
  return (
    <div role="toolbar" aria-label={selected} className={styles.bar}>
      <span className={styles.count}>{selected}</span>
      {children}
      <IconButton label={text("traces.unselect")} icon={<X />} onClick={onDone} />
    </div>
  );
}
