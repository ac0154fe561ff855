// The datasets: the list, a dataset with its tabs, and the comparison of experiments.
import type { PageDeclaration, PageScript } from "../../page-declaration.ts";
import { datasetsTexts } from "./datasets.texts.ts";
import { evaluatorsTexts } from "./evaluators/evaluators.texts.ts";
import { examplesTexts } from "./examples.texts.ts";
import { experimentsTexts } from "./experiments/experiments.texts.ts";
import { uploadsTexts } from "./upload/uploads.texts.ts";
import { versionsTexts } from "./versions/versions.texts.ts";

const dataset = (): PageScript => import("./DatasetPage.tsx");

export const datasetPages = {
  pages: {
    datasets: {
      path: "/datasets",
      load: (): PageScript => import("./DatasetsPage.tsx"),
      sidebar: { label: "datasets.title", count: "datasetCount" },
    },
    dataset: { path: "/datasets/{datasetId}", load: dataset },
    examples: { path: "/datasets/{datasetId}/examples", load: dataset },
    example: { path: "/datasets/{datasetId}/examples/{exampleId}", load: dataset },
    datasetVersions: { path: "/datasets/{datasetId}/versions", load: dataset },
    experiments: { path: "/datasets/{datasetId}/experiments", load: dataset },
    datasetEvaluators: { path: "/datasets/{datasetId}/evaluators", load: dataset },
    comparison: {
      path: "/datasets/{datasetId}/compare",
      load: (): PageScript => import("./comparison/ComparisonPage.tsx"),
    },
  },
  texts: {
    ...datasetsTexts,
    ...examplesTexts,
    ...uploadsTexts,
    ...versionsTexts,
    ...experimentsTexts,
    ...evaluatorsTexts,
  },
  entities: {
    datasets: ["Dataset", "datasetCount", "DatasetExample", "DatasetVersion"],
    evaluators: ["datasetEvaluators", "evaluatorCount"],
    experiments: [
      ...["Experiment", "ExperimentRun", "ExperimentRepeatedRunGroup", "compareExperiments"],
      ...["experimentRunFilterVocabulary", "validateExperimentRunFilterCondition"],
      "experimentScoreDifferences",
    ],
  },
} as const satisfies PageDeclaration;
