// The splits that one example or many are in, and a new split for them.
import { PLAIN_COLOR } from "../../../domain/labels/labels.tsx";
import { Checkbox, TextField } from "../../../kit/Field.tsx";
import { FormDialog } from "../../../kit/form/FormDialog.tsx";
import { useForm } from "../../../kit/form/use-form.ts";
import { showToast } from "../../../kit/Toast.tsx";
import { askGraphql, nodesOf } from "../../../lib/graphql.ts";
import { useGraphql } from "../../../lib/queries.ts";
import { text } from "../../../texts/texts.ts";
import { allSplits, createSplit, setSplits } from "./examples.queries.ts";
import { type SplitMember, shareOf, splitChanges } from "./split-changes.ts";

interface SplitsDialogProps {
  readonly examples: readonly SplitMember[];
  readonly onClose: () => void;
}

export default function SplitsDialog({ examples, onClose }: SplitsDialogProps) {
  const known = useGraphql(allSplits, {});
  const none: Readonly<Record<string, boolean>> = {};
  const form = useForm(
    { chosen: none, newSplit: "" },
    {
      async send({ chosen, newSplit }) {
        const name = newSplit.trim();
        const made = name === "" ? {} : { [await makeSplit(name)]: true };
        for (const { exampleIds, splitIds } of splitChanges(examples, { ...chosen, ...made })) {
          await askGraphql(setSplits, { exampleIds: [...exampleIds], splitIds: [...splitIds] });
        }
      },
      changes: ["datasets", "datasetSplits"],
      done: () => showToast(text("datasets.split.done", { count: examples.length })),
      onClose,
    },
  );
  const { value: chosen, onChange } = form.field("chosen");
  const splits = nodesOf(known.data?.datasetSplits.edges ?? []);
  return (
    <FormDialog
      open
      form={form}
      title={text("datasets.split.title", { count: examples.length })}
      submit={text("datasets.edit.save")}
      problem={known.error?.message}
    >
      <fieldset>
        <legend className="visually-hidden">{text("datasets.splits")}</legend>
        {known.data !== undefined && splits.length === 0 && <p>{text("datasets.split.none")}</p>}
        {splits.map(({ id, name }) => {
          const share = shareOf(id, examples);
          return (
            <div key={id}>
              <Checkbox
                label={name}
                checked={chosen[id] ?? share === "all"}
                partly={chosen[id] === undefined && share === "some"}
                onChange={(checked) => onChange({ ...chosen, [id]: checked })}
              />
            </div>
          );
        })}
      </fieldset>
      <TextField
        label={text("datasets.split.new")}
        note={text("kit.optional")}
        autoComplete="off"
        {...form.field("newSplit")}
      />
    </FormDialog>
  );
}

async function makeSplit(name: string): Promise<string> {
  const { createDatasetSplit } = await askGraphql(createSplit, { name, color: PLAIN_COLOR });
  return createDatasetSplit.datasetSplit.id;
}
