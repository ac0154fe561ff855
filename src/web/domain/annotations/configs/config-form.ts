// An annotation configuration as a form has it: all of it texts, of every type at once, so that another type loses nothing.

import type { Problems } from "../../../kit/form/use-form.ts";
import { text } from "../../../texts/texts.ts";
import type { JudgedBy } from "../JudgeControl.tsx";
import type { ListedConfig } from "./configs.queries.ts";

type Direction = ListedConfig["optimizationDirection"];

export interface ConfigValues {
  readonly type: ListedConfig["annotationType"];
  readonly name: string;
  readonly description: string;
  readonly direction: Direction;
  /** `key` is of the row in the form alone. */
  readonly labels: readonly { readonly key: number; readonly label: string; readonly score: string }[];
  readonly lower: string;
  readonly upper: string;
  /** Of the type FREEFORM; changed by programs alone. */
  readonly threshold: number | null;
}

const shown = (number: number | null) => (number === null ? "" : String(number));

export function valuesOf(config: ListedConfig | null): ConfigValues {
  const empty: ConfigValues = {
    type: "CATEGORICAL",
    name: "",
    description: "",
    direction: "MAXIMIZE",
    labels: [
      { key: 0, label: "", score: "1" },
      { key: 1, label: "", score: "0" },
    ],
    lower: "0",
    upper: "1",
    threshold: null,
  };
  if (config === null) return empty;
  const { name, annotationType: type, optimizationDirection: direction } = config;
  const common = { ...empty, type, name, direction, description: config.description ?? "" };
  if (config.__typename === "CategoricalAnnotationConfig") {
    return {
      ...common,
      labels: config.values.map(({ label, score }, key) => ({ key, label, score: shown(score) })),
    };
  }
  const bounds = { lower: shown(config.lowerBound), upper: shown(config.upperBound) };
  const threshold = config.__typename === "FreeformAnnotationConfig" ? config.threshold : null;
  return { ...common, ...bounds, threshold };
}

/** NaN for a text that is no number, null for an empty one. */
function numberOf(typed: string): number | null {
  const trimmed = typed.trim();
  if (trimmed === "") return null;
  const number = Number(trimmed.replace(",", "."));
  return Number.isFinite(number) ? number : Number.NaN;
}

export function problemsOf({ type, name, labels, lower, upper }: ConfigValues): Problems<ConfigValues> {
  const named = name.trim() === "" ? text("annotations.name.missing") : null;
  if (type === "CATEGORICAL") return { name: named, labels: problemOfLabels(labels) };
  const [from, to] = [numberOf(lower), numberOf(upper)];
  const isEmpty = from !== null && to !== null && from >= to;
  return {
    name: named,
    lower: Number.isNaN(from) && text("annotations.number"),
    upper: Number.isNaN(to) ? text("annotations.number") : isEmpty && text("annotations.bounds.empty"),
  };
}

function problemOfLabels(labels: ConfigValues["labels"]): string | null {
  const words = labels.map(({ label }) => label.trim());
  if (words.length === 0 || words.includes("")) return text("annotations.label.missing");
  if (new Set(words).size < words.length) return text("annotations.label.twice");
  return labels.some(({ score }) => Number.isNaN(numberOf(score))) ? text("annotations.score.number") : null;
}

export function inputOf(values: ConfigValues) {
  const { type, labels, lower, upper, threshold, direction: optimizationDirection } = values;
  const common = { name: values.name.trim(), description: values.description.trim() || null, optimizationDirection };
  const bounds = { lowerBound: numberOf(lower), upperBound: numberOf(upper) };
  switch (type) {
    case "CATEGORICAL":
      return {
        categorical: {
          ...common,
          values: labels.map(({ label, score }) => ({ label: label.trim(), score: numberOf(score) })),
        },
      };
    case "CONTINUOUS":
      return { continuous: { ...common, ...bounds } };
    case "FREEFORM":
      return { freeform: { ...common, ...bounds, threshold } };
  }
}

/** What the preview shows while it is being typed. */
export function previewOf({ type, name, labels, lower, upper }: ConfigValues): JudgedBy {
  const named = { name: name.trim() || text("annotations.name") };
  if (type === "FREEFORM") return { ...named, type };
  if (type === "CATEGORICAL") {
    const words = new Map(labels.map(({ label, score }) => [label.trim(), numberOf(score)]));
    words.delete("");
    return {
      ...named,
      type,
      values: [...words].map(([label, score]) => ({ label, score: score || score === 0 ? score : null })),
    };
  }
  const [from, to] = [numberOf(lower), numberOf(upper)];
  const isRange = from !== null && to !== null && from < to;
  return { ...named, type, lowerBound: isRange ? from : null, upperBound: isRange ? to : null };
}
