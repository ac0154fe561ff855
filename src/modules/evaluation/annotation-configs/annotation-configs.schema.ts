// Annotation configurations: what a name of annotations means to people who judge, and which control they judge with.
import { type Static, Type } from "@sinclair/typebox";
import { globalId } from "../../../kernel/ids.ts";
import { cursorParameter, limitParameter, pageOf } from "../../../kernel/paging.ts";
import { BoundedText, Nullable, Tagged, Words } from "../../../kernel/schema.ts";
import type { AnnotationConfigType, OptimizationDirection } from "../../../model/annotation.ts";
import { MAX_KEY_BYTES } from "../../../model/span.ts";

/** Type words of the global ids: the word follows the current type, the number stays when the type changes. */
export const configWords = {
  CATEGORICAL: "CategoricalAnnotationConfig",
  CONTINUOUS: "ContinuousAnnotationConfig",
  FREEFORM: "FreeformAnnotationConfig",
} as const satisfies Record<AnnotationConfigType, string>;

/** One of the labels to choose from, and the score that it stands for. */
export interface LabelChoice {
  readonly label: string;
  readonly score: number | null;
}

/** What each type has of its own. Bounds are null where there are none. */
export type ConfigContent =
  | { readonly type: "CATEGORICAL"; readonly values: readonly LabelChoice[] }
  | { readonly type: "CONTINUOUS"; readonly lowerBound: number | null; readonly upperBound: number | null }
  | {
      readonly type: "FREEFORM";
      readonly lowerBound: number | null;
      readonly upperBound: number | null;
      readonly threshold: number | null;
    };

export type NewAnnotationConfig = {
  readonly name: string;
  readonly description: string | null;
  /** Null only of the type FREEFORM. */
  readonly optimizationDirection: OptimizationDirection | null;
} & ConfigContent;

export type AnnotationConfig = NewAnnotationConfig & { readonly id: number };

/** Bytes of a name in UTF-8: it is the key of an index. */
export const MAX_CONFIG_NAME_BYTES = MAX_KEY_BYTES;

const direction = Words(["MINIMIZE", "MAXIMIZE", "NONE"], {
  violation: "enum",
  description: "Which scores are the better ones.",
});
const bound = Type.Optional(Nullable(Type.Number()));
const named = {
  name: BoundedText(MAX_CONFIG_NAME_BYTES, {
    description: "The name of the annotations, unique among configurations. `note` is reserved for notes.",
  }),
  description: Type.Optional(Nullable(Type.String())),
};

export const ConfigBody = Tagged("type", [
  Type.Object({
    ...named,
    type: Type.Literal("CATEGORICAL"),
    optimization_direction: direction,
    values: Type.Array(Type.Object({ label: Type.String(), score: bound }), {
      description: "The labels to choose from: at least one, each different.",
    }),
  }),
  Type.Object({
    ...named,
    type: Type.Literal("CONTINUOUS"),
    optimization_direction: direction,
    lower_bound: bound,
    upper_bound: bound,
  }),
  Type.Object({
    ...named,
    type: Type.Literal("FREEFORM"),
    optimization_direction: Type.Optional(Nullable(direction)),
    threshold: bound,
    lower_bound: bound,
    upper_bound: bound,
  }),
]);
type ConfigBody = Static<typeof ConfigBody>;

const score = Nullable(Type.Number());
const answered = { id: Type.String(), name: Type.String(), description: Nullable(Type.String()) };
export const ConfigAnswerBody = Tagged(
  "type",
  [
    Type.Object({
      ...answered,
      type: Type.Literal("CATEGORICAL"),
      optimization_direction: direction,
      values: Type.Array(Type.Object({ label: Type.String(), score })),
    }),
    Type.Object({
      ...answered,
      type: Type.Literal("CONTINUOUS"),
      optimization_direction: direction,
      lower_bound: score,
      upper_bound: score,
    }),
    Type.Object({
      ...answered,
      type: Type.Literal("FREEFORM"),
      optimization_direction: Nullable(direction),
      threshold: score,
      lower_bound: score,
      upper_bound: score,
    }),
  ],
  { $id: "AnnotationConfig" },
);
export type ConfigAnswerBody = Static<typeof ConfigAnswerBody>;

export const ConfigAnswer = Type.Object({ data: ConfigAnswerBody });
export const ConfigPageAnswer = pageOf(ConfigAnswerBody);
export const ConfigQuery = Type.Object({ cursor: cursorParameter, limit: limitParameter({ default: 100 }) });
export const AssignedConfigs = Type.Object({
  annotation_config_ids: Type.Array(Type.String(), {
    description: "Ids, no names. The project then has exactly these; an empty list clears it.",
  }),
});

export function configOfBody(body: ConfigBody): NewAnnotationConfig {
  const { name, description = null, optimization_direction: optimizationDirection = null } = body;
  const common = { name, description, optimizationDirection };
  switch (body.type) {
    case "CATEGORICAL":
      return {
        ...common,
        type: "CATEGORICAL",
        values: body.values.map(({ label, score: given = null }) => ({ label, score: given })),
      };
    case "CONTINUOUS":
      return { ...common, type: "CONTINUOUS", ...boundsOf(body) };
    case "FREEFORM":
      return { ...common, type: "FREEFORM", ...boundsOf(body), threshold: body.threshold ?? null };
  }
}

function boundsOf(body: { readonly lower_bound?: number | null; readonly upper_bound?: number | null }) {
  return { lowerBound: body.lower_bound ?? null, upperBound: body.upper_bound ?? null };
}

export function configId({ type, id }: Pick<AnnotationConfig, "type" | "id">): string {
  return globalId(configWords[type], id);
}

export function configBody(config: AnnotationConfig): ConfigAnswerBody {
  const common = { id: configId(config), name: config.name, description: config.description };
  const optimization_direction = config.optimizationDirection;
  switch (config.type) {
    case "CATEGORICAL":
      return {
        ...common,
        type: "CATEGORICAL",
        optimization_direction: optimization_direction ?? "NONE",
        values: config.values.map((value) => ({ ...value })),
      };
    case "CONTINUOUS":
      return {
        ...common,
        type: "CONTINUOUS",
        optimization_direction: optimization_direction ?? "NONE",
        lower_bound: config.lowerBound,
        upper_bound: config.upperBound,
      };
    case "FREEFORM":
      return {
        ...common,
        type: "FREEFORM",
        optimization_direction,
        threshold: config.threshold,
        lower_bound: config.lowerBound,
        upper_bound: config.upperBound,
      };
  }
}
