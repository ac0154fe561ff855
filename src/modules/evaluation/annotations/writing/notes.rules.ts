// Notes as annotations: a text that somebody wrote beside a span, trace or session.
import { NOTE } from "../../../../model/annotation.ts";
import type { TargetKind } from "../annotation-targets.rules.ts";
import type { NewAnnotation } from "../annotations.schema.ts";

interface WrittenNote {
  readonly text: string;
  /** Empty makes a note of its own. */
  readonly identifier: string;
}

/** What a note says as an annotation. `uniqueText` gives a text that nobody has had before. */
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
