// What can be done with the selected traces. Every change says before how many it concerns, and after how many were done.

import { useQueryClient } from "@tanstack/react-query";
import { Copy, Download, FolderInput, Trash2, X } from "lucide-react";
import { useState } from "react";
import { projectHead } from "../../explorer/explorer.queries.ts";
import { useProject } from "../../explorer/ProjectPage.tsx";
import { Button, IconButton } from "../../kit/Button.tsx";
import { Dialog, FormDialog } from "../../kit/Dialog.tsx";
import { Select } from "../../kit/Field.tsx";
import { Notice } from "../../kit/States.tsx";
import { showToast } from "../../kit/Toast.tsx";
import { useGraphql, useGraphqlMutation } from "../../lib/queries.ts";
import { useRights } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import { downloadTraces } from "./download-traces.ts";
import { deleteTraces, moveTraces, projectChoices, type TraceRow } from "./lists.queries.ts";
import styles from "./TraceSelectionBar.module.css";

interface SelectionProps {
  readonly projectId: string;
  readonly rows: readonly TraceRow[];
  /** The selection is dealt with. */
  readonly onDone: () => void;
}

export function TraceSelectionBar({ projectId, rows, onDone }: SelectionProps) {
  const [asking, setAsking] = useState<"delete" | "move" | null>(null);
  const [downloading, setDownloading] = useState(false);
  const { project } = useProject(projectId);
  const { mayWrite } = useRights();
  const count = rows.length;
  const close = () => setAsking(null);
  const copy = async () => {
    await navigator.clipboard.writeText(rows.map(({ traceId }) => traceId).join("\n"));
    showToast(text("trace.copied"));
  };
  const download = async () => {
    setDownloading(true);
    const ids = rows.map(({ traceId }) => traceId);
    const failure = await downloadTraces(projectId, project?.name ?? "", ids);
    setDownloading(false);
    if (failure === null) showToast(text("traces.downloaded", { count }));
    else showToast(text("traces.download.failed", { reason: failure.message }), "error");
  };
  return (
    <div role="toolbar" aria-label={text("traces.selected", { count })} className={styles.bar}>
      <span className={styles.count}>{text("traces.selected", { count })}</span>
      <Button icon={<Copy />} onClick={() => void copy()}>
        {text("traces.copy")}
      </Button>
      <Button icon={<Download />} disabled={downloading} onClick={() => void download()}>
        {text("traces.download")}
      </Button>
      {mayWrite && (
        <>
          <Button icon={<FolderInput />} onClick={() => setAsking("move")}>
            {text("traces.move")}
          </Button>
          <Button look="danger" icon={<Trash2 />} onClick={() => setAsking("delete")}>
            {text("traces.delete")}
          </Button>
        </>
      )}
      <IconButton label={text("traces.unselect")} icon={<X />} onClick={onDone} />
      <DeleteDialog open={asking === "delete"} rows={rows} onClose={close} onDone={onDone} />
      <MoveDialog open={asking === "move"} projectId={projectId} rows={rows} onClose={close} onDone={onDone} />
    </div>
  );
}

interface AskingProps {
  readonly open: boolean;
  readonly rows: readonly TraceRow[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Every list and figure may have changed. */
function useRefreshAll() {
  const client = useQueryClient();
  return () => void client.invalidateQueries();
}

function DeleteDialog({ open, rows, onClose, onDone }: AskingProps) {
  const remove = useGraphqlMutation(deleteTraces, [projectHead]);
  const refresh = useRefreshAll();
  const count = rows.length;
  const submit = () =>
    remove.mutate(
      { ids: rows.map(({ id }) => id) },
      {
        onSuccess: () => {
          showToast(text("traces.deleted", { count }));
          onClose();
          onDone();
          refresh();
        },
      },
    );
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={text("traces.delete.title", { count })}
      actions={
        <>
          <Button onClick={onClose}>{text("kit.cancel")}</Button>
          <Button look="danger" disabled={remove.isPending} onClick={submit}>
            {text("traces.delete")}
          </Button>
        </>
      }
    >
      {remove.error && <Notice tone="error">{remove.error.message}</Notice>}
      <p>{text("traces.delete.text")}</p>
    </Dialog>
  );
}

function MoveDialog({ open, projectId, rows, onClose, onDone }: AskingProps & { readonly projectId: string }) {
  const move = useGraphqlMutation(moveTraces, [projectHead]);
  const refresh = useRefreshAll();
  const projects = useGraphql(projectChoices, { first: 1000 }, { enabled: open });
  const choices = (projects.data?.projects.edges ?? [])
    .map(({ node }) => ({ value: node.id, label: node.name }))
    .filter(({ value }) => value !== projectId);
  const [chosen, setChosen] = useState("");
  const project = choices.find(({ value }) => value === chosen) ?? choices[0];
  const count = rows.length;
  const submit = () => {
    if (project === undefined || move.isPending) return;
    move.mutate(
      { ids: rows.map(({ id }) => id), project: project.value },
      {
        onSuccess: () => {
          showToast(text("traces.moved", { count, project: project.label }));
          onClose();
          onDone();
          refresh();
        },
      },
    );
  };
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      onSubmit={submit}
      title={text("traces.move.title", { count })}
      actions={
        <>
          <Button onClick={onClose}>{text("kit.cancel")}</Button>
          <Button type="submit" look="main" disabled={project === undefined || move.isPending}>
            {text("traces.move")}
          </Button>
        </>
      }
    >
      {move.error && <Notice tone="error">{move.error.message}</Notice>}
      <Select
        label={text("traces.move.to")}
        hint={text("traces.move.text")}
        choices={choices}
        value={project?.value ?? ""}
        onChange={setChosen}
      />
    </FormDialog>
  );
}
