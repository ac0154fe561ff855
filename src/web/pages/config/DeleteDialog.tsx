// Deletes a project with everything in it, once its name has been typed.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { projectOf } from "../../explorer/explorer.queries.ts";
import { Button } from "../../kit/Button.tsx";
import { FormDialog } from "../../kit/Dialog.tsx";
import { TextField } from "../../kit/Field.tsx";
import { Notice } from "../../kit/States.tsx";
import { showToast } from "../../kit/Toast.tsx";
import { lastProjectPreference } from "../../lib/last-project.ts";
import { linkTo } from "../../lib/links.ts";
import { useGraphql, useGraphqlMutation } from "../../lib/queries.ts";
import { text } from "../../texts/texts.ts";
import styles from "./ConfigPage.module.css";
import { deleteProject, projectContents, type SettingsOfProject } from "./config.queries.ts";

interface DeleteDialogProps {
  readonly project: SettingsOfProject;
  readonly onClose: () => void;
}

export function DeleteDialog({ project, onClose }: DeleteDialogProps) {
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const [typed, setTyped] = useState("");
  const contents = useGraphql(projectContents, { id: project.id, timeRange: null });
  const remove = useGraphqlMutation(deleteProject);
  const affected = projectOf(contents.data);
  const agreed = typed.trim() === project.name.trim();
  const submit = () => {
    if (!agreed || affected === undefined || remove.isPending) return;
    remove.mutate(
      { id: project.id },
      {
        onSuccess: () => {
          showToast(text("config.deleted", { name: project.name, count: affected.traceCount }));
          if (lastProjectPreference.get() === project.id) lastProjectPreference.set(null);
          navigate(linkTo("projects"));
          void client.invalidateQueries();
        },
      },
    );
  };
  return (
    <FormDialog
      open
      onClose={onClose}
      onSubmit={submit}
      title={text("config.delete.title", { name: project.name })}
      actions={
        <>
          <Button onClick={onClose}>{text("kit.cancel")}</Button>
          <Button type="submit" look="danger" disabled={!agreed || affected === undefined || remove.isPending}>
            {remove.isPending ? text("config.deleting") : text("config.delete.submit")}
          </Button>
        </>
      }
    >
      <div className={styles.dialog}>
        {(remove.error ?? contents.error) && <Notice tone="error">{(remove.error ?? contents.error)?.message}</Notice>}
        <p role="status" className={styles.count}>
          {affected === undefined
            ? contents.error === null && text("config.counting")
            : text("config.delete.affected", { count: affected.traceCount, spans: affected.recordCount })}
        </p>
        <p className={styles.note}>{text("config.delete.note")}</p>
        <TextField
          label={text("config.delete.confirm", { name: project.name })}
          value={typed}
          onChange={setTyped}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
    </FormDialog>
  );
}
