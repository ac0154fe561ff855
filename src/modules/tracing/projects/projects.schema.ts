// Projects: the record that services hand around, and the bodies of the API. (The row is the store's.)

import { type Static, Type } from "@sinclair/typebox";
import { globalId, type TypeWord } from "../../../kernel/ids.ts";
import { cursorParameter, limitParameter, pageOf } from "../../../kernel/paging.ts";
import { BoundedText, Nullable } from "../../../kernel/schema.ts";
import { MAX_KEY_BYTES } from "../../../model/span.ts";
import type { NameSort } from "../../../storage/list.ts";

/** Type word of the global ids of projects. */
export const PROJECT: TypeWord<Project> = "Project";

/** `endTime` is the start of the latest trace; projects without traces come last. */
export type ProjectSort = NameSort | "endTime";

export interface Project {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  /** `#` and six lower-case hex digits. */
  readonly gradientStartColor: string;
  readonly gradientEndColor: string;
  /** Microseconds UTC. */
  readonly createdUs: number;
  readonly updatedUs: number;
}

const ProjectBody = Type.Object(
  { id: Type.String(), name: Type.String(), description: Nullable(Type.String()) },
  { $id: "Project" },
);
type ProjectBody = Static<typeof ProjectBody>;

export function projectBody(project: Project): ProjectBody {
  return { id: globalId(PROJECT, project.id), name: project.name, description: project.description };
}

export const ProjectAnswer = Type.Object({ data: ProjectBody });
export const ProjectPage = pageOf(ProjectBody);

export const ProjectQuery = Type.Object({
  cursor: cursorParameter,
  limit: limitParameter({ default: 100 }),
  include_experiment_projects: Type.Boolean({
    default: false,
    description: "Also projects that hold experiment runs.",
  }),
  include_dataset_evaluator_projects: Type.Boolean({
    default: false,
    description: "Also projects that hold the traces of dataset evaluators.",
  }),
  name_contains: Type.Optional(Type.String({ description: "Part of the name, in any letter case." })),
});
export type ProjectQuery = Static<typeof ProjectQuery>;

/** Bytes of a name in UTF-8. */
export const MAX_PROJECT_NAME_BYTES = MAX_KEY_BYTES;

export const NewProject = Type.Object({
  name: BoundedText(MAX_PROJECT_NAME_BYTES, { minLength: 1 }),
  description: Type.Optional(Nullable(Type.String())),
});
export type NewProject = Static<typeof NewProject>;
/** A project with the colours that only some callers can choose. */
export type ColoredProject = NewProject & Pick<ProjectChanges, "gradient_start_color" | "gradient_end_color">;

const COLOR = "^#[0-9a-f]{6}$";
const Color = Type.Optional(Type.String({ pattern: COLOR }));

/** Whether the text is a colour as projects have them. */
export function isColor(text: string): boolean {
  return new RegExp(COLOR).test(text);
}

export const ProjectChanges = Type.Object({
  /** Null leaves the description as it is; an empty text empties it. */
  description: Type.Optional(Nullable(Type.String())),
  gradient_start_color: Color,
  gradient_end_color: Color,
});
export type ProjectChanges = Static<typeof ProjectChanges>;
