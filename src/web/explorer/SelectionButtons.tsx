// What can be done with the selected rows of every list: annotate them, and make examples of them.
import { AnnotateButton } from "../domain/annotations/AnnotateButton.tsx";
import { AddToDatasetButton } from "../domain/datasets/AddToDatasetButton.tsx";
import type { BarProps } from "./use-list-page.tsx";

interface SelectionButtonsProps extends Omit<BarProps<{ readonly id: string }>, "onDone"> {
  readonly target: "span" | "trace" | "session";
}

export function SelectionButtons({ target, projectId, rows, matching }: SelectionButtonsProps) {
  const ids = rows.map(({ id }) => id);
  return (
    <>
      <AnnotateButton projectId={projectId} target={target} ids={ids} matching={matching} />
      <AddToDatasetButton kind={target} ids={ids} matching={matching && { projectId, ...matching }} />
    </>
  );
}
