// What of a dataset the variants run over, how its examples become variables, and how much may be spent.
import { Checkbox, Select, TextField } from "../../kit/Field.tsx";
import { Loaded } from "../../kit/States.tsx";
import { formatDayAndTime } from "../../lib/format.ts";
import { nodesOf } from "../../lib/graphql.ts";
import { useGraphql } from "../../lib/queries.ts";
import { useTimeZone } from "../../lib/time-zone.ts";
import { text } from "../../texts/texts.ts";
import styles from "./Dataset.module.css";
import { overProblems } from "./dataset-run.ts";
import { datasetParts } from "./playground.queries.ts";
import type { OverDataset } from "./playground-draft.ts";

interface DatasetFieldsProps {
  readonly over: OverDataset;
  /** Of the messages: what the examples must give. */
  readonly names: readonly string[];
  readonly onChange: (over: OverDataset) => void;
}

export function DatasetFields({ over, names, onChange }: DatasetFieldsProps) {
  const zone = useTimeZone();
  const parts = useGraphql(datasetParts, { id: over.datasetId });
  const problems = overProblems(over);
  const set = (changes: Partial<OverDataset>) => onChange({ ...over, ...changes });
  return (
    <section className={styles.over} aria-label={text("playground.dataset")}>
      <Loaded query={parts}>
        {({ node }) =>
          node?.__typename !== "Dataset" ? (
            <p className={styles.problem}>{text("playground.dataset.gone")}</p>
          ) : (
            <>
              <Select
                label={text("playground.dataset.version")}
                choices={[
                  { value: "", label: text("playground.dataset.version.newest") },
                  ...nodesOf(node.versions.edges).map(({ id, createdAt, exampleCount, description }) => ({
                    value: id,
                    label: [
                      formatDayAndTime(createdAt, zone),
                      text("playground.dataset.examples", { count: exampleCount }),
                      ...(description === null ? [] : [description]),
                    ].join(" · "),
                  })),
                ]}
                value={over.versionId}
                onChange={(versionId) => set({ versionId })}
              />
              <Choices
                legend={text("playground.dataset.splits")}
                choices={node.splits}
                chosen={over.splitIds}
                onChange={(splitIds) => set({ splitIds })}
              />
              <Choices
                legend={text("playground.dataset.evaluators")}
                choices={nodesOf(node.datasetEvaluators.edges)}
                chosen={over.evaluatorIds}
                onChange={(evaluatorIds) => set({ evaluatorIds })}
              />
            </>
          )
        }
      </Loaded>
      <TextField
        label={text("playground.dataset.filter")}
        note={text("kit.optional")}
        autoComplete="off"
        value={over.filter}
        onChange={(filter) => set({ filter })}
      />
      <TextField
        mono
        label={text("playground.dataset.path")}
        hint={
          names.length === 0
            ? text("playground.dataset.path.hint")
            : text("playground.dataset.path.names", { names: names.join(", ") })
        }
        value={over.variablesPath}
        onChange={(variablesPath) => set({ variablesPath })}
      />
      <TextField
        mono
        label={text("playground.dataset.messages")}
        note={text("kit.optional")}
        hint={text("playground.dataset.messages.hint")}
        value={over.messagesPath}
        onChange={(messagesPath) => set({ messagesPath })}
      />
      <TextField
        label={text("playground.dataset.concurrency")}
        inputMode="numeric"
        autoComplete="off"
        value={over.concurrency}
        problem={problems.concurrency ?? null}
        onChange={(concurrency) => set({ concurrency })}
      />
      <TextField
        label={text("playground.dataset.limit")}
        note={text("kit.optional")}
        hint={text("playground.dataset.limit.hint")}
        inputMode="decimal"
        autoComplete="off"
        value={over.maxCost}
        problem={problems.maxCost ?? null}
        onChange={(maxCost) => set({ maxCost })}
      />
    </section>
  );
}

interface ChoicesProps {
  readonly legend: string;
  readonly choices: readonly { readonly id: string; readonly name: string }[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

function Choices({ legend, choices, chosen, onChange }: ChoicesProps) {
  if (choices.length === 0) return null;
  return (
    <fieldset className={styles.choices}>
      <legend>{legend}</legend>
      {choices.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={name}
          checked={chosen.includes(id)}
          onChange={(checked) => onChange(checked ? [...chosen, id] : chosen.filter((each) => each !== id))}
        />
      ))}
    </fieldset>
  );
}
