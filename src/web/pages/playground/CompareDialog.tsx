// Two answers compared by their words.
import { useState } from "react";
import { Dialog } from "../../kit/Dialog.tsx";
import { TextDiff } from "../../kit/diff/TextDiff.tsx";
import { Select } from "../../kit/Field.tsx";
import { text } from "../../texts/texts.ts";
import styles from "./CompareDialog.module.css";
import type { PlaygroundDraft } from "./playground-draft.ts";
import { letterOf } from "./playground-draft.ts";
import type { VariantRun } from "./runs.ts";

interface CompareDialogProps {
  readonly draft: PlaygroundDraft;
  readonly runs: ReadonlyMap<number, VariantRun>;
  readonly onClose: () => void;
}

export default function CompareDialog({ draft, runs, onClose }: CompareDialogProps) {
  const all = draft.variants.flatMap(({ key }, position) =>
    (runs.get(key)?.answers ?? []).map((answer, at) => ({
      key,
      value: `${key} ${at}`,
      label: text("playground.compare.name", { variant: letterOf(position), number: at + 1 }),
      written: answer.text,
    })),
  );
  const [before, setBefore] = useState(all[0]?.value ?? "");
  // Another variant, or else another repetition.
  const [after, setAfter] = useState((all.find(({ key }) => key !== all[0]?.key) ?? all[1])?.value ?? "");
  const textOf = (value: string) => all.find((each) => each.value === value)?.written ?? "";
  return (
    <Dialog open full title={text("playground.compare")} onClose={onClose}>
      <div className={styles.sides}>
        <Select label={text("playground.compare.before")} choices={all} value={before} onChange={setBefore} />
        <Select label={text("playground.compare.after")} choices={all} value={after} onChange={setAfter} />
        {(["before", "after"] as const).map((side) => (
          <p key={side} dir="auto" className={styles.text}>
            <TextDiff before={textOf(before)} after={textOf(after)} show={side} />
          </p>
        ))}
      </div>
    </Dialog>
  );
}
