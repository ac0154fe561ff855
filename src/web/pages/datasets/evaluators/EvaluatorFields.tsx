// The fields of an evaluator: what it is, its prompt, where its inputs come from, and what it says.
import type { ReactNode } from "react";
import { Link } from "wouter";
import { Checkbox, Select, TextField } from "../../../kit/Field.tsx";
import { linkTo } from "../../../lib/links.ts";
import { text } from "../../../texts/texts.ts";
import styles from "./Evaluators.module.css";
import { builtInDraft, type EvaluatorDraft, judgeDraft, newLlmDraft } from "./evaluator-draft.ts";
import type { EvaluatorKinds, ListedEvaluator } from "./evaluators.queries.ts";
import type { DeclaredInput } from "./input-mapping.ts";
import { MappingFields } from "./MappingFields.tsx";
import { OutputFields } from "./OutputFields.tsx";
import { MessagesPart, ModelPart } from "./PromptPart.tsx";

interface EvaluatorFieldsProps {
  readonly draft: EvaluatorDraft;
  readonly inputs: readonly DeclaredInput[];
  /** That an example has. */
  readonly paths: readonly string[];
  readonly stored: ListedEvaluator | null;
  readonly kinds: EvaluatorKinds;
  readonly problemAt: (place: string) => string | null;
  readonly onChange: (changes: Partial<EvaluatorDraft>) => void;
}

export function EvaluatorFields(props: EvaluatorFieldsProps) {
  const { draft, inputs, paths, stored, kinds, problemAt, onChange } = props;
  const { builtIn } = draft;
  const fields = { draft, problemAt, onChange };
  return (
    <div className={styles.form}>
      {stored === null && <Kind draft={draft} kinds={kinds} onChange={onChange} />}
      <div className={styles.pair}>
        <TextField
          mono
          label={text("evaluators.name")}
          hint={text("evaluators.name.hint")}
          value={draft.name}
          problem={problemAt("name")}
          onChange={(name) => onChange({ name })}
        />
        <TextField
          label={text("evaluators.description")}
          note={text("kit.optional")}
          autoComplete="off"
          value={draft.description}
          onChange={(description) => onChange({ description })}
        />
      </div>
      {builtIn === null && (
        <Part title={text("evaluators.prompt")} hint={text("evaluators.prompt.hint")}>
          <UsedPrompt stored={stored} />
          <MessagesPart {...fields} />
        </Part>
      )}
      {builtIn === null && (
        <Part title={text("evaluators.model")}>
          <ModelPart {...fields} />
        </Part>
      )}
      <Part title={text("evaluators.mapping")} hint={text("evaluators.mapping.hint")}>
        <MappingFields
          inputs={inputs}
          drafts={draft.inputs}
          paths={paths}
          problemAt={problemAt}
          onChange={(changed) => onChange({ inputs: changed })}
        />
      </Part>
      <Part title={text("evaluators.outputs")} hint={text(outputsHint(draft))}>
        <OutputFields
          outputs={draft.outputs}
          growing={builtIn === null}
          problemAt={problemAt}
          onChange={(outputs) => onChange({ outputs })}
        />
        {builtIn === null && (
          <Checkbox
            label={text("evaluators.explains")}
            checked={draft.explains}
            onChange={(explains) => onChange({ explains })}
          />
        )}
      </Part>
    </div>
  );
}

function outputsHint({ builtIn, outputs }: EvaluatorDraft) {
  if (builtIn === null) return "evaluators.outputs.hint.llm";
  return outputs[0]?.kind === "categorical" ? "evaluators.outputs.hint.match" : "evaluators.outputs.hint.number";
}

const LLM = "";

function Kind({ draft, kinds, onChange }: Pick<EvaluatorFieldsProps, "draft" | "kinds" | "onChange">) {
  const { builtInEvaluators, classificationEvaluatorConfigs: judges } = kinds;
  return (
    <div className={styles.pair}>
      <Select
        label={text("evaluators.kind")}
        hint={draft.builtIn?.description ?? undefined}
        choices={[
          { value: LLM, label: text("evaluators.kind.llm.long") },
          ...builtInEvaluators.map(({ id, name }) => ({
            value: id,
            label: text("evaluators.kind.builtin.long", { name }),
          })),
        ]}
        value={draft.builtIn?.id ?? LLM}
        onChange={(chosen) => {
          const builtIn = builtInEvaluators.find(({ id }) => id === chosen);
          onChange(builtIn === undefined ? newLlmDraft() : builtInDraft({ ...draft, name: "" }, builtIn));
        }}
      />
      {draft.builtIn === null && (
        <Select
          label={text("evaluators.prompt.from")}
          choices={[
            { value: LLM, label: text("evaluators.prompt.from.empty") },
            ...judges.map(({ name }) => ({ value: name, label: name })),
          ]}
          value={judges.some(({ name }) => name === draft.outputs[0]?.name) ? draft.outputs[0]!.name : LLM}
          onChange={(chosen) => {
            const judge = judges.find(({ name }) => name === chosen);
            const { prompt, customProviderId } = draft;
            const blank = newLlmDraft();
            const { provider, model, parameters } = prompt;
            const kept = { ...blank, customProviderId, prompt: { ...blank.prompt, provider, model, parameters } };
            onChange(judge === undefined ? kept : judgeDraft(kept, judge));
          }}
        />
      )}
    </div>
  );
}

/** The prompt of a stored one, and who else uses the evaluator. */
function UsedPrompt({ stored }: { readonly stored: ListedEvaluator | null }) {
  if (stored?.evaluator.__typename !== "LLMEvaluator") return null;
  const { prompt, usedBy } = stored.evaluator;
  const others = usedBy.length - 1;
  return (
    <p className={styles.quiet}>
      <Link href={linkTo("prompt", { promptId: prompt.id })}>
        {text("evaluators.prompt.open", { name: prompt.name })}
      </Link>
      {others > 0 && ` ${text("evaluators.shared", { count: others })}`}
    </p>
  );
}

interface PartProps {
  readonly title: string;
  readonly hint?: string;
  readonly children: ReactNode;
}

function Part({ title, hint, children }: PartProps) {
  return (
    <section className={styles.part} aria-label={title}>
      <header>
        <h3 className={styles.title}>{title}</h3>
        {hint !== undefined && <p className={styles.quiet}>{hint}</p>}
      </header>
      {children}
    </section>
  );
}
