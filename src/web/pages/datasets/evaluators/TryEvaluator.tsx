// Tries an evaluator as it is written on an example of the dataset, before anything is stored.
import { Play } from "lucide-react";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../../../../kernel/json.ts";
import { written } from "../../../domain/prompts/editor/prompt-draft.ts";
import { Button } from "../../../kit/Button.tsx";
import { JsonEditor } from "../../../kit/editor/JsonEditor.tsx";
import { jsonProblem } from "../../../kit/editor/json-problem.ts";
import { Select } from "../../../kit/Field.tsx";
import { Badge, Notice } from "../../../kit/States.tsx";
import { useGraphqlMutation } from "../../../lib/queries.ts";
import { text } from "../../../texts/texts.ts";
import { exampleName } from "../comparison/example-name.ts";
import styles from "./Evaluators.module.css";
import { builtInOutputs, type EvaluatorDraft, llmInput, sharedInput } from "./evaluator-draft.ts";
import { type TriedExample, type TriedResult, tryEvaluator } from "./evaluators.queries.ts";
import { contextOf } from "./input-mapping.ts";

/** What is judged in a trial. */
interface Trial {
  /** Null for values of one's own. */
  readonly exampleId: string | null;
  /** JSON of input, output, reference and metadata. */
  readonly source: string;
}

export function trialOf(example: TriedExample | undefined): Trial {
  if (example === undefined) {
    return { exampleId: null, source: written({ input: {}, output: {}, reference: {}, metadata: {} }) };
  }
  return { exampleId: example.id, source: written(contextOf(example)) };
}

/** Null for text that is not an object. */
export function trialContext({ source }: Trial): JsonObject | null {
  if (jsonProblem(source) !== null) return null;
  const context = parseJson(source);
  return isJsonObject(context) ? context : null;
}

interface TryEvaluatorProps {
  readonly draft: EvaluatorDraft;
  readonly examples: readonly TriedExample[];
  readonly trial: Trial;
  readonly onTrial: (trial: Trial) => void;
  /** False while the draft has mistakes; they are then shown. */
  readonly mayTry: () => boolean;
}

export function TryEvaluator({ draft, examples, trial, onTrial, mayTry }: TryEvaluatorProps) {
  const trying = useGraphqlMutation(tryEvaluator, []);
  const context = trialContext(trial);
  const problem = jsonProblem(trial.source)?.message ?? (context === null ? text("evaluators.try.object") : null);
  const run = () => {
    if (trying.isPending || context === null || !mayTry()) return;
    trying.mutate({ input: { previews: [previewOf(draft, context)] } });
  };
  return (
    <>
      <p className={styles.quiet}>{text("evaluators.try.hint")}</p>
      <Select
        label={text("evaluators.try.example")}
        choices={[
          ...examples.map(({ id, revision }) => ({ value: id, label: exampleName(revision.input as Json) })),
          { value: "", label: text("evaluators.try.own") },
        ]}
        value={trial.exampleId ?? ""}
        onChange={(id) => {
          const example = examples.find((each) => each.id === id);
          onTrial(example === undefined ? { ...trial, exampleId: null } : trialOf(example));
        }}
      />
      <JsonEditor
        label={text("evaluators.try.context")}
        hint={text("evaluators.try.context.hint")}
        value={trial.source}
        problem={problem}
        onChange={(source) => onTrial({ exampleId: null, source })}
      />
      <span>
        <Button icon={<Play />} aria-disabled={trying.isPending} onClick={run}>
          {text(trying.isPending ? "evaluators.try.running" : "evaluators.try.run")}
        </Button>
      </span>
      <section aria-live="polite" aria-label={text("evaluators.try.results")} className={styles.results}>
        {trying.error !== null && <Notice tone="error">{trying.error.message}</Notice>}
        {trying.data !== undefined && !trying.isPending && (
          <>
            {trying.data.evaluatorPreviews.results.map((result) => (
              <Result key={result.evaluatorName} result={result} />
            ))}
            {builtInOutputs(draft) !== null && draft.builtIn !== null && (
              <p className={styles.quiet}>{text("evaluators.try.hint.labels")}</p>
            )}
          </>
        )}
      </section>
    </>
  );
}

function previewOf(draft: EvaluatorDraft, context: JsonObject) {
  const { name, description, inputMapping } = sharedInput(draft);
  const evaluator =
    draft.builtIn === null
      ? { inlineLlmEvaluator: { name, description, ...llmInput(draft) } }
      : { builtInEvaluatorId: draft.builtIn.id };
  return { evaluator, context, inputMapping };
}

function Result({ result: { evaluatorName, error, annotation } }: { readonly result: TriedResult }) {
  return (
    <div className={styles.result}>
      <header className={styles.resultHead}>
        <strong>{evaluatorName}</strong>
        {annotation?.label != null && <Badge>{annotation.label}</Badge>}
        {annotation?.score != null && (
          <span className={styles.quiet}>{text("evaluators.try.score", { score: String(annotation.score) })}</span>
        )}
      </header>
      {error !== null && <Notice tone="error">{error}</Notice>}
      {annotation?.explanation != null && <p>{annotation.explanation}</p>}
      {error === null && annotation === null && <p className={styles.quiet}>{text("evaluators.try.none")}</p>}
    </div>
  );
}
