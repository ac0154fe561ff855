// The prompt of an LLM evaluator and the model that it asks.
import type { CustomProviderSdk } from "../../../../model/custom-provider.ts";
import { type ModelProvider, modelProviders } from "../../../../model/prompt.ts";
import { FormatField, ParameterFields } from "../../../domain/prompts/editor/DraftFields.tsx";
import { MessageFields } from "../../../domain/prompts/editor/MessageFields.tsx";
import type { PromptDraft } from "../../../domain/prompts/editor/prompt-draft.ts";
import { Select, TextField } from "../../../kit/Field.tsx";
import { nodesOf } from "../../../lib/graphql.ts";
import { useGraphql } from "../../../lib/queries.ts";
import { start } from "../../../lib/start.ts";
import { text } from "../../../texts/texts.ts";
import styles from "./Evaluators.module.css";
import { type EvaluatorDraft, withProvider } from "./evaluator-draft.ts";
import { customProviderNames, type NamedProvider } from "./evaluators.queries.ts";

interface PromptPartProps {
  readonly draft: EvaluatorDraft;
  readonly problemAt: (place: string) => string | null;
  readonly onChange: (changes: Partial<EvaluatorDraft>) => void;
}

export function MessagesPart({ draft: { prompt }, problemAt, onChange }: PromptPartProps) {
  const change = (changes: Partial<PromptDraft>) => onChange({ prompt: { ...prompt, ...changes } });
  return (
    <>
      <FormatField draft={prompt} onChange={change} />
      <MessageFields
        textsOnly
        messages={prompt.messages}
        format={prompt.format}
        problemAt={problemAt}
        onChange={(messages) => change({ messages })}
      />
    </>
  );
}

/** The built-in provider whose protocol a custom one speaks. */
const spoken: Readonly<Record<CustomProviderSdk, ModelProvider>> = {
  OPENAI: "OPENAI",
  AZURE_OPENAI: "AZURE_OPENAI",
  ANTHROPIC: "ANTHROPIC",
  AWS_BEDROCK: "AWS",
  GOOGLE_GENAI: "GOOGLE",
};

export function ModelPart({ draft, problemAt, onChange }: PromptPartProps) {
  const { prompt, customProviderId } = draft;
  const query = useGraphql(customProviderNames, {});
  const custom = nodesOf(query.data?.generativeModelCustomProviders.edges ?? []);
  const chosen = custom.find(({ id }) => id === customProviderId);
  const choose = (value: string) => {
    const provider = custom.find(({ id }) => id === value);
    onChange({
      customProviderId: provider?.id ?? null,
      prompt: withProvider(prompt, provider === undefined ? (value as ModelProvider) : spoken[provider.sdk]),
    });
  };
  return (
    <>
      <div className={styles.pair}>
        <Select
          label={text("evaluators.provider")}
          choices={providerChoices(prompt.provider, custom)}
          value={customProviderId ?? prompt.provider}
          onChange={choose}
        />
        <TextField
          mono
          label={text("evaluators.model.name")}
          list={MODELS}
          value={prompt.model}
          problem={problemAt("model")}
          onChange={(model) => onChange({ prompt: { ...prompt, model } })}
        />
        <datalist id={MODELS}>
          {(chosen?.modelNames ?? []).map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </div>
      <details className={styles.more}>
        <summary>{text("evaluators.parameters")}</summary>
        <ParameterFields
          draft={prompt}
          problemAt={problemAt}
          onChange={(changes) => onChange({ prompt: { ...prompt, ...changes } })}
        />
      </details>
    </>
  );
}

const MODELS = "evaluator-models";

function providerChoices(own: ModelProvider, custom: readonly NamedProvider[]) {
  const { offeredProviders: offered } = start;
  const builtIn = modelProviders
    .filter((value) => offered === null || offered.includes(value) || value === own)
    .map((value) => ({ value: value as string, label: text(`prompts.provider.${value}`) }));
  return [
    ...custom.map(({ id, name }) => ({ value: id, label: text("evaluators.provider.custom", { name }) })),
    ...builtIn,
  ];
}
