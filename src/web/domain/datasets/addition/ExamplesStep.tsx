// The first examples that would be added: what each says and expects, by a rule for all, and each to be changed by itself.
import { useEffect, useRef } from "react";
import { Select } from "../../../kit/Field.tsx";
import type { FormField } from "../../../kit/form/use-form.ts";
import { FailedState, Skeleton } from "../../../kit/States.tsx";
import { useGraphql } from "../../../lib/queries.ts";
import { text } from "../../../texts/texts.ts";
import { type Selection, selectionPreview } from "./addition.queries.ts";
import { ExampleCard } from "./ExampleCard.tsx";
import styles from "./ExamplesStep.module.css";
import { correctedBy, type ExampleEdits, ruleOf, withEdit, withoutEdits } from "./example-edits.ts";

/** Examples that are shown; the rule holds for all. */
const SHOWN = 50;

interface ExamplesStepProps {
  readonly selection: Selection;
  readonly rule: FormField<string>;
  readonly edits: FormField<ExampleEdits>;
}

export function ExamplesStep({ selection, rule, edits }: ExamplesStepProps) {
  const query = useGraphql(
    selectionPreview,
    { selection, expectedOutput: ruleOf(rule.value), first: SHOWN },
    { exact: true, keepPrevious: true },
  );
  const first = useRef<HTMLDivElement>(null);
  useEffect(() => first.current?.focus(), []);
  const preview = query.data?.previewDatasetSelection;
  const corrections = [...new Set(preview?.examples.flatMap(({ correctionNames }) => correctionNames))];
  const missing = preview?.examples.filter(
    ({ span, missingOutputReason }) => missingOutputReason !== null && edits.value.get(span.id)?.output === undefined,
  );
  return (
    <div ref={first} tabIndex={-1} role="group" aria-label={text("addition.step.examples")} className={styles.step}>
      <Select
        label={text("addition.rule")}
        hint={text("addition.rule.hint")}
        choices={[
          ...(["OUTPUT_UNLESS_FAILED", "OUTPUT"] as const).map((value) => ({
            value: value as string,
            label: text(`addition.rule.${value}`),
          })),
          ...corrections.map((name) => ({
            value: correctedBy(name),
            label: text("addition.rule.CORRECTED_OUTPUT", { name }),
          })),
          { value: "EMPTY", label: text("addition.rule.EMPTY") },
        ]}
        {...rule}
      />
      {preview === undefined ? (
        query.error === null ? (
          <Skeleton lines={6} />
        ) : (
          <FailedState failure={query.error} onRetry={() => void query.refetch()} />
        )
      ) : (
        <>
          <p role="status" className={styles.note}>
            {[
              preview.hasMore && text("addition.shown", { count: preview.examples.length }),
              missing !== undefined && missing.length > 0 && text("addition.missing", { count: missing.length }),
            ]
              .filter(Boolean)
              .join(" ")}
          </p>
          <ol className={styles.cards}>
            {preview.examples.map((example, at) => (
              <ExampleCard
                key={example.span.id}
                number={at + 1}
                example={example}
                edits={edits.value}
                onEdit={(part, value) => edits.onChange(withEdit(edits.value, example.span.id, part, value))}
                onUndo={() => edits.onChange(withoutEdits(edits.value, example.span.id))}
              />
            ))}
          </ol>
        </>
      )}
    </div>
  );
}
