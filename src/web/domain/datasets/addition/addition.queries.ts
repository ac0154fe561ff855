// What is asked and changed when examples are made of what a list or a panel shows.
import { graphql, type ResultOf, type VariablesOf } from "../../../lib/graphql.ts";
import { boundsOf, type LiveRange } from "../../../lib/time-range.ts";

export const datasetChoices = graphql(`
  query DatasetChoices($first: Int!, $filter: DatasetFilter) {
    datasets(first: $first, filter: $filter) { edges { node { id name exampleCount } } }
  }
`);

export const knownSplits = graphql(`
  query KnownSplits {
    datasetSplits(first: 100) { edges { node { id name } } }
  }
`);

export const exampleOfSpan = graphql(`
  fragment ExampleOfSpan on DatasetExample { id dataset { id name } }
`);

export const examplesOfSpan = graphql(
  `
  query ExamplesOfSpan($id: ID!) {
    node(id: $id) { ... on Span { datasetExamples { ...ExampleOfSpan } } }
  }
`,
  [exampleOfSpan],
);

export const addSelection = graphql(`
  mutation AddSelectionToDataset($input: AddSelectionToDatasetInput!) {
    addSelectionToDataset(input: $input) { dataset { id name newestVersion { createdCount } } }
  }
`);

export const selectionPreview = graphql(`
  query DatasetSelectionPreview($selection: DatasetSelectionInput!, $expectedOutput: ExpectedOutputInput!, $first: Int!) {
    previewDatasetSelection(selection: $selection, expectedOutput: $expectedOutput, first: $first) {
      hasMore
      examples {
        span { id shownName }
        input output answer missingOutputReason missingOutputNote correctionNames
      }
    }
  }
`);
export type PreviewedExample = ResultOf<typeof selectionPreview>["previewDatasetSelection"]["examples"][number];
export type Selection = VariablesOf<typeof selectionPreview>["selection"];
export type ExpectedOutput = VariablesOf<typeof selectionPreview>["expectedOutput"];

export type SourceKind = "span" | "trace" | "session";

/** All that a list shows. */
interface MatchingSource {
  readonly projectId: string;
  readonly condition: string;
  readonly timeRange: LiveRange;
  /** Undefined while it is not known. */
  readonly count: number | undefined;
}

export interface Source {
  readonly kind: SourceKind;
  readonly ids: readonly string[];
  readonly matching: MatchingSource;
}

/** The rows that are named, or all that match in the current range. */
export function selectionOf(source: Pick<Source, "kind"> & (Pick<Source, "ids"> | Pick<Source, "matching">)) {
  if ("ids" in source) {
    const ids = [...source.ids];
    switch (source.kind) {
      case "span":
        return { spanIds: ids };
      case "trace":
        return { traceIds: ids };
      case "session":
        return { sessionIds: ids };
    }
  }
  const { projectId, condition, timeRange } = source.matching;
  const { from: start, to: end } = boundsOf(timeRange.range, Date.now());
  const within = { projectId, timeRange: { start, end } };
  switch (source.kind) {
    case "span":
      return { matching: { ...within, filterCondition: condition, rootSpansOnly: false } };
    case "trace":
      return { matching: { ...within, traceFilterCondition: condition, rootSpansOnly: true } };
    case "session":
      return { matchingSessions: { ...within, sessionFilterCondition: condition } };
  }
}
