// Makes examples of spans, traces or sessions in two steps: where they go, and what each says and expects.
import { useState } from "react";
import { Button } from "../../../kit/Button.tsx";
import { Segmented } from "../../../kit/Field.tsx";
import { FormDialog } from "../../../kit/form/FormDialog.tsx";
import { useForm } from "../../../kit/form/use-form.ts";
import { Stepper } from "../../../kit/Stepper.tsx";
import { showToast } from "../../../kit/Toast.tsx";
import { askGraphql } from "../../../lib/graphql.ts";
import { linkTo } from "../../../lib/links.ts";
import { leave, useUnsaved } from "../../../lib/unsaved.ts";
import { text } from "../../../texts/texts.ts";
import { addSelection, type Selection, type Source, type SourceKind, selectionOf } from "./addition.queries.ts";
import styles from "./DatasetChoice.module.css";
import { DatasetChoice, NEW_DATASET, SplitsField } from "./DatasetChoice.tsx";
import { ExamplesStep } from "./ExamplesStep.tsx";
import { hasProblem, noEdits, ruleOf, sentEdits } from "./example-edits.ts";

export interface AddToDatasetDialogProps {
  readonly kind: SourceKind;
  /** Global ids of the selected rows. */
  readonly ids: readonly string[];
  /** Null where only what is selected can be taken. */
  readonly matching: Source["matching"] | null;
  readonly onClose: () => void;
}

const steps = [text("addition.step.dataset"), text("addition.step.examples")];

export default function AddToDatasetDialog({ kind, ids, matching, onClose }: AddToDatasetDialogProps) {
  // What the second step shows is what is added: a range of time does not move on meanwhile.
  const [selection, setSelection] = useState<Selection | null>(null);
  const form = useForm(
    { name: "", datasetId: "", splits: "", which: "selected", rule: "OUTPUT_UNLESS_FAILED", edits: noEdits },
    {
      send({ datasetId, name, splits, rule, edits }) {
        const isNew = datasetId === NEW_DATASET;
        return askGraphql(addSelection, {
          input: {
            datasetId: isNew ? null : datasetId,
            newDatasetName: isNew ? name.trim() : null,
            selection: selection!,
            splitNames: splits.split(",").map((each) => each.trim()),
            expectedOutput: ruleOf(rule),
            edits: sentEdits(edits),
          },
        });
      },
      changes: ["datasets", "datasetSplits"],
      check: ({ datasetId, edits }) => ({
        datasetId: datasetId === "" && text("addition.dataset.missing"),
        edits: hasProblem(edits),
      }),
      done({ addSelectionToDataset: { dataset } }) {
        const count = dataset.newestVersion?.createdCount ?? 0;
        const link = { to: linkTo("examples", { datasetId: dataset.id }), label: text("addition.done.open") };
        showToast(text("addition.done", { name: dataset.name, count }), "plain", link);
      },
      onClose,
    },
  );
  useUnsaved(form.values.edits.size > 0 && !form.pending);
  const which = form.field("which");
  const all = which.value === "matching" && matching !== null;
  const count = all ? (matching.count ?? 0) : ids.length;
  const goOn = () => setSelection(selectionOf(all ? { kind, matching } : { kind, ids }));
  const isChosen = form.values.datasetId !== "";
  return (
    <FormDialog
      open
      wide={selection !== null}
      firm={selection !== null}
      form={{
        ...form,
        // Without a dataset it says what is missing.
        submit: selection === null && isChosen ? goOn : form.submit,
        close: () => leave(form.close),
      }}
      title={text(`addition.title.${kind}`)}
      submit={selection === null ? text("addition.next") : text(`addition.submit.${kind}`, { count })}
      leave={
        selection === null ? undefined : (
          <Button disabled={form.pending} onClick={() => setSelection(null)}>
            {text("addition.back")}
          </Button>
        )
      }
    >
      <Stepper label={text("addition.steps")} steps={steps} current={selection === null ? 0 : 1} />
      {selection === null ? (
        <>
          {matching !== null && (
            <Segmented
              label={text("addition.which")}
              value={which.value}
              choices={[
                { value: "selected", label: text("bulk.selected", { count: ids.length }) },
                { value: "matching", label: text("bulk.matching", { count: matching.count ?? 0 }) },
              ]}
              onChange={(chosen) => {
                which.onChange(chosen);
                // They are of spans that may not be chosen any more.
                form.field("edits").onChange(noEdits);
              }}
            />
          )}
          <DatasetChoice name={form.field("name")} dataset={form.field("datasetId")} />
          <SplitsField {...form.field("splits")} />
          <p className={styles.hint}>{text(`addition.hint.${kind}`)}</p>
        </>
      ) : (
        <ExamplesStep selection={selection} rule={form.field("rule")} edits={form.field("edits")} />
      )}
    </FormDialog>
  );
}
