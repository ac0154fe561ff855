// The selected sessions of the list, for those who may annotate: nothing else can be done with them.
import { useState } from "react";
import type { Matching } from "../../domain/annotations/bulk.ts";
import { Late, late } from "../../lib/late.tsx";
import { useRights } from "../../lib/viewer.ts";
import type { SessionRow } from "./sessions.queries.ts";

const { Part: SessionSelectionBar } = late(() => import("./SessionSelectionBar.tsx"));

export function useSessionSelection(projectId: string, matching: Matching) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { mayWrite } = useRights();
  if (!mayWrite) return {};
  return {
    selection: {
      selected,
      onSelect: setSelected,
      bar: (rows: readonly SessionRow[]) => (
        <Late>
          <SessionSelectionBar
            projectId={projectId}
            rows={rows}
            matching={matching}
            onDone={() => setSelected(new Set())}
          />
        </Late>
      ),
    },
  };
}
