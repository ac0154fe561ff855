// A new example, written by hand: a version of its own.
import { useState } from "react";
import {
  draftLike,
  type ExamplePart,
  exampleParts,
  objectOf,
  problemOf,
} from "../../../domain/datasets/editor/example-draft.ts";
import { PartField } from "../../../domain/datasets/editor/PartField.tsx";
import { TextField } from "../../../kit/Field.tsx";
import { FormDialog } from "../../../kit/form/FormDialog.tsx";
import { useForm } from "../../../kit/form/use-form.ts";
import { showToast } from "../../../kit/Toast.tsx";
import { askGraphql } from "../../../lib/graphql.ts";
import { leave, useUnsaved } from "../../../lib/unsaved.ts";
import { text } from "../../../texts/texts.ts";
import { addExample } from "./examples.queries.ts";

interface AddExampleDialogProps {
  readonly datasetId: string;
  /** Another example of the dataset: the new one begins with the same names. */
  readonly like: Readonly<Record<ExamplePart, unknown>> | undefined;
  readonly onClose: () => void;
}

export default function AddExampleDialog({ datasetId, like, onClose }: AddExampleDialogProps) {
  const [start] = useState(() => ({ ...draftLike(like), externalId: "", note: "" }));
  const form = useForm(start, {
    send: ({ input, output, metadata, externalId, note }) =>
      askGraphql(addExample, {
        input: {
          datasetId,
          examples: [
            {
              input: objectOf(input),
              output: objectOf(output),
              metadata: objectOf(metadata),
              externalId: externalId.trim() || null,
            },
          ],
          datasetVersionDescription: note.trim() || null,
        },
      }),
    changes: ["datasets"],
    check: (draft) => Object.fromEntries(exampleParts.map((part) => [part, problemOf(draft[part])])),
    early: exampleParts,
    done: () => showToast(text("datasets.add.done")),
    onClose,
  });
  const written = Object.entries(start).some(([name, text]) => form.values[name as keyof typeof start] !== text);
  useUnsaved(written && !form.pending);
  return (
    <FormDialog
      open
      wide
      firm
      form={{ ...form, close: () => leave(form.close) }}
      title={text("datasets.add")}
      submit={text("datasets.add.submit")}
    >
      {exampleParts.map((part) => (
        <PartField key={part} part={part} {...form.field(part)} />
      ))}
      <TextField
        label={text("datasets.example.id")}
        note={text("kit.optional")}
        autoComplete="off"
        {...form.field("externalId")}
      />
      <TextField
        label={text("datasets.edit.note")}
        note={text("kit.optional")}
        hint={text("datasets.edit.note.hint")}
        autoComplete="off"
        {...form.field("note")}
      />
    </FormDialog>
  );
}
