// What can be done with the selected sessions.
import { SelectionButtons } from "../../explorer/SelectionButtons.tsx";
import { SelectionToolbar } from "../../explorer/SelectionToolbar.tsx";
import type { BarProps } from "../../explorer/use-list-page.tsx";
import type { SessionRow } from "./sessions.queries.ts";

export default function SessionSelectionBar({ onDone, ...selection }: BarProps<SessionRow>) {
  return (
    <SelectionToolbar count={selection.rows.length} onDone={onDone}>
      <SelectionButtons target="session" {...selection} />
    </SelectionToolbar>
  );
}
