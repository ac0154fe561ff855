// Notes as annotations: free text that a user adds to a span, trace or session.
import { NOTE } from "../../../../model/annotation.ts";
import type { TargetKind } from "../annotation-targets.rules.ts";
import type { NewAnnotation } from "../annotations.schema.ts";

interface WrittenNote {
  readonly text: string;
  /** Empty makes a note of its own. */
  readonly identifier: string;
}

/** A note as an annotation. `uniqueText` returns a text that has not been used before. */
export function noteContent(
  { target }: TargetKind,
  { text, identifier }: WrittenNote,
  uniqueText: () => string,
): Omit<NewAnnotation, "targetKey" | "annotatorKind"> {
  return {
    position: -1,
    name: NOTE,
    identifier: identifier === "" ? `px-${target}-note:${uniqueText()}` : identifier,
    label: null,
    score: null,
    explanation: text,
    metadata: "{}",
  };
}
