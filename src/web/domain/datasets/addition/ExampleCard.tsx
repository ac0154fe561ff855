// One example before it is added: its input and what it expects, read or changed.
import { Pencil } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../../../kit/Button.tsx";
import { FoldedText, sizeOf } from "../../../kit/FoldedText.tsx";
import { Badge } from "../../../kit/States.tsx";
import { type LabelKey, text } from "../../../texts/texts.ts";
import { isNothing, oneTextOf, problemOf } from "../editor/example-draft.ts";
import { PartField } from "../editor/PartField.tsx";
import type { PreviewedExample } from "./addition.queries.ts";
import styles from "./ExamplesStep.module.css";
import { type EditedPart, type ExampleEdits, NOTHING_EXPECTED, textsOf } from "./example-edits.ts";

const reasons = {
  NO_OUTPUT: "addition.reason.NO_OUTPUT",
  FAILED: "addition.reason.FAILED",
  JUDGED_NEGATIVE: "addition.reason.JUDGED_NEGATIVE",
  NOT_CORRECTED: "addition.reason.NOT_CORRECTED",
} as const satisfies Record<NonNullable<PreviewedExample["missingOutputReason"]>, LabelKey>;

interface ExampleCardProps {
  readonly number: number;
  readonly example: PreviewedExample;
  readonly edits: ExampleEdits;
  /** Undefined takes the edit back. */
  readonly onEdit: (part: EditedPart, value: string | undefined) => void;
  readonly onUndo: () => void;
}

export function ExampleCard({ number, example, edits, onEdit, onUndo }: ExampleCardProps) {
  const { span, missingOutputReason: reason, missingOutputNote: note } = example;
  const [isWritten, setWritten] = useState(false);
  const { rule, answered, now } = textsOf(example, edits);
  const isEdited = edits.has(span.id);
  const isEmpty = isNothing(now.output);
  const write = (part: EditedPart) => (value: string) => onEdit(part, value === rule[part] ? undefined : value);
  const named = { number, name: span.shownName };
  return (
    <li className={styles.card} aria-label={text("addition.example", named)}>
      <div className={styles.head}>
        <bdi className={styles.name}>{text("addition.example", named)}</bdi>
        {isEdited && <Badge tone="accent">{text("addition.edited")}</Badge>}
        <IconButton
          small
          label={text("addition.edit", { number })}
          icon={<Pencil />}
          pressed={isWritten}
          onClick={() => setWritten(!isWritten)}
        />
      </div>
      <div className={styles.parts}>
        {isWritten ? (
          <>
            <PartField part="input" value={now.input} onChange={write("input")} problem={problemOf(now.input)} />
            <PartField
              part="output"
              value={now.output}
              onChange={write("output")}
              problem={problemOf(now.output)}
              nothingAs={oneTextOf(answered)?.name ?? "output"}
            />
          </>
        ) : (
          <>
            <Part label={text("datasets.example.input")} source={now.input} />
            {isEmpty ? (
              <section className={styles.part} aria-label={text("datasets.example.output")}>
                <h3>{text("datasets.example.output")}</h3>
                <p className={styles.empty}>
                  {reason === null || isEdited ? text("addition.empty") : text(reasons[reason])}
                  {note !== null && !isEdited && <span className={styles.why}>{note}</span>}
                </p>
              </section>
            ) : (
              <Part label={text("datasets.example.output")} source={now.output} />
            )}
          </>
        )}
      </div>
      <div className={styles.actions}>
        {isEmpty && !isNothing(answered) && (
          <Button
            look="quiet"
            aria-label={text("addition.take.of", { number })}
            onClick={() => write("output")(answered)}
          >
            {text("addition.take")}
          </Button>
        )}
        {!isEmpty && (
          <Button
            look="quiet"
            aria-label={text("addition.leave.of", { number })}
            onClick={() => write("output")(NOTHING_EXPECTED)}
          >
            {text("addition.leave")}
          </Button>
        )}
        {isEdited && (
          <Button look="quiet" aria-label={text("addition.undo.of", { number })} onClick={onUndo}>
            {text("addition.undo")}
          </Button>
        )}
      </div>
    </li>
  );
}

/** The text where the part holds one only, else its JSON. */
function Part({ label, source }: { readonly label: string; readonly source: string }) {
  const one = oneTextOf(source);
  const shown = one?.value ?? source;
  return (
    <section className={styles.part} aria-label={label}>
      <h3>{label}</h3>
      <FoldedText value={shown} size={sizeOf(shown)} lines={4}>
        <p dir="auto" className={one === null ? styles.json : styles.text}>
          {shown}
        </p>
      </FoldedText>
    </section>
  );
}
