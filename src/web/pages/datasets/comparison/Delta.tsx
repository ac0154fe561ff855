// How a figure of an experiment differs from that of the base; nothing where one of them is not known.
import { DeltaBadge } from "../../../kit/DeltaBadge.tsx";
import { differenceText } from "./measure-words.ts";
import { differenceOf, type Figures, type Measure } from "./measures.ts";

interface DeltaProps {
  readonly measure: Measure;
  readonly base: Figures;
  readonly other: Figures;
}

export function Delta({ measure, base, other }: DeltaProps) {
  const { outcome, value } = differenceOf(measure, base, other);
  if (outcome === "unknown" || value === null) return null;
  return <DeltaBadge outcome={outcome} value={value} words={differenceText(measure, value)} />;
}
