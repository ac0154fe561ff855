// What the lists of annotations on one span, trace or session are narrowed and sorted by.
import { requireRowId } from "../../../../graphql/ids.ts";
import type { GraphqlTypes } from "../../../../graphql/types.ts";
import type { AnnotationSource } from "../../../../model/annotation.ts";
import { USER } from "../../../accounts/users/users.schema.ts";
import { annotationWords } from "../annotation-enums.graphql.ts";
import type { AnnotationRecord } from "../annotations.schema.ts";

type Given<Value> = Value | null | undefined;

interface FilterCondition {
  readonly names?: Given<readonly string[]>;
  readonly sources?: Given<readonly AnnotationSource[]>;
  /** Null for annotations without an author. */
  readonly userIds?: Given<readonly Given<string>[]>;
}

type GivenFilter = Given<{
  readonly include?: Given<FilterCondition>;
  readonly exclude?: Given<FilterCondition>;
}>;

type GivenSort = Given<{ readonly col: "createdAt" | "name"; readonly dir: "asc" | "desc" }>;

export function annotationFilterInput(types: GraphqlTypes) {
  const { builder, once } = types;
  const { AnnotationSource } = annotationWords(types);
  return once("AnnotationFilter", () => {
    const AnnotationFilterCondition = builder.inputType("AnnotationFilterCondition", {
      description: "What is left out, or empty, asks for nothing.",
      fields: (t) => ({
        names: t.stringList(),
        sources: t.field({ type: [AnnotationSource] }),
        userIds: t.idList({
          required: { list: false, items: false },
          description: "Null for annotations without an author.",
        }),
      }),
    });
    return builder.inputType("AnnotationFilter", {
      description: "Those that match every member of `include` and no member of `exclude`.",
      fields: (t) => ({
        include: t.field({ type: AnnotationFilterCondition }),
        exclude: t.field({ type: AnnotationFilterCondition }),
      }),
    });
  });
}

export function annotationSort({ builder, once, SortDir }: GraphqlTypes, word: "Span" | "Trace") {
  return once(`${word}AnnotationSort`, () => {
    const Column = builder.enumType(`${word}AnnotationColumn`, { values: ["createdAt", "name"] as const });
    return builder.inputType(`${word}AnnotationSort`, {
      fields: (t) => ({
        col: t.field({ type: Column, required: true }),
        dir: t.field({ type: SortDir, required: true }),
      }),
    });
  });
}

/** The annotations that the filter lets through. Throws kind `invalid` for ids that are not of users. */
export function narrowed(list: readonly AnnotationRecord[], filter: GivenFilter): AnnotationRecord[] {
  const included = membersOf(filter?.include);
  const excluded = membersOf(filter?.exclude);
  return list.filter((one) => included.every((matches) => matches(one)) && !excluded.some((matches) => matches(one)));
}

function membersOf(condition: Given<FilterCondition>): ((annotation: AnnotationRecord) => boolean)[] {
  const members: ((annotation: AnnotationRecord) => boolean)[] = [];
  const { names, sources, userIds } = condition ?? {};
  if (names?.length) {
    const wanted = new Set(names);
    members.push(({ name }) => wanted.has(name));
  }
  if (sources?.length) members.push(({ source }) => sources.includes(source));
  if (userIds?.length) {
    const wanted = new Set(userIds.map((id) => (id === null || id === undefined ? null : requireRowId(USER, id))));
    members.push(({ userId }) => wanted.has(userId));
  }
  return members;
}

/** Of the same value, oldest first in both directions. */
export function sorted(list: readonly AnnotationRecord[], sort: GivenSort): AnnotationRecord[] {
  if (!sort) return [...list];
  const sign = sort.dir === "asc" ? 1 : -1;
  const compare = (a: AnnotationRecord, b: AnnotationRecord) => {
    if (sort.col === "createdAt") return a.createdUs - b.createdUs;
    return a.name < b.name ? -1 : Number(a.name > b.name);
  };
  return list.toSorted((a, b) => sign * compare(a, b) || a.id - b.id);
}
