// The state of the playground: its draft with the steps that can be taken back, and what runs of it.
import { useEffect, useMemo, useReducer, useState } from "react";
import { newMessage } from "../../domain/prompts/editor/prompt-draft.ts";
import { useRights } from "../../lib/viewer.ts";
import { answerMessages } from "./answer-messages.ts";
import type { Answer } from "./answers.ts";
import { overProblems } from "./dataset-run.ts";
import { type DraftHistory, historyOf, redone, step, undone } from "./draft-history.ts";
import { type PlaygroundDraft, type VariantDraft, withMessages } from "./playground-draft.ts";
import { repetitionsOf, runBody, variantProblems } from "./run-request.ts";
import { startRun, useRuns, type VariantRun } from "./runs.ts";
import { storeDraft } from "./stored-drafts.ts";
import { toolResults } from "./tool-results.ts";

export interface PlaygroundState {
  readonly draft: PlaygroundDraft;
  readonly change: (to: PlaygroundDraft) => void;
  /** Null when there is nothing to take back. */
  readonly undo: (() => void) | null;
  readonly redo: (() => void) | null;
  /** Null for what is not wrong, and for what is not to be shown yet. */
  readonly problemAt: (variant: VariantDraft, place: string) => string | null;
  /** There was a try to run it as it is. */
  readonly isRefused: boolean;
  readonly runs: ReadonlyMap<number, VariantRun>;
  readonly isRunning: boolean;
  readonly run: (variants: readonly VariantDraft[]) => void;
  /** False where it cannot run as it is; the problems are shown from then on. */
  readonly attempt: () => boolean;
  readonly continueFrom: (variant: VariantDraft, answer: Answer) => void;
}

type Change = { readonly to: PlaygroundDraft } | "undo" | "redo";

function changed(history: DraftHistory, change: Change): DraftHistory {
  if (change === "undo") return undone(history) ?? history;
  if (change === "redo") return redone(history) ?? history;
  return step(history, change.to);
}

/** `spanId` is that of the call that is tried again; null for none. */
export function usePlayground(origin: string, begin: PlaygroundDraft, spanId: string | null): PlaygroundState {
  const [{ past, now: draft, future }, dispatch] = useReducer(changed, begin, historyOf);
  const [tried, setTried] = useState(false);
  const runs = useRuns();
  const { mayWrite } = useRights();
  useStoredDraft(origin, draft, past.length > 0 || future.length > 0);
  const problems = useMemo(
    () => new Map(draft.variants.map((variant) => [variant.key, variantProblems(draft, variant)])),
    [draft],
  );
  const repetitions = repetitionsOf(draft);
  const isWrong = ({ key }: VariantDraft) => (problems.get(key)?.size ?? 0) > 0;
  const isAnyWrong =
    repetitions === null ||
    draft.variants.some(isWrong) ||
    (draft.over !== null && Object.keys(overProblems(draft.over)).length > 0);
  const isRunning = draft.variants.some(({ key }) => runs.get(key)?.isRunning === true);
  const change = (to: PlaygroundDraft) => dispatch({ to });
  return {
    draft,
    change,
    undo: past.length === 0 ? null : () => dispatch("undo"),
    redo: future.length === 0 ? null : () => dispatch("redo"),
    problemAt: ({ key }, place) => (tried || !isUntouched(place) ? (problems.get(key)?.get(place) ?? null) : null),
    isRefused: tried && isAnyWrong,
    runs,
    isRunning,
    run(variants) {
      setTried(true);
      if (!mayWrite || isRunning || repetitions === null || variants.some(isWrong)) return;
      const called = variants.map(({ key, prompt }) => ({ key, model: prompt.model }));
      void startRun(called, repetitions, runBody(draft, variants));
    },
    attempt() {
      setTried(true);
      return mayWrite && !isAnyWrong;
    },
    continueFrom({ key }, answer) {
      if (answer.calls.length === 0) {
        change(withMessages(draft, key, [...answerMessages(answer), newMessage("user")]));
        return;
      }
      // Without those of the trace, results are typed.
      void knownResults(spanId).then((results) => change(withMessages(draft, key, answerMessages(answer, results))));
    },
  };
}

async function knownResults(spanId: string | null): Promise<Readonly<Record<string, string>>> {
  return spanId === null ? {} : toolResults(spanId).catch(() => ({}));
}

/** Empty fields are marked only after an attempt to run. */
function isUntouched(place: string): boolean {
  return place === "model" || place.startsWith("parameter ");
}

const STORE_AFTER_MS = 300;

/** The browser stores what was changed, shortly after the last change and when the page is left. */
function useStoredDraft(origin: string, draft: PlaygroundDraft, isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return;
    const save = () => storeDraft(origin, draft);
    const timer = setTimeout(save, STORE_AFTER_MS);
    window.addEventListener("pagehide", save);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("pagehide", save);
    };
  }, [origin, draft, isChanged]);
}
