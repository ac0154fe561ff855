// The outputs of an evaluator while they are written: labels with scores, or a number.
import type { VariablesOf } from "../../../lib/graphql.ts";
import { text } from "../../../texts/texts.ts";
import type { createLlm, StoredOutput } from "./evaluators.queries.ts";

type OutputInput = VariablesOf<typeof createLlm>["input"]["outputConfigs"][number];
export type Direction = NonNullable<OutputInput["categorical"]>["optimizationDirection"];

export interface LabelDraft {
  readonly key: number;
  readonly label: string;
  /** A number, or empty. */
  readonly score: string;
}

export interface OutputDraft {
  readonly key: number;
  readonly kind: "categorical" | "continuous" | "freeform";
  readonly name: string;
  readonly description: string | null;
  readonly direction: Direction;
  /** Of a categorical one. */
  readonly labels: readonly LabelDraft[];
  readonly lowerBound: number | null;
  readonly upperBound: number | null;
}

let lastKey = 0;
const nextKey = () => ++lastKey;

export const newLabel = (label = "", score = ""): LabelDraft => ({ key: nextKey(), label, score });

export function newOutput(
  name: string,
  direction: Direction,
  labels: Readonly<Record<string, number | null>>,
): OutputDraft {
  return {
    key: nextKey(),
    kind: "categorical",
    name,
    description: null,
    direction,
    labels: Object.entries(labels).map(([label, score]) => newLabel(label, score === null ? "" : String(score))),
    lowerBound: null,
    upperBound: null,
  };
}

export function outputDraft(stored: StoredOutput): OutputDraft {
  const { name, description } = stored;
  const blank = { ...newOutput(name, "NONE", {}), description: description ?? null };
  switch (stored.__typename) {
    case "CategoricalAnnotationConfig":
      return {
        ...blank,
        direction: stored.direction,
        labels: stored.values.map(({ label, score }) => newLabel(label, score === null ? "" : String(score))),
      };
    case "ContinuousAnnotationConfig": {
      const { direction, lowerBound, upperBound } = stored;
      return {
        ...blank,
        kind: "continuous",
        direction,
        lowerBound: lowerBound ?? null,
        upperBound: upperBound ?? null,
      };
    }
    default:
      return { ...blank, kind: "freeform" };
  }
}

export function outputInput(draft: OutputDraft): OutputInput {
  const { kind, description, direction: optimizationDirection, labels, lowerBound, upperBound } = draft;
  const named = { name: draft.name.trim(), description };
  switch (kind) {
    case "categorical": {
      const values = labels.map(({ label, score }) => ({
        label: label.trim(),
        score: score.trim() === "" ? null : Number(score),
      }));
      return { categorical: { ...named, optimizationDirection, values } };
    }
    case "continuous":
      return { continuous: { ...named, optimizationDirection, lowerBound, upperBound } };
    case "freeform":
      return { freeform: named };
  }
}

export function isOutputChanged(before: readonly OutputDraft[], after: readonly OutputDraft[]): boolean {
  return JSON.stringify(before.map(outputInput)) !== JSON.stringify(after.map(outputInput));
}

export const outputPlace = (key: number) => `output ${key}`;
export const labelPlace = (key: number) => `label ${key}`;

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

export function outputProblems(outputs: readonly OutputDraft[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const names = new Set<string>();
  for (const { key, kind, name, labels } of outputs) {
    if (name.trim() === "") found.set(outputPlace(key), text("evaluators.output.name.missing"));
    else if (names.has(name.trim())) found.set(outputPlace(key), text("evaluators.output.name.twice"));
    names.add(name.trim());
    if (kind !== "categorical") continue;
    if (labels.length < 2) found.set(outputPlace(key), text("evaluators.labels.few"));
    const taken = new Set<string>();
    for (const { key: labelKey, label, score } of labels) {
      if (label.trim() === "") found.set(labelPlace(labelKey), text("evaluators.label.missing"));
      else if (taken.has(label.trim())) found.set(labelPlace(labelKey), text("evaluators.label.twice"));
      else if (score.trim() !== "" && !NUMBER.test(score.trim()))
        found.set(labelPlace(labelKey), text("prompts.editor.number"));
      taken.add(label.trim());
    }
  }
  return found;
}

/** An output in a few words. */
export function outputText(stored: StoredOutput): string {
  if (stored.__typename !== "CategoricalAnnotationConfig") return stored.name;
  return `${stored.name}: ${stored.values.map(({ label }) => label).join(" / ")}`;
}
