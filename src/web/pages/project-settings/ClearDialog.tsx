// Deletes the traces of a project, all or the older ones. Says before how many they are, and after how many have gone.
import { projectOf } from "../../explorer/explorer.queries.ts";
import { Segmented, TextField } from "../../kit/Field.tsx";
import { FormDialog } from "../../kit/form/FormDialog.tsx";
import { useForm } from "../../kit/form/use-form.ts";
import { showToast } from "../../kit/Toast.tsx";
import { fromZonedFields, zonedFields } from "../../kit/zoned-fields.ts";
import { askGraphql } from "../../lib/graphql.ts";
import { useGraphql } from "../../lib/queries.ts";
import { useTimeZone } from "../../lib/time-zone.ts";
import { text } from "../../texts/texts.ts";
import styles from "./ProjectSettingsPage.module.css";
import { clearProject, projectContents, type SettingsOfProject } from "./project-settings.queries.ts";

interface ClearDialogProps {
  readonly project: SettingsOfProject;
  readonly onClose: () => void;
}

const MONTH_MS = 30 * 86_400_000;

interface Values {
  readonly which: "all" | "older";
  /** Of an input for an instant, in the chosen time zone. */
  readonly before: string;
}

const choices = [
  { value: "older", label: text("config.clear.older") },
  { value: "all", label: text("config.clear.all") },
] as const;

export function ClearDialog({ project, onClose }: ClearDialogProps) {
  const zone = useTimeZone();
  const rangeOf = ({ which, before }: Values) => {
    const end = which === "all" ? null : fromZonedFields(before, zone);
    return { end, valid: which === "all" || end !== null, timeRange: end === null ? null : { start: null, end } };
  };
  const initial: Values = {
    which: "older",
    before: zonedFields(new Date(Date.now() - MONTH_MS).toISOString(), zone),
  };
  const form = useForm(initial, {
    send(values) {
      const { end, timeRange } = rangeOf(values);
      return askGraphql(clearProject, { input: { id: project.id, endTime: end }, id: project.id, timeRange });
    },
    changes: ["traces"],
    check: (values) => ({ before: !rangeOf(values).valid && text("config.clear.before.problem") }),
    early: ["before"],
    done(answer) {
      const left = projectOf(answer.clearProject)?.traceCount ?? 0;
      showToast(text("config.cleared", { count: Math.max(0, (affected?.traceCount ?? 0) - left) }));
    },
    onClose,
  });
  const { which } = form.values;
  const { valid, timeRange } = rangeOf(form.values);
  const contents = useGraphql(projectContents, { id: project.id, timeRange }, { enabled: valid });
  const affected = valid ? projectOf(contents.data) : undefined;
  return (
    <FormDialog
      open
      danger
      form={form}
      title={text("config.clear.title", { name: project.name })}
      submit={form.pending ? text("config.deleting") : text("config.clear.submit")}
      disabled={affected === undefined || affected.traceCount === 0}
      problem={contents.error?.message}
    >
      <div className={styles.dialog}>
        <Segmented label={text("config.clear.which")} choices={choices} {...form.field("which")} />
        {which === "older" && (
          <TextField label={text("config.clear.before")} type="datetime-local" step={1} {...form.field("before")} />
        )}
        <p role="status" className={styles.count}>
          {affected === undefined
            ? valid && contents.error === null && text("config.counting")
            : text("config.clear.affected", { count: affected.traceCount, spans: affected.recordCount })}
        </p>
        <p className={styles.note}>{text("config.clear.note")}</p>
      </div>
    </FormDialog>
  );
}
