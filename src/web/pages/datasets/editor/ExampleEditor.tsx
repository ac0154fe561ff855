// An example while it is changed, in the place where it is read. Only the parts that were changed are sent; they make a version.
import { useState } from "react";
import {
  changedParts,
  draftOf,
  type ExamplePart,
  exampleParts,
  objectOf,
  problemOf,
} from "../../../domain/datasets/editor/example-draft.ts";
import { PartField } from "../../../domain/datasets/editor/PartField.tsx";
import { Button } from "../../../kit/Button.tsx";
import { TextField } from "../../../kit/Field.tsx";
import { PlainForm } from "../../../kit/form/PlainForm.tsx";
import { useForm } from "../../../kit/form/use-form.ts";
import { useShortcut } from "../../../kit/keys.ts";
import { FailedState, Notice, Skeleton } from "../../../kit/States.tsx";
import { showToast } from "../../../kit/Toast.tsx";
import { askGraphql } from "../../../lib/graphql.ts";
import { useGraphql } from "../../../lib/queries.ts";
import { leave, useUnsaved } from "../../../lib/unsaved.ts";
import { text } from "../../../texts/texts.ts";
import styles from "./ExampleEditor.module.css";
import { exampleToEdit, patchExamples } from "./examples.queries.ts";

interface ExampleEditorProps {
  readonly exampleId: string;
  readonly onClose: () => void;
}

type Content = Readonly<Record<ExamplePart, unknown>>;

/** What the example says is asked again, with every digit of its numbers, and stays as it was when the writing began. */
export default function ExampleEditor({ exampleId, onClose }: ExampleEditorProps) {
  const query = useGraphql(exampleToEdit, { id: exampleId }, { exact: true });
  const [content, setContent] = useState<Content | null>(null);
  const node = query.data?.node;
  if (content === null && !query.isFetching && node?.__typename === "DatasetExample") setContent(node.revision);
  if (content !== null) return <Editor exampleId={exampleId} content={content} onClose={onClose} />;
  return query.error === null ? (
    <Skeleton lines={8} />
  ) : (
    <FailedState failure={query.error} onRetry={() => void query.refetch()} />
  );
}

function Editor({ exampleId, content, onClose }: ExampleEditorProps & { readonly content: Content }) {
  const [before] = useState(() => draftOf(content));
  const form = useForm(
    { ...before, note: "" },
    {
      send({ note, ...draft }) {
        const parts = changedParts(before, draft).map((part) => [part, objectOf(draft[part])] as const);
        const patch = { exampleId, ...Object.fromEntries(parts) };
        return askGraphql(patchExamples, { input: { patches: [patch], versionDescription: note.trim() || null } });
      },
      changes: ["datasets"],
      check: (draft) => Object.fromEntries(exampleParts.map((part) => [part, problemOf(draft[part])])),
      early: exampleParts,
      done: () => showToast(text("datasets.edit.saved")),
      onClose,
    },
  );
  const { note, ...draft } = form.values;
  const isChanged = changedParts(before, draft).length > 0;
  useUnsaved((isChanged || note !== "") && !form.pending);
  const save = () => {
    if (isChanged) form.submit();
  };
  useShortcut({
    keys: "mod+Enter mod+s",
    label: "datasets.edit.keys.save",
    group: "datasets.keys",
    inFields: true,
    run: save,
  });
  return (
    <PlainForm className={styles.editor} label={text("datasets.edit.form")} onSubmit={save}>
      <div className={styles.parts}>
        {form.refusal !== null && <Notice tone="error">{form.refusal}</Notice>}
        {exampleParts.map((part) => (
          <PartField key={part} part={part} {...form.field(part)} />
        ))}
      </div>
      <footer className={styles.foot}>
        <span className={styles.note}>
          <TextField
            labelHidden
            label={text("datasets.edit.note")}
            placeholder={text("datasets.edit.note")}
            autoComplete="off"
            {...form.field("note")}
          />
        </span>
        <Button onClick={() => leave(onClose)}>{text("kit.cancel")}</Button>
        <Button type="submit" look="main" disabled={!isChanged || form.pending}>
          {text("datasets.edit.save")}
        </Button>
      </footer>
    </PlainForm>
  );
}
