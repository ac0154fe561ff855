// The bar of the playground: another variant, how often, and steps back.
import { Plus, Redo2, RotateCcw, Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import { Button, IconButton } from "../../kit/Button.tsx";
import { TextField } from "../../kit/Field.tsx";
import { text } from "../../texts/texts.ts";
import { DatasetSelect } from "./DatasetSelect.tsx";
import styles from "./Playground.module.css";
import { mayAdd, type OverDataset, withNewVariant } from "./playground-draft.ts";
import { repetitionsOf } from "./run-request.ts";
import type { PlaygroundState } from "./use-playground.ts";

interface PlaygroundToolsProps extends Pick<PlaygroundState, "draft" | "change" | "undo" | "redo"> {
  readonly onOver: (over: OverDataset | null) => void;
  readonly onReset: () => void;
  /** Before the steps. */
  readonly children: ReactNode;
}

export function PlaygroundTools({ draft, change, undo, redo, onOver, onReset, children }: PlaygroundToolsProps) {
  return (
    <div className={styles.tools}>
      <Button icon={<Plus />} disabled={!mayAdd(draft)} onClick={() => change(withNewVariant(draft))}>
        {text("playground.variant.add")}
      </Button>
      <span className={styles.repetitions}>
        <TextField
          label={text("playground.repetitions")}
          inputMode="numeric"
          autoComplete="off"
          value={draft.repetitions}
          problem={repetitionsOf(draft) === null ? text("playground.repetitions.wrong") : null}
          onChange={(repetitions) => change({ ...draft, repetitions })}
        />
      </span>
      <span className={styles.dataset}>
        <DatasetSelect over={draft.over} onChange={onOver} />
      </span>
      <span className={styles.steps}>
        {children}
        <IconButton
          label={text("playground.undo")}
          icon={<Undo2 />}
          disabled={undo === null}
          onClick={() => undo?.()}
        />
        <IconButton
          label={text("playground.redo")}
          icon={<Redo2 />}
          disabled={redo === null}
          onClick={() => redo?.()}
        />
        <IconButton label={text("playground.reset")} icon={<RotateCcw />} onClick={onReset} />
      </span>
    </div>
  );
}
