// Attaches an evaluator to a dataset, or changes one: its fields at the left, and at the right a trial on an example.
import { useMemo, useState } from "react";
import { useVersionContent } from "../../../domain/prompts/version-content.ts";
import { Button } from "../../../kit/Button.tsx";
import { Dialog } from "../../../kit/Dialog.tsx";
import { Loaded, Notice, Skeleton } from "../../../kit/States.tsx";
import { showToast } from "../../../kit/Toast.tsx";
import { askGraphql, nodesOf } from "../../../lib/graphql.ts";
import { useChange, useGraphql } from "../../../lib/queries.ts";
import { leave, useUnsaved } from "../../../lib/unsaved.ts";
import { text } from "../../../texts/texts.ts";
import { EvaluatorFields } from "./EvaluatorFields.tsx";
import styles from "./Evaluators.module.css";
import {
  builtInOutputs,
  declaredInputs,
  draftProblems,
  type EvaluatorDraft,
  llmInput,
  newLlmDraft,
  sharedInput,
  storedDraft,
} from "./evaluator-draft.ts";
import {
  createBuiltIn,
  createLlm,
  type EvaluatorKinds,
  evaluatorKinds,
  type ListedEvaluator,
  type TriedExample,
  triedExamples,
  triedExamplesOf,
  updateBuiltIn,
  updateLlm,
} from "./evaluators.queries.ts";
import { suggestedPaths } from "./input-mapping.ts";
import { TryEvaluator, trialContext, trialOf } from "./TryEvaluator.tsx";

interface EvaluatorDialogProps {
  readonly datasetId: string;
  /** Null for a new one. */
  readonly stored: ListedEvaluator | null;
  readonly onClose: () => void;
}

export default function EvaluatorDialog(props: EvaluatorDialogProps) {
  const { datasetId, stored, onClose } = props;
  const kinds = useGraphql(evaluatorKinds, {});
  const examples = useGraphql(triedExamples, { id: datasetId });
  const version = versionOf(stored);
  if (kinds.data !== undefined && examples.data !== undefined) {
    const shared = {
      ...props,
      kinds: kinds.data,
      examples: nodesOf(triedExamplesOf(examples.data)?.edges ?? []),
    };
    return version === null ? (
      <Editor {...shared} start={startOf(stored, kinds.data)} />
    ) : (
      <StoredLlm {...shared} versionId={version.id} />
    );
  }
  return (
    <Dialog open full onClose={onClose} title={titleOf(stored)}>
      <Loaded query={kinds}>{() => <Loaded query={examples}>{() => null}</Loaded>}</Loaded>
    </Dialog>
  );
}

const titleOf = (stored: ListedEvaluator | null) =>
  stored === null ? text("evaluators.add") : text("evaluators.edit", { name: stored.name });

function versionOf(stored: ListedEvaluator | null) {
  return stored?.evaluator.__typename === "LLMEvaluator" ? stored.evaluator.promptVersion : null;
}

function startOf(stored: ListedEvaluator | null, { builtInEvaluators }: EvaluatorKinds): EvaluatorDraft {
  if (stored === null) return newLlmDraft();
  return storedDraft(stored, builtInEvaluators.find(({ id }) => id === stored.evaluator.id) ?? null, null);
}

interface SharedProps extends EvaluatorDialogProps {
  readonly kinds: EvaluatorKinds;
  readonly examples: readonly TriedExample[];
}

function StoredLlm(props: SharedProps & { readonly versionId: string }) {
  const content = useVersionContent(props.versionId);
  if (content.data !== undefined) return <Editor {...props} start={storedDraft(props.stored!, null, content.data)} />;
  return (
    <Dialog open full onClose={props.onClose} title={titleOf(props.stored)}>
      <Loaded query={content}>{() => <Skeleton lines={8} />}</Loaded>
    </Dialog>
  );
}

function Editor({
  datasetId,
  stored,
  kinds,
  examples,
  start,
  onClose,
}: SharedProps & { readonly start: EvaluatorDraft }) {
  const [initial] = useState(start);
  const [draft, setDraft] = useState(initial);
  const [trial, setTrial] = useState(() => trialOf(examples[0]));
  const [tried, setTried] = useState(false);
  const saving = useChange((saved: EvaluatorDraft) => send(saved, datasetId, stored), ["evaluators", "prompts"]);
  const problems = useMemo(() => draftProblems(draft), [draft]);
  const context = trialContext(trial);
  const paths = useMemo(() => (context === null ? [] : suggestedPaths(context)), [context]);
  useUnsaved(draft !== initial && !saving.isPending && !saving.isSuccess);
  const isRight = () => {
    setTried(true);
    return problems.size === 0;
  };
  const save = () => {
    if (saving.isPending || !isRight()) return;
    saving.mutate(draft, {
      onSuccess() {
        showToast(text("evaluators.saved", { name: draft.name.trim() }));
        onClose();
      },
    });
  };
  const close = () => leave(onClose);
  const refusal = saving.error?.message ?? (tried && problems.size > 0 ? text("evaluators.wrong") : null);
  return (
    <Dialog
      open
      full
      firm
      onClose={close}
      onSubmit={save}
      title={titleOf(stored)}
      actions={
        <>
          <Button onClick={close}>{text("kit.cancel")}</Button>
          <Button type="submit" look="main" aria-disabled={saving.isPending}>
            {text(stored === null ? "evaluators.add" : "evaluators.save")}
          </Button>
        </>
      }
    >
      <div role="alert" className={styles.refusal}>
        {refusal !== null && <Notice tone="error">{refusal}</Notice>}
      </div>
      <div className={styles.columns}>
        <EvaluatorFields
          draft={draft}
          inputs={declaredInputs(draft)}
          paths={paths}
          stored={stored}
          kinds={kinds}
          problemAt={(place) => (tried ? (problems.get(place) ?? null) : null)}
          onChange={(changes) => {
            setDraft((now) => ({ ...now, ...changes }));
            if (saving.isError) saving.reset();
          }}
        />
        <aside className={styles.aside} aria-label={text("evaluators.try")}>
          <h3 className={styles.title}>{text("evaluators.try")}</h3>
          <TryEvaluator draft={draft} examples={examples} trial={trial} onTrial={setTrial} mayTry={isRight} />
        </aside>
      </div>
    </Dialog>
  );
}

async function send(draft: EvaluatorDraft, datasetId: string, stored: ListedEvaluator | null): Promise<void> {
  const shared = sharedInput(draft);
  if (draft.builtIn !== null) {
    const input = { ...shared, outputConfigs: builtInOutputs(draft) };
    if (stored === null)
      await askGraphql(createBuiltIn, { input: { ...input, datasetId, evaluatorId: draft.builtIn.id } });
    else await askGraphql(updateBuiltIn, { input: { ...input, datasetEvaluatorId: stored.id } });
    return;
  }
  const input = { ...shared, ...llmInput(draft), datasetId };
  if (stored === null) await askGraphql(createLlm, { input });
  else {
    const promptVersionId = versionOf(stored)?.id ?? null;
    await askGraphql(updateLlm, { input: { ...input, datasetEvaluatorId: stored.id, promptVersionId } });
  }
}
