// Deletes the traces of a project, all or the older ones. Says before how many they are, and after how many have gone.
import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { projectOf } from "../../explorer/explorer.queries.ts";
import { Button } from "../../kit/Button.tsx";
import { FormDialog } from "../../kit/Dialog.tsx";
import { Segmented, TextField } from "../../kit/Field.tsx";
import { Notice } from "../../kit/States.tsx";
import { showToast } from "../../kit/Toast.tsx";
import { fromZonedFields, zonedFields } from "../../kit/zoned-fields.ts";
import { useGraphql, useGraphqlMutation } from "../../lib/queries.ts";
import { useTimeZone } from "../../lib/time-zone.ts";
import { text } from "../../texts/texts.ts";
import styles from "./ConfigPage.module.css";
import { clearProject, projectContents, type SettingsOfProject } from "./config.queries.ts";

interface ClearDialogProps {
  readonly project: SettingsOfProject;
  readonly onClose: () => void;
}

const MONTH_MS = 30 * 86_400_000;

export function ClearDialog({ project, onClose }: ClearDialogProps) {
  const zone = useTimeZone();
  const client = useQueryClient();
  const [which, setWhich] = useState<"all" | "older">("older");
  const [before, setBefore] = useState(() => zonedFields(new Date(Date.now() - MONTH_MS).toISOString(), zone));
  const end = which === "all" ? null : fromZonedFields(before, zone);
  const valid = which === "all" || end !== null;
  const timeRange = useMemo(() => (end === null ? null : { start: null, end }), [end]);
  const contents = useGraphql(projectContents, { id: project.id, timeRange }, { enabled: valid });
  const clear = useGraphqlMutation(clearProject);
  const affected = valid ? projectOf(contents.data) : undefined;

  const submit = () => {
    if (affected === undefined || affected.traceCount === 0 || clear.isPending) return;
    clear.mutate(
      { input: { id: project.id, endTime: end }, id: project.id, timeRange },
      {
        onSuccess: (answer) => {
          const left = projectOf(answer.clearProject)?.traceCount ?? 0;
          showToast(text("config.cleared", { count: Math.max(0, affected.traceCount - left) }));
          void client.invalidateQueries();
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      open
      onClose={onClose}
      onSubmit={submit}
      title={text("config.clear.title", { name: project.name })}
      actions={
        <>
          <Button onClick={onClose}>{text("kit.cancel")}</Button>
          <Button
            type="submit"
            look="danger"
            disabled={affected === undefined || affected.traceCount === 0 || clear.isPending}
          >
            {clear.isPending ? text("config.deleting") : text("config.clear.submit")}
          </Button>
        </>
      }
    >
      <div className={styles.dialog}>
        {(clear.error ?? contents.error) && <Notice tone="error">{(clear.error ?? contents.error)?.message}</Notice>}
        <Segmented
          label={text("config.clear.which")}
          value={which}
          choices={[
            { value: "older", label: text("config.clear.older") },
            { value: "all", label: text("config.clear.all") },
          ]}
          onChange={setWhich}
        />
        {which === "older" && (
          <TextField
            label={text("config.clear.before")}
            type="datetime-local"
            step={1}
            value={before}
            onChange={setBefore}
            problem={valid ? null : text("config.clear.before.problem")}
          />
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
