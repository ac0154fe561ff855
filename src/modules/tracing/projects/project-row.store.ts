// A row of projects as the rest of the program knows it.
import type { Selectable } from "kysely";
import type { ProjectsTable } from "../../../storage/tables.ts";
import type { Project } from "./projects.schema.ts";

export function projectFromRow(row: Selectable<ProjectsTable>): Project {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    gradientStartColor: row.gradient_start_color,
    gradientEndColor: row.gradient_end_color,
    createdUs: row.created_us,
    updatedUs: row.updated_us,
  };
}
