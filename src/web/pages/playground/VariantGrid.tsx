// Variants beside each other, the variables that they share, and what each answered below.
import { type CSSProperties, useEffect, useRef } from "react";
import { classes } from "../../kit/classes.ts";
import { SeriesDot } from "../../kit/SeriesDot.tsx";
import { Answers } from "./Answers.tsx";
import { OverDatasetFields, VariantRunOver } from "./OverDataset.tsx";
import styles from "./Playground.module.css";
import { letterOf, mayAdd, namesOf, promptOf, withCopy, withoutVariant } from "./playground-draft.ts";
import type { Target } from "./targets.ts";
import type { DatasetRuns } from "./use-dataset-runs.ts";
import type { PlaygroundState } from "./use-playground.ts";
import { Variables } from "./Variables.tsx";
import { VariantEditor } from "./VariantEditor.tsx";

interface VariantGridProps {
  readonly playground: PlaygroundState;
  readonly targets: readonly Target[];
  readonly datasetRuns: DatasetRuns;
  readonly onSave: (variantKey: number) => void;
  readonly onTrace: (spanKey: string) => void;
}

export function VariantGrid({ playground, targets, datasetRuns, onSave, onTrace }: VariantGridProps) {
  const { draft, change, problemAt, runs, isRunning, run, continueFrom } = playground;
  const { variants, values, over } = draft;
  const answers = useRef<HTMLDivElement>(null);
  // What comes is seen, also below long messages.
  useEffect(() => {
    if (isRunning) answers.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [isRunning]);
  const names = namesOf(draft);
  const isSingle = variants.length === 1;
  const at = (position: number) => ({ "--at": position + 1 }) as CSSProperties;
  return (
    <div className={styles.scroller}>
      <div
        className={classes(styles.grid, isSingle && styles.single)}
        style={{ "--count": variants.length } as CSSProperties}
      >
        {variants.map((variant, position) => (
          <div key={variant.key} className={styles.editor} style={at(position)}>
            <VariantEditor
              draft={draft}
              variant={variant}
              position={position}
              targets={targets}
              problemAt={(place) => problemAt(variant, place)}
              onChange={change}
              onCopy={mayAdd(draft) ? () => change(withCopy(draft, variant)) : null}
              onRemove={isSingle ? null : () => change(withoutVariant(draft, variant.key))}
              onSave={() => onSave(variant.key)}
              onRun={() => run([variant])}
            />
          </div>
        ))}
        {over !== null && (
          <div className={styles.inputs}>
            <OverDatasetFields draft={draft} over={over} names={names} runs={datasetRuns} onChange={change} />
          </div>
        )}
        {over === null && names.length > 0 && (
          <div className={styles.inputs}>
            <Variables names={names} values={values} onChange={(typed) => change({ ...draft, values: typed })} />
          </div>
        )}
        {variants.map((variant, position) => (
          <div key={variant.key} ref={position === 0 ? answers : null} className={styles.answers} style={at(position)}>
            {!isSingle && (
              <h2 className={styles.answered}>
                <SeriesDot index={position} />
                {promptOf(draft, variant).model}
              </h2>
            )}
            {over !== null ? (
              <VariantRunOver variantKey={variant.key} runs={datasetRuns} />
            ) : (
              <Answers
                letter={letterOf(position)}
                run={runs.get(variant.key)}
                onContinue={(answer) => continueFrom(variant, answer)}
                onTrace={onTrace}
              />
            )}
          </div>
        ))}
      </div>
    </div>
  );
}
