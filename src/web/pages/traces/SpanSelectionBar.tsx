// What can be done with the selected spans. A change says before how many it concerns, and after how many were done.
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { literalOf } from "../../domain/filter/chips.ts";
import { ExplainButton } from "../../explorer/ExplainButton.tsx";
import { useProject } from "../../explorer/ProjectPage.tsx";
import { SelectionButtons } from "../../explorer/SelectionButtons.tsx";
import { useExplorerState } from "../../explorer/use-explorer-state.ts";
import type { BarProps } from "../../explorer/use-list-page.tsx";
import { Button } from "../../kit/Button.tsx";
import { ConfirmDialog } from "../../kit/form/ConfirmDialog.tsx";
import { failureOf } from "../../lib/failure.ts";
import { useRights } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import type { SpanListRow } from "./lists.queries.ts";
import { SelectionBar } from "./SelectionBar.tsx";
import { deleteSpans, downloadSpans } from "./selected-spans.ts";

export default function SpanSelectionBar({ projectId, rows, matching, onDone }: BarProps<SpanListRow>) {
  const [asking, setAsking] = useState(false);
  const { project } = useProject(projectId);
  const { mayWrite } = useRights();
  const state = useExplorerState();
  const count = rows.length;
  const spanIds = rows.map(({ spanId }) => spanId);
  const download = () =>
    downloadSpans(projectId, project?.name ?? "", rows).then(
      () => null,
      (error: unknown) => failureOf(error),
    );
  return (
    <SelectionBar ids={spanIds} downloaded={text("spans.downloaded", { count })} download={download} onDone={onDone}>
      <ExplainButton
        {...{ projectId, state }}
        of="spans"
        condition={`span_id in [${spanIds.map(literalOf).join(", ")}]`}
      />
      {mayWrite && (
        <>
          <SelectionButtons target="span" {...{ projectId, rows, matching }} />
          <Button look="danger" icon={<Trash2 />} onClick={() => setAsking(true)}>
            {text("traces.delete")}
          </Button>
        </>
      )}
      <ConfirmDialog
        open={asking}
        title={text("spans.delete.title", { count })}
        confirm={text("traces.delete")}
        send={() => deleteSpans(rows)}
        changes={["traces"]}
        done={text("spans.deleted", { count })}
        onDone={onDone}
        onClose={() => setAsking(false)}
      >
        <p>{text("spans.delete.text")}</p>
      </ConfirmDialog>
    </SelectionBar>
  );
}
