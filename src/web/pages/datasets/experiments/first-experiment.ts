// Programs that run an experiment over a dataset, as short as they can be. A test runs the one that can run there.
import type { ProgramLanguage } from "../../../explorer/onboarding/Programs.tsx";

interface Target {
  /** Where the service answers, without a slash at the end. */
  readonly base: string;
  readonly datasetId: string;
}

interface Program {
  readonly install: string;
  readonly file: string;
  readonly code: string;
  readonly run: string;
}

/** A line of the program, not of this file. */
const imported = (names: string, from: string) => `import { ${names} } from ${quoted(from)};`;
const quoted = (text: string) => JSON.stringify(text);

export function experimentProgram(language: ProgramLanguage, target: Target): Program {
  return language === "python" ? python(target) : typescript(target);
}

function python({ base, datasetId }: Target): Program {
  return {
    install: "pip install arize-phoenix-client",
    file: "experiment.py",
    code: `from phoenix.client import Client

client = Client(base_url=${quoted(base)})
dataset = client.datasets.get_dataset(dataset=${quoted(datasetId)})


def task(input):
    return str(input)  # ask your program here


def not_empty(output):
    return len(output) > 0


client.experiments.run_experiment(
    dataset=dataset, task=task, evaluators=[not_empty], experiment_name="first"
)
`,
    run: "python experiment.py",
  };
}

function typescript({ base, datasetId }: Target): Program {
  return {
    install: "npm install @arizeai/phoenix-client",
    file: "experiment.mts",
    code: `${imported("createClient", "@arizeai/phoenix-client")}
${imported("asExperimentEvaluator, runExperiment", "@arizeai/phoenix-client/experiments")}

const notEmpty = asExperimentEvaluator({
  name: "not_empty",
  kind: "CODE",
  evaluate: async ({ output }) => ({ score: String(output).length > 0 ? 1 : 0 }),
});

await runExperiment({
  client: createClient({ options: { baseUrl: ${quoted(base)} } }),
  dataset: { datasetId: ${quoted(datasetId)} },
  experimentName: "first",
  task: async ({ input }) => JSON.stringify(input), // ask your program here
  evaluators: [notEmpty],
});
`,
    run: "npx tsx experiment.mts",
  };
}
