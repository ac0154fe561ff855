// Who answers a variant: the provider, the model, and where it is called if the server does not know.
import { ListRestart } from "lucide-react";
import { useId, useState } from "react";
import { IconButton } from "../../kit/Button.tsx";
import { Select, TextField } from "../../kit/Field.tsx";
import { showToast } from "../../kit/Toast.tsx";
import { failureOf } from "../../lib/failure.ts";
import { askGraphql } from "../../lib/graphql.ts";
import { useRights } from "../../lib/viewer.ts";
import { text } from "../../texts/texts.ts";
import { modelsOfEndpoint } from "./playground.queries.ts";
import type { VariantDraft } from "./playground-draft.ts";
import { withTarget } from "./playground-draft.ts";
import { MODEL } from "./run-request.ts";
import { type Target, targetValue } from "./targets.ts";
import styles from "./Variant.module.css";

interface ModelPickerProps {
  /** The letter of the variant. */
  readonly letter: string;
  readonly variant: VariantDraft;
  readonly targets: readonly Target[];
  readonly problemAt: (place: string) => string | null;
  readonly onChange: (variant: VariantDraft) => void;
}

export function ModelPicker({ letter, variant, targets, problemAt, onChange }: ModelPickerProps) {
  const { prompt, customProviderId, baseUrl } = variant;
  const { mayWrite } = useRights();
  const list = useId();
  const [listed, setListed] = useState<readonly string[]>([]);
  const value = targetValue(prompt.provider, customProviderId);
  const target = targets.find((each) => each.value === value);
  const gone = { value, label: text("playground.provider.gone") };
  const choices = target === undefined ? [gone, ...targets] : targets;
  const choose = (chosen: string) => {
    const next = targets.find((each) => each.value === chosen);
    if (next === undefined) return;
    setListed([]);
    onChange(withTarget(variant, next));
  };
  const ask = async () => {
    const input = customProviderId === null ? { providerKey: prompt.provider } : { customProviderId };
    try {
      const { endpointModels } = await askGraphql(modelsOfEndpoint, { input });
      setListed(endpointModels.names);
      const count = endpointModels.names.length;
      const message = count === 0 ? text("playground.model.none") : text("playground.model.listed", { count });
      showToast(endpointModels.error ?? message, endpointModels.error === null ? "plain" : "error");
    } catch (error) {
      showToast(failureOf(error).message, "error");
    }
  };
  const names = [...new Set([...listed, ...(target?.models ?? [])])];
  return (
    <>
      <div className={styles.model}>
        <Select
          labelHidden
          label={text("playground.provider", { variant: letter })}
          choices={choices}
          value={value}
          onChange={choose}
        />
        <TextField
          mono
          labelHidden
          label={text("playground.model", { variant: letter })}
          placeholder={text("prompts.editor.model.name")}
          list={list}
          value={prompt.model}
          problem={problemAt(MODEL)}
          onChange={(model) => onChange({ ...variant, prompt: { ...prompt, model } })}
          end={
            mayWrite && target?.isReady === true ? (
              <IconButton
                small
                label={text("playground.model.list")}
                icon={<ListRestart />}
                onClick={() => void ask()}
              />
            ) : undefined
          }
        />
        <datalist id={list}>
          {names.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </div>
      {target?.needsAddress === true && (
        <TextField
          mono
          label={text("playground.address", { variant: letter })}
          hint={text("playground.address.hint")}
          placeholder={OLLAMA_ADDRESS}
          inputMode="url"
          value={baseUrl}
          onChange={(address) => onChange({ ...variant, baseUrl: address })}
        />
      )}
    </>
  );
}

/** Where Ollama listens by itself. */
export const OLLAMA_ADDRESS = "http://localhost:11434/v1";
