// What can be done with the selected sessions.
import { AnnotateButton } from "../../domain/annotations/AnnotateButton.tsx";
import { AddToDatasetButton } from "../../domain/datasets/AddToDatasetButton.tsx";
import { SelectionToolbar } from "../../explorer/SelectionToolbar.tsx";
import type { BarProps } from "../../explorer/use-list-page.tsx";
import type { SessionRow } from "./sessions.queries.ts";

export default function SessionSelectionBar({ projectId, rows, matching, onDone }: BarProps<SessionRow>) {
  return (
    <SelectionToolbar count={rows.length} onDone={onDone}>
      <AnnotateButton projectId={projectId} target="session" ids={rows.map(({ id }) => id)} matching={matching} />
      <AddToDatasetButton
        kind="session"
        ids={rows.map(({ id }) => id)}
        matching={matching && { projectId, ...matching }}
      />
    </SelectionToolbar>
  );
}
