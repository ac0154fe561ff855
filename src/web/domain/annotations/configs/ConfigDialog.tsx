// Creates or changes an annotation configuration, beside the control that people will judge with.
import { X } from "lucide-react";
import { useRef, useState } from "react";
import { IconButton } from "../../../kit/Button.tsx";
import { Segmented, Select, TextField } from "../../../kit/Field.tsx";
import { FieldPair, FieldRows } from "../../../kit/form/FieldRows.tsx";
import { FormDialog } from "../../../kit/form/FormDialog.tsx";
import { type FormField, useForm } from "../../../kit/form/use-form.ts";
import { showToast } from "../../../kit/Toast.tsx";
import { askGraphql } from "../../../lib/graphql.ts";
import { text } from "../../../texts/texts.ts";
import { JudgeControl } from "../JudgeControl.tsx";
import styles from "./ConfigDialog.module.css";
import { assignConfig, createConfig, updateConfig } from "./config-changes.queries.ts";
import { type ConfigValues, inputOf, previewOf, problemsOf, valuesOf } from "./config-form.ts";
import type { ListedConfig } from "./configs.queries.ts";

const types = (["CATEGORICAL", "CONTINUOUS", "FREEFORM"] as const).map((value) => ({
  value,
  label: text(`annotations.type.${value}`),
}));
const directions = (["MAXIMIZE", "MINIMIZE", "NONE"] as const).map((value) => ({
  value,
  label: text(`annotations.direction.${value}`),
}));

interface ConfigDialogProps {
  /** Null for a new one. */
  readonly config: ListedConfig | null;
  /** A new one is offered to the reviewers of this project; null for no project. */
  readonly projectId?: string | null;
  readonly onClose: () => void;
}

export default function ConfigDialog({ config, projectId = null, onClose }: ConfigDialogProps) {
  // Where only the project refused it, the next try must not create it a second time.
  const storedId = useRef(config?.id ?? null);
  const form = useForm(valuesOf(config), {
    send: async (values) => {
      const input = inputOf(values);
      if (storedId.current === null) {
        const { createAnnotationConfig } = await askGraphql(createConfig, { config: input });
        storedId.current = createAnnotationConfig.annotationConfig.id;
      } else {
        await askGraphql(updateConfig, { id: storedId.current, config: input });
      }
      if (projectId === null) return;
      await askGraphql(assignConfig, { pair: { projectId, annotationConfigId: storedId.current } });
    },
    changes: ["annotationConfigs"],
    check: problemsOf,
    done: (_, { name }) => showToast(text("annotations.saved", { name: name.trim() })),
    onClose,
  });
  const { type } = form.values;
  return (
    <FormDialog
      open
      firm
      form={form}
      title={config === null ? text("annotations.new") : text("annotations.edit.of", { name: config.name })}
      submit={text(config === null ? "annotations.create" : "annotations.save")}
    >
      <div>
        <Segmented label={text("annotations.type")} choices={types} {...form.field("type")} />
      </div>
      <TextField
        label={text("annotations.name")}
        hint={text("annotations.name.hint")}
        autoComplete="off"
        {...form.field("name")}
      />
      <TextField
        label={text("annotations.description")}
        note={text("annotations.optional")}
        autoComplete="off"
        {...form.field("description")}
      />
      {type === "CATEGORICAL" && <Labels {...form.field("labels")} />}
      {type === "CONTINUOUS" && (
        <FieldPair>
          <TextField label={text("annotations.lower")} inputMode="decimal" {...form.field("lower")} />
          <TextField label={text("annotations.upper")} inputMode="decimal" {...form.field("upper")} />
        </FieldPair>
      )}
      {type !== "FREEFORM" && (
        <Select label={text("annotations.direction")} choices={directions} {...form.field("direction")} />
      )}
      <Preview key={type} values={form.values} />
    </FormDialog>
  );
}

function Labels(field: FormField<ConfigValues["labels"]>) {
  return (
    <FieldRows
      {...field}
      legend={text("annotations.labels")}
      blank={{ label: "", score: "" }}
      add={text("annotations.label.add")}
    >
      {({ label, score }, { number, change, remove }) => (
        <div className={styles.choice}>
          <TextField
            labelHidden
            label={text("annotations.label.of", { number })}
            placeholder={text("annotations.label")}
            autoComplete="off"
            value={label}
            onChange={(typed) => change({ label: typed })}
          />
          <TextField
            labelHidden
            label={text("annotations.score.of", { number })}
            placeholder={text("annotations.score")}
            inputMode="decimal"
            value={score}
            onChange={(typed) => change({ score: typed })}
          />
          <IconButton label={text("annotations.label.remove", { number })} icon={<X />} onClick={remove} />
        </div>
      )}
    </FieldRows>
  );
}

function Preview({ values }: { readonly values: ConfigValues }) {
  const [tried, setTried] = useState("");
  return (
    <section className={styles.preview} aria-label={text("annotations.preview")}>
      <h3 className={styles.legend}>{text("annotations.preview")}</h3>
      <JudgeControl by={previewOf(values)} value={tried} onChange={setTried} />
    </section>
  );
}
