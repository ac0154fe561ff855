// The tables of annotation configurations, as Kysely sees them.
import type { Generated } from "kysely";
import type { AnnotationConfigType, OptimizationDirection } from "../../../model/annotation.ts";

export interface AnnotationConfigsTable {
  id: Generated<number>;
  name: string;
  type: AnnotationConfigType;
  description: string | null;
  optimization_direction: OptimizationDirection | null;
  /** JSON of what the type has: values, bounds, threshold. */
  content: string;
}

interface ProjectAnnotationConfigsTable {
  project_id: number;
  config_id: number;
}

declare module "../../../storage/tables.ts" {
  interface Tables {
    annotation_configs: AnnotationConfigsTable;
    project_annotation_configs: ProjectAnnotationConfigsTable;
  }
}
