// Makes, changes and deletes an annotation configuration, beside the control that people will judge with.
import { Plus, X } from "lucide-react";
import { useState } from "react";
import type { ListedConfig } from "../../domain/annotations/configs.queries.ts";
import { JudgeControl } from "../../domain/annotations/JudgeControl.tsx";
import { Button, IconButton } from "../../kit/Button.tsx";
import { Segmented, Select, TextField } from "../../kit/Field.tsx";
import { ConfirmDialog } from "../../kit/form/ConfirmDialog.tsx";
import { FormDialog } from "../../kit/form/FormDialog.tsx";
import { type FormField, useForm } from "../../kit/form/use-form.ts";
import { showToast } from "../../kit/Toast.tsx";
import { askGraphql } from "../../lib/graphql.ts";
import { text } from "../../texts/texts.ts";
import styles from "./AnnotationConfigDialogs.module.css";
import { type ConfigValues, inputOf, previewOf, problemsOf, valuesOf } from "./annotation-config-form.ts";
import { createConfig, deleteConfig, updateConfig } from "./annotation-configs.queries.ts";

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
  readonly onClose: () => void;
}

export function ConfigDialog({ config, onClose }: ConfigDialogProps) {
  const form = useForm(valuesOf(config), {
    send: async (values) => {
      const input = inputOf(values);
      if (config === null) await askGraphql(createConfig, { config: input });
      else await askGraphql(updateConfig, { id: config.id, config: input });
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
        <div className={styles.pair}>
          <TextField label={text("annotations.lower")} inputMode="decimal" {...form.field("lower")} />
          <TextField label={text("annotations.upper")} inputMode="decimal" {...form.field("upper")} />
        </div>
      )}
      {type !== "FREEFORM" && (
        <Select label={text("annotations.direction")} choices={directions} {...form.field("direction")} />
      )}
      <Preview key={type} values={form.values} />
    </FormDialog>
  );
}

function Labels({ value: labels, onChange, problem }: FormField<ConfigValues["labels"]>) {
  const change = (key: number, changed: object) =>
    onChange(labels.map((each) => (each.key === key ? { ...each, ...changed } : each)));
  const add = () =>
    onChange([...labels, { key: Math.max(-1, ...labels.map(({ key }) => key)) + 1, label: "", score: "" }]);
  return (
    <fieldset className={styles.labels}>
      <legend className={styles.legend}>{text("annotations.labels")}</legend>
      {labels.map(({ key, label, score }, position) => {
        const number = { number: position + 1 };
        return (
          <div key={key} className={styles.choice}>
            <TextField
              labelHidden
              label={text("annotations.label.of", number)}
              placeholder={text("annotations.label")}
              autoComplete="off"
              value={label}
              onChange={(typed) => change(key, { label: typed })}
            />
            <TextField
              labelHidden
              label={text("annotations.score.of", number)}
              placeholder={text("annotations.score")}
              inputMode="decimal"
              value={score}
              onChange={(typed) => change(key, { score: typed })}
            />
            <IconButton
              label={text("annotations.label.remove", number)}
              icon={<X />}
              onClick={() => onChange(labels.filter((each) => each.key !== key))}
            />
          </div>
        );
      })}
      {problem !== null && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      <span>
        <Button icon={<Plus />} onClick={add}>
          {text("annotations.label.add")}
        </Button>
      </span>
    </fieldset>
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

export function DeleteConfigDialog({
  config,
  onClose,
}: {
  readonly config: ListedConfig;
  readonly onClose: () => void;
}) {
  const { id, name } = config;
  const form = useForm(
    {},
    {
      send: () => askGraphql(deleteConfig, { id }),
      changes: ["annotationConfigs"],
      done: () => showToast(text("annotations.deleted", { name })),
      onClose,
    },
  );
  return (
    <ConfirmDialog
      open
      form={form}
      title={text("annotations.delete.title", { name })}
      confirm={text("annotations.delete")}
    >
      <p>{text("annotations.delete.text")}</p>
    </ConfirmDialog>
  );
}
