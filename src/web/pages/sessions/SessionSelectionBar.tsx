// What can be done with the selected sessions.
import { AnnotateButton } from "../../domain/annotations/AnnotateButton.tsx";
import type { Matching } from "../../domain/annotations/bulk.ts";
import { AddToDatasetButton } from "../../domain/datasets/AddToDatasetButton.tsx";
import { SelectionToolbar } from "../../explorer/SelectionToolbar.tsx";
import type { SessionRow } from "./sessions.queries.ts";

interface SessionSelectionBarProps {
  readonly projectId: string;
  readonly rows: readonly SessionRow[];
  readonly matching: Matching | null;
  /** The selection is dealt with. */
  readonly onDone: () => void;
}

export default function SessionSelectionBar({ projectId, rows, matching, onDone }: SessionSelectionBarProps) {
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
