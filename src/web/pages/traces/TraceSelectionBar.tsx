// What can be done with the selected traces. Every change says before how many it concerns, and after how many were done.
import { Columns2, FolderInput, Trash2 } from "lucide-react";
import { useState } from "react";
import { literalOf } from "../../domain/filter/chips.ts";
import { ExplainButton } from "../../explorer/ExplainButton.tsx";
import { useProject } from "../../explorer/ProjectPage.tsx";
import { SelectionButtons } from "../../explorer/SelectionButtons.tsx";
import { useExplorerState } from "../../explorer/use-explorer-state.ts";
import type { BarProps } from "../../explorer/use-list-page.tsx";
import { Button, LinkButton } from "../../kit/Button.tsx";
import { Select } from "../../kit/Field.tsx";
import { ConfirmDialog } from "../../kit/form/ConfirmDialog.tsx";
import { FormDialog } from "../../kit/form/FormDialog.tsx";
import { useForm } from "../../kit/form/use-form.ts";
import { showToast } from "../../kit/Toast.tsx";
import { askGraphql } from "../../lib/graphql.ts";
import { useGraphql } from "../../lib/queries.ts";
import { useRights } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import { linkToComparison } from "./comparison-link.ts";
import { downloadTraces } from "./download-traces.ts";
import { deleteTraces, moveTraces, projectChoices, type TraceRow } from "./lists.queries.ts";
import { SelectionBar } from "./SelectionBar.tsx";

export default function TraceSelectionBar({ projectId, rows, matching, onDone }: BarProps<TraceRow>) {
  const [asking, setAsking] = useState<"delete" | "move" | null>(null);
  const { project } = useProject(projectId);
  const { mayWrite } = useRights();
  const state = useExplorerState();
  const count = rows.length;
  const [older, newer] = rows.toSorted((one, other) => (one.startTime < other.startTime ? -1 : 1));
  const close = () => setAsking(null);
  const traceIds = rows.map(({ traceId }) => traceId);
  return (
    <SelectionBar
      ids={traceIds}
      downloaded={text("traces.downloaded", { count })}
      download={() => downloadTraces(projectId, project?.name ?? "", traceIds)}
      onDone={onDone}
    >
      {count === 2 && (
        <LinkButton icon={<Columns2 />} to={linkToComparison(projectId, older!.id, newer!.id)}>
          {text("traces.compare")}
        </LinkButton>
      )}
      <ExplainButton
        {...{ projectId, state }}
        of="traces"
        condition={`trace_id in [${traceIds.map(literalOf).join(", ")}]`}
      />
      {mayWrite && (
        <>
          <SelectionButtons target="trace" {...{ projectId, rows, matching }} />
          <Button icon={<FolderInput />} onClick={() => setAsking("move")}>
            {text("traces.move")}
          </Button>
          <Button look="danger" icon={<Trash2 />} onClick={() => setAsking("delete")}>
            {text("traces.delete")}
          </Button>
        </>
      )}
      <ConfirmDialog
        open={asking === "delete"}
        title={text("traces.delete.title", { count })}
        confirm={text("traces.delete")}
        send={() => askGraphql(deleteTraces, { ids: rows.map(({ id }) => id) })}
        changes={["traces"]}
        done={text("traces.deleted", { count })}
        onDone={onDone}
        onClose={close}
      >
        <p>{text("traces.delete.text")}</p>
      </ConfirmDialog>
      <MoveDialog open={asking === "move"} projectId={projectId} rows={rows} onClose={close} onDone={onDone} />
    </SelectionBar>
  );
}

interface MoveDialogProps {
  readonly open: boolean;
  readonly projectId: string;
  readonly rows: readonly TraceRow[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function MoveDialog({ open, projectId, rows, onClose, onDone }: MoveDialogProps) {
  const projects = useGraphql(projectChoices, { first: 1000 }, { enabled: open });
  const choices = (projects.data?.projects.edges ?? [])
    .map(({ node }) => ({ value: node.id, label: node.name }))
    .filter(({ value }) => value !== projectId);
  const targetOf = (chosen: string) => choices.find(({ value }) => value === chosen) ?? choices[0];
  const count = rows.length;
  const form = useForm(
    { project: "" },
    {
      send: ({ project }) =>
        askGraphql(moveTraces, { ids: rows.map(({ id }) => id), project: targetOf(project)?.value ?? "" }),
      changes: ["traces"],
      done(_, { project }) {
        showToast(text("traces.moved", { count, project: targetOf(project)?.label ?? "" }));
        onDone();
      },
      onClose,
    },
  );
  const target = targetOf(form.values.project);
  return (
    <FormDialog
      open={open}
      form={form}
      title={text("traces.move.title", { count })}
      submit={text("traces.move")}
      disabled={target === undefined}
    >
      <Select
        label={text("traces.move.to")}
        hint={text("traces.move.text")}
        choices={choices}
        {...form.field("project")}
        value={target?.value ?? ""}
      />
    </FormDialog>
  );
}
