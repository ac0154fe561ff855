// The JSON that a condition on runs of experiments reads: what the run gave, and what its example was when the experiment was made.
import { sql } from "kysely";
import { columnOf } from "./place-sql.ts";
import { notCompiled } from "./refusal.ts";
import type { AttributeSource, Sql, SqlDifferences } from "./sql-differences.ts";
import type { AttributePath } from "./tree.ts";

/** The columns of the example, under what a condition calls them. */
const ofExample: Readonly<Record<string, string>> = {
  input: "input",
  reference_output: "output",
  metadata: "metadata",
};

export const runDocuments: readonly string[] = ["output", ...Object.keys(ofExample)];

/** A value that is read from a document of the run under the alias; each path begins with the name of the document. */
export function fromDocument<Read>(
  to: SqlDifferences,
  alias: string,
  paths: readonly AttributePath[],
  read: (source: AttributeSource) => Sql<Read>,
): Sql<Read> {
  const document = String(paths[0]?.[0]);
  const inside = paths.map((path) => path.slice(1));
  if (document === "output") return read({ attributes: to.document(columnOf(alias, "output")), paths: inside });
  const column = ofExample[document];
  if (column === undefined) throw notCompiled(`A run has no ${document}`);
  const value = read({ attributes: to.document(columnOf("filter_content", column)), paths: inside });
  return sql<Read>`(select ${value} from experiment_examples as filter_taken
    join experiments as filter_experiment on filter_experiment.id = filter_taken.experiment_id
    join dataset_revisions as filter_revision on filter_revision.dataset_id = filter_experiment.dataset_id
      and filter_revision.example_id = filter_taken.example_id and filter_revision.version_id = filter_taken.revision_id
    join dataset_contents as filter_content on filter_content.id = filter_revision.content_id
    where filter_taken.experiment_id = ${columnOf(alias, "experiment_id")}
      and filter_taken.example_id = ${columnOf(alias, "example_id")})`;
}
