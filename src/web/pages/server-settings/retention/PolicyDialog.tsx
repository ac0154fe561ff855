// Makes or changes a retention policy, and says what its rule would delete now, before it is saved.
import { Checkbox, Select, TextField } from "../../../kit/Field.tsx";
import { FormDialog } from "../../../kit/form/FormDialog.tsx";
import { type FormField, useForm } from "../../../kit/form/use-form.ts";
import { showToast } from "../../../kit/Toast.tsx";
import { useDebounced } from "../../../lib/debounced.ts";
import { formatBytes } from "../../../lib/format.ts";
import { askGraphql, nodesOf } from "../../../lib/graphql.ts";
import { useGraphql } from "../../../lib/queries.ts";
import { text } from "../../../texts/texts.ts";
import { type PolicyValues, problemsOf, ruleOf, scheduleOf, valuesOf } from "./policy-form.ts";
import styles from "./Retention.module.css";
import { changePolicy, createPolicy, type ListedPolicy, previewRule, projectNames } from "./retention.queries.ts";

interface PolicyDialogProps {
  /** Null for a new one. */
  readonly policy: ListedPolicy | null;
  readonly isDefault: boolean;
  readonly onClose: () => void;
}

const frequencies = (["hourly", "daily", "weekly", "other"] as const).map((value) => ({
  value,
  label: text(`retention.when.${value}`),
}));

export function PolicyDialog({ policy, isDefault, onClose }: PolicyDialogProps) {
  const before = valuesOf(policy);
  const form = useForm(before, {
    send: async (values) => {
      const { projects } = values;
      const common = { name: values.name.trim(), cronExpression: scheduleOf(values), ...ruleOf(values)! };
      const addProjects = projects.filter((id) => !before.projects.includes(id));
      if (policy === null) return void (await askGraphql(createPolicy, { input: { ...common, addProjects } }));
      const removeProjects = before.projects.filter((id) => !projects.includes(id));
      const assigned = isDefault ? {} : { addProjects, removeProjects };
      await askGraphql(changePolicy, { input: { id: policy.id, ...common, ...assigned } });
    },
    changes: ["projectTraceRetentionPolicies"],
    check: problemsOf,
    done: (_, { name }) => showToast(text("retention.saved", { name: name.trim() })),
    onClose,
  });
  return (
    <FormDialog
      open
      firm
      form={form}
      title={policy === null ? text("retention.new") : text("retention.edit.of", { name: policy.name })}
      submit={text(policy === null ? "retention.create" : "retention.save")}
    >
      {!isDefault && <TextField label={text("retention.name")} autoComplete="off" {...form.field("name")} />}
      <fieldset className={styles.group}>
        <legend className={styles.legend}>{text("retention.rule")}</legend>
        <div className={styles.halves}>
          <TextField label={text("retention.days")} inputMode="decimal" {...form.field("days")} />
          <TextField label={text("retention.count")} inputMode="numeric" {...form.field("count")} />
          <TextField label={text("retention.size")} inputMode="decimal" {...form.field("megabytes")} />
        </div>
        <p className={styles.note}>{text("retention.rule.hint")}</p>
      </fieldset>
      <fieldset className={styles.group}>
        <legend className={styles.legend}>{text("retention.spared")}</legend>
        <Checked label={text("retention.spared.annotated")} {...form.field("keepsAnnotated")} />
        <Checked label={text("retention.spared.sources")} {...form.field("keepsDatasetSources")} />
      </fieldset>
      <Select label={text("retention.when")} choices={frequencies} {...form.field("when")} />
      {form.values.when === "other" && (
        <TextField
          mono
          label={text("retention.schedule")}
          hint={text("retention.schedule.hint")}
          {...form.field("schedule")}
        />
      )}
      {!isDefault && <Projects {...form.field("projects")} />}
      <Preview values={form.values} policy={isDefault ? policy : null} />
    </FormDialog>
  );
}

function Checked({ label, value, onChange }: FormField<boolean> & { readonly label: string }) {
  return <Checkbox label={label} checked={value} onChange={(checked) => onChange(checked)} />;
}

function Projects({ value: chosen, onChange }: FormField<readonly string[]>) {
  const { data } = useGraphql(projectNames, {});
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{text("retention.projects")}</legend>
      <div className={styles.projects}>
        {nodesOf(data?.projects.edges ?? []).map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            checked={chosen.includes(id)}
            onChange={(checked) => onChange(checked ? [...chosen, id] : chosen.filter((each) => each !== id))}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface PreviewProps {
  readonly values: PolicyValues;
  /** Whose projects are looked at beside those that are chosen. */
  readonly policy: ListedPolicy | null;
}

function Preview({ values, policy }: PreviewProps) {
  const rule = ruleOf(values);
  const typed = rule && {
    ...rule,
    ...(policy === null ? { projectIds: [...values.projects] } : { policyId: policy.id }),
  };
  const input = useDebounced(JSON.stringify(typed));
  const isKnown = typed !== null && input === JSON.stringify(typed);
  const { data, error } = useGraphql(
    previewRule,
    { input: typed ?? { rule: { maxDays: { maxDays: 0 } } } },
    { enabled: isKnown, keepPrevious: true },
  );
  const total = (data?.previewTraceRetention ?? []).reduce(
    (sum, { traceCount, spanCount, byteCount }) => ({
      traces: sum.traces + traceCount,
      spans: sum.spans + spanCount,
      bytes: sum.bytes + byteCount,
    }),
    { traces: 0, spans: 0, bytes: 0 },
  );
  const isComplete = (data?.previewTraceRetention ?? []).every((previewed) => previewed.isComplete);
  const emptied = (data?.previewTraceRetention ?? []).filter(({ isEverything }) => isEverything);
  return (
    <p role="status" className={styles.preview}>
      {emptied.length > 0 && (
        <strong className={styles.emptied}>
          {text("retention.preview.everything", { projects: emptied.map(({ project }) => project.name).join(", ") })}
        </strong>
      )}
      {error !== null
        ? error.message
        : data === undefined
          ? text("retention.preview.counting")
          : total.traces === 0 && isComplete
            ? text("retention.preview.nothing")
            : text(isComplete ? "retention.preview" : "retention.preview.partial", {
                count: total.traces,
                spans: total.spans,
                bytes: formatBytes(total.bytes),
              })}
    </p>
  );
}
