// The playground once it is known what it begins with.
import { Play, Square } from "lucide-react";
import { useState } from "react";
import { Button } from "../../kit/Button.tsx";
import { shownKey, useShortcut } from "../../kit/keys.ts";
import { Notice } from "../../kit/States.tsx";
import { showToast } from "../../kit/Toast.tsx";
import { useAddress } from "../../lib/address.ts";
import { failureOf } from "../../lib/failure.ts";
import { Late, late } from "../../lib/late.tsx";
import { start } from "../../lib/start.ts";
import { useRights } from "../../lib/viewer.ts";
import { Page } from "../../shell/Page.tsx";
import { text } from "../../texts/texts.ts";
import { BudgetLeft } from "./BudgetLeft.tsx";
import { PlaygroundTools } from "./PlaygroundTools.tsx";
import type { PlaygroundDraft } from "./playground-draft.ts";
import { stopRuns } from "./runs.ts";
import { placeOfSpan } from "./span-place.ts";
import type { Target } from "./targets.ts";
import { useAnyRunning, useDatasetRuns } from "./use-dataset-runs.ts";
import { usePlayground } from "./use-playground.ts";
import { VariantGrid } from "./VariantGrid.tsx";

const { Part: TraceOverPage } = late(() => import("../traces/TraceOverPage.tsx"));
const { Part: SaveDialog } = late(() => import("./SaveDialog.tsx"));
const { Part: CompareDialog } = late(() => import("./CompareDialog.tsx"));

interface PlaygroundProps {
  readonly origin: string;
  readonly begin: PlaygroundDraft;
  /** Of the call that is tried again; null for none. */
  readonly spanId: string | null;
  /** It is what the browser stored. */
  readonly wasStored: boolean;
  readonly targets: readonly Target[];
  readonly onReset: () => void;
}

const group = "playground.title" as const;

export function Playground({ origin, begin, spanId, wasStored, targets, onReset }: PlaygroundProps) {
  const playground = usePlayground(origin, begin, spanId);
  const { draft, change, undo, redo, runs, isRunning, run } = playground;
  const { mayWrite } = useRights();
  const [saving, setSaving] = useState<number | null>(null);
  const [isComparing, setComparing] = useState(false);
  const { set } = useAddress();
  const datasetRuns = useDatasetRuns(draft);
  const isOver = draft.over !== null;
  const isAnyRunning = useAnyRunning([...datasetRuns.ids.values()]);
  const runAll = () => {
    if (!isOver) run(draft.variants);
    else if (playground.attempt() && !isAnyRunning) datasetRuns.start();
  };
  const openTrace = (spanKey: string) =>
    placeOfSpan(spanKey).then(
      ({ id, traceId, projectId }) => set({ trace: traceId, project: projectId, span: id }),
      (error: unknown) => showToast(failureOf(error).message, "error"),
    );
  useShortcut({ keys: "mod+Enter", label: "playground.run.all", group, inFields: true, run: runAll });
  useShortcut({
    keys: "mod+z",
    label: "playground.undo",
    group,
    run: ({ shiftKey }) => (shiftKey ? redo?.() : undo?.()),
  });
  useShortcut({ keys: "mod+y", label: "playground.redo", group, run: () => redo?.() });
  const written = draft.variants.flatMap(({ key }) => runs.get(key)?.answers ?? []).filter((answer) => answer.text);
  return (
    <Page
      title={text("playground.title")}
      actions={
        isRunning && !isOver ? (
          <Button look="danger" icon={<Square />} onClick={stopRuns}>
            {text("playground.stop")}
          </Button>
        ) : (
          <Button
            look="main"
            icon={<Play />}
            shortcut={shownKey("mod+Enter")}
            disabled={!mayWrite || (isOver && (isAnyRunning || datasetRuns.isStarting))}
            onClick={runAll}
          >
            {text(
              isOver ? "playground.run.over" : draft.variants.length === 1 ? "playground.run" : "playground.run.all",
            )}
          </Button>
        )
      }
    >
      <PlaygroundTools
        {...playground}
        onOver={(over) => {
          change({ ...draft, over });
          set({ dataset: over?.datasetId ?? null, run: null }, "replace");
        }}
        onReset={onReset}
      >
        {!isOver && <BudgetLeft isRunning={isRunning} />}
        {!isOver && written.length > 1 && (
          <Button onClick={() => setComparing(true)}>{text("playground.compare")}</Button>
        )}
      </PlaygroundTools>
      {!mayWrite && <Notice>{text(start.readOnly ? "playground.read-only" : "playground.forbidden")}</Notice>}
      {wasStored && undo === null && (
        <Notice action={<Button onClick={onReset}>{text("playground.stored.drop")}</Button>}>
          {text("playground.stored")}
        </Notice>
      )}
      {playground.isRefused && <Notice tone="error">{text("playground.wrong")}</Notice>}
      <VariantGrid
        playground={playground}
        targets={targets}
        datasetRuns={datasetRuns}
        onSave={setSaving}
        onTrace={(spanKey) => void openTrace(spanKey)}
      />
      {saving !== null && (
        <Late keys="page">
          <SaveDialog draft={draft} variantKey={saving} onSaved={change} onClose={() => setSaving(null)} />
        </Late>
      )}
      {isComparing && (
        <Late keys="page">
          <CompareDialog draft={draft} runs={runs} onClose={() => setComparing(false)} />
        </Late>
      )}
      <OpenTrace />
    </Page>
  );
}

/** The trace of an answer, over the page. */
function OpenTrace() {
  const { get, set } = useAddress();
  const traceId = get("trace");
  const projectId = get("project");
  if (traceId === null || projectId === null) return null;
  return (
    <Late keys="page">
      <TraceOverPage
        traceId={traceId}
        projectId={projectId}
        onClose={(parameters) =>
          set(Object.fromEntries(["trace", "project", ...parameters].map((name) => [name, null])))
        }
      />
    </Late>
  );
}
