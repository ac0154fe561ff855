// Labels in GraphQL: what is shown of one of any kind, and what is given of a new one. The mutations are those of each kind: no two of
// them answer with the same.
import type { GraphqlTypes, InputFields } from "../../../graphql/types.ts";
import type { TypeWord } from "../../../kernel/ids.ts";
import type { Label } from "./labels.schema.ts";
import type { LabelsService } from "./labels.service.ts";

/** `usage`: what is counted, for the documentation. The kind itself adds the color, which some labels of prompts lack. */
export function defineLabelNode(
  types: GraphqlTypes,
  type: TypeWord<Label>,
  labels: Pick<LabelsService<Label, never>, "findLabels" | "countUses">,
  usage: string,
): void {
  types.defineNode(type, {
    find: (call, id) => call.load(labels.findLabels, id, null),
    fields: (t) => ({
      name: t.exposeString("name"),
      description: t.exposeString("description", { nullable: true }),
      usageCount: t.int({
        description: usage,
        resolve: async ({ id }, _given, call) => (await call.load(labels.countUses, id, null)) ?? 0,
      }),
    }),
  });
}

export const newLabelFields = (t: InputFields) => ({
  name: t.string({ required: true }),
  description: t.string(),
  color: t.string({ required: true }),
});
