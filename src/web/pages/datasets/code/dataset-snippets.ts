// Programs with the official clients that read a dataset and add to it. The tests run those that can run there.
import type { ProgramLanguage } from "../../../explorer/onboarding/Programs.tsx";

export const tasks = ["read", "append"] as const;
export type Task = (typeof tasks)[number];

interface Target {
  /** Where the service answers, without a slash at the end. */
  readonly base: string;
  readonly name: string;
  /** Null for the newest version. */
  readonly versionId: string | null;
}

export const installs: Readonly<Record<ProgramLanguage, string>> = {
  python: "pip install arize-phoenix-client",
  typescript: "npm install @arizeai/phoenix-client",
};

const quoted = (text: string) => JSON.stringify(text);
const imported = (name: string, library: string) => `import { ${name} } from ${quoted(library)};`;

export function datasetSnippet(language: ProgramLanguage, task: Task, { base, name, versionId }: Target): string {
  if (language === "python") {
    const version = versionId === null ? "" : `, version_id=${quoted(versionId)}`;
    const client = `from phoenix.client import Client

datasets = Client(base_url=${quoted(base)}).datasets
`;
    return task === "read"
      ? `${client}dataset = datasets.get_dataset(dataset=${quoted(name)}${version})
for example in dataset.examples:
    print(example["input"], example["output"])
`
      : `${client}datasets.add_examples_to_dataset(
    dataset=${quoted(name)},
    examples=[{"input": {"question": "Where is it?"}, "output": {"answer": "On its way."}}],
)
`;
  }
  const call = task === "read" ? "getDataset" : "appendDatasetExamples";
  const client = `${imported("createClient", "@arizeai/phoenix-client")}
${imported(call, "@arizeai/phoenix-client/datasets")}

const client = createClient({ options: { baseUrl: ${quoted(base)} } });
`;
  const version = versionId === null ? "" : `, versionId: ${quoted(versionId)}`;
  return task === "read"
    ? `${client}const dataset = await getDataset({ client, dataset: { datasetName: ${quoted(name)}${version} } });
for (const { input, output } of dataset.examples) console.log(input, output);
`
    : `${client}await appendDatasetExamples({
  client,
  dataset: { datasetName: ${quoted(name)} },
  examples: [{ input: { question: "Where is it?" }, output: { answer: "On its way." } }],
});
`;
}

/** A program that creates a dataset of one example. */
export function firstDatasetSnippet(language: ProgramLanguage, base: string): string {
  if (language === "python") {
    return `from phoenix.client import Client

datasets = Client(base_url=${quoted(base)}).datasets
datasets.create_dataset(
    name="questions",
    examples=[{"input": {"question": "Where is it?"}, "output": {"answer": "On its way."}}],
)
`;
  }
  return `${imported("createClient", "@arizeai/phoenix-client")}
${imported("createDataset", "@arizeai/phoenix-client/datasets")}

const client = createClient({ options: { baseUrl: ${quoted(base)} } });
await createDataset({
  client,
  name: "questions",
  description: "What customers ask",
  examples: [{ input: { question: "Where is it?" }, output: { answer: "On its way." } }],
});
`;
}
