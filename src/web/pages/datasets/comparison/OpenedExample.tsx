// The example that is open over a comparison, with its neighbours among what is listed.
import { ListEnd } from "../../../explorer/list-end.ts";
import { OverList } from "../../../explorer/OverList.tsx";
import { Skeleton } from "../../../kit/States.tsx";
import { Late, late } from "../../../lib/late.tsx";
import type { ComparedPanelProps } from "./ComparedPanel.tsx";
import type { ComparedRow } from "./compared.ts";
import type { Rows } from "./use-rows.ts";

const { Part: ComparedPanel } = late(() => import("./ComparedPanel.tsx"));

interface OpenedExampleProps extends Omit<ComparedPanelProps, "row" | "navigation"> {
  readonly list: Rows;
}

/** Opens an example of a comparison, or another one in its place. */
export function openExample(
  { exampleId, set }: OpenedExampleProps["comparison"],
  { id }: Pick<ComparedRow, "id">,
): void {
  set({ example: id, run: null }, exampleId === null ? "push" : "replace");
}

export function OpenedExample({ list, ...props }: OpenedExampleProps) {
  const { exampleId, set } = props.comparison;
  if (exampleId === null || list.rows === undefined) return null;
  return (
    <ListEnd value={list}>
      <OverList
        rows={list.rows}
        isOpen={({ id }) => id === exampleId}
        onOpen={(row) => openExample(props.comparison, row)}
        onClose={() => set({ example: null, run: null })}
      >
        {(navigation) => (
          <Late keys="page" fallback={<Skeleton lines={8} />}>
            <ComparedPanel
              key={exampleId}
              row={list.rows?.find(({ id }) => id === exampleId)}
              navigation={navigation}
              {...props}
            />
          </Late>
        )}
      </OverList>
    </ListEnd>
  );
}
