// Deletes a project with everything in it, once its name has been typed.
import { useLocation } from "wouter";
import { projectOf } from "../../explorer/explorer.queries.ts";
import { TextField } from "../../kit/Field.tsx";
import { FormDialog } from "../../kit/form/FormDialog.tsx";
import { useForm } from "../../kit/form/use-form.ts";
import { showToast } from "../../kit/Toast.tsx";
import { askGraphql } from "../../lib/graphql.ts";
import { lastProjectPreference } from "../../lib/last-project.ts";
import { linkTo } from "../../lib/links.ts";
import { useGraphql } from "../../lib/queries.ts";
import { text } from "../../texts/texts.ts";
import styles from "./ProjectSettingsPage.module.css";
import { deleteProject, projectContents, type SettingsOfProject } from "./project-settings.queries.ts";

interface DeleteDialogProps {
  readonly project: SettingsOfProject;
  readonly onClose: () => void;
}

export function DeleteDialog({ project, onClose }: DeleteDialogProps) {
  const [, navigate] = useLocation();
  const contents = useGraphql(projectContents, { id: project.id, timeRange: null });
  const affected = projectOf(contents.data);
  const form = useForm(
    { typed: "" },
    {
      send: () => askGraphql(deleteProject, { id: project.id }),
      changes: ["projects", "traces"],
      done() {
        showToast(text("config.deleted", { name: project.name, count: affected?.traceCount ?? 0 }));
        if (lastProjectPreference.get() === project.id) lastProjectPreference.set(null);
        navigate(linkTo("projects"));
      },
      onClose,
    },
  );
  const agreed = form.values.typed.trim() === project.name.trim();
  return (
    <FormDialog
      open
      danger
      form={form}
      title={text("config.delete.title", { name: project.name })}
      submit={form.pending ? text("config.deleting") : text("config.delete.submit")}
      disabled={!agreed || affected === undefined}
      problem={contents.error?.message}
    >
      <div className={styles.dialog}>
        <p role="status" className={styles.count}>
          {affected === undefined
            ? contents.error === null && text("config.counting")
            : text("config.delete.affected", { count: affected.traceCount, spans: affected.recordCount })}
        </p>
        <p className={styles.note}>{text("config.delete.note")}</p>
        <TextField
          label={text("config.delete.confirm", { name: project.name })}
          autoComplete="off"
          spellCheck={false}
          {...form.field("typed")}
        />
      </div>
    </FormDialog>
  );
}
