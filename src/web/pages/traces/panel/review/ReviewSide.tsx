// The review of a trace beside its details: the pane, or a strip of the verdicts where it is folded; in a narrow panel a sheet. Its keys
// work wherever they do not write.
import { ChevronsLeft, ChevronsRight } from "lucide-react";
import { useCallback, useState } from "react";
import { shownVerdict } from "../../../../domain/annotations/drafts.ts";
import { ReviewPane } from "../../../../domain/annotations/ReviewPane.tsx";
import type { ReviewTarget } from "../../../../domain/annotations/send-review.ts";
import { type Review, useQuestions, useReview } from "../../../../domain/annotations/use-review.ts";
import {
  chosenBy,
  controlValue,
  emptyVerdict,
  goodness,
  judged,
  verdictText,
} from "../../../../domain/annotations/verdicts.ts";
import { SELECTED_SPAN } from "../../../../domain/trace/selected.ts";
import type { PanelNavigation } from "../../../../explorer/panel-navigation.tsx";
import { IconButton } from "../../../../kit/Button.tsx";
import { classes } from "../../../../kit/classes.ts";
import { Segmented } from "../../../../kit/Field.tsx";
import { useShortcut } from "../../../../kit/keys.ts";
import { ScoreDot } from "../../../../kit/ScoreDot.tsx";
import { Sheet } from "../../../../kit/Sheet.tsx";
import { showToast } from "../../../../kit/Toast.tsx";
import { useAddress } from "../../../../lib/address.ts";
import { HoldKeys } from "../../../../lib/held-keys.ts";
import { createPreference, usePreference } from "../../../../lib/preferences.ts";
import { useRights } from "../../../../lib/viewer.ts";
import { type LabelKey, text } from "../../../../texts/texts.ts";
import styles from "./ReviewSide.module.css";

const targetPreference = createPreference<string>("review.target", "trace");
const targetLabels = {
  span: "review.target.span",
  trace: "review.target.trace",
  session: "review.target.session",
} as const satisfies Record<ReviewTarget["kind"], LabelKey>;

interface ReviewSideProps {
  readonly projectId: string;
  /** What can be judged here. */
  readonly targets: readonly ReviewTarget[];
  /** Of the trace, for messages. */
  readonly name: string;
  readonly navigation: PanelNavigation;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  /** A column beside the details, over them, or a sheet over all. */
  readonly place: "beside" | "over" | "sheet";
}

export default function ReviewSide(props: ReviewSideProps) {
  const { projectId, targets, name, navigation, open, onOpen, place } = props;
  const [wanted, setWanted] = useWantedTarget();
  const target = targets.find(({ kind }) => kind === wanted) ?? targets.find(({ kind }) => kind === "trace")!;
  const questions = useQuestions(projectId);
  const review = useReview(target);
  const { mayWrite } = useRights();
  const [focus, setFocus] = useState<"form" | "note" | null>(null);
  const onFocused = useCallback(() => setFocus(null), []);
  const save = () => review.save(name);
  const saveNext = () => {
    save();
    if (navigation.onNext === null) showToast(text("review.last"));
    navigation.onNext?.();
  };
  useShortcut({
    keys: "e",
    label: "review.keys.open",
    group: "review.keys",
    run() {
      onOpen(!open);
      if (!open) setFocus("form");
    },
  });
  useShortcut(
    {
      keys: "n",
      label: "review.keys.note",
      group: "review.keys",
      run() {
        onOpen(true);
        setFocus("note");
      },
    },
    mayWrite,
  );
  const pane = (
    <>
      <Keys
        questions={questions ?? []}
        review={review}
        enabled={mayWrite}
        loaded={questions !== undefined}
        onSaveNext={saveNext}
      />
      <ReviewPane
        key={target.id}
        questions={questions}
        review={review}
        head={
          <Segmented
            label={text("review.target")}
            value={target.kind}
            choices={targets.map(({ kind }) => ({ value: kind, label: text(targetLabels[kind]) }))}
            onChange={setWanted}
          />
        }
        mayWrite={mayWrite}
        projectId={projectId}
        focus={focus}
        onFocused={onFocused}
        onSave={save}
        onSaveNext={saveNext}
      />
    </>
  );
  if (place === "sheet") {
    return (
      <Sheet open={open} onClose={() => onOpen(false)} title={text("review.title")}>
        {open && pane}
      </Sheet>
    );
  }
  if (!open) return <Strip questions={questions ?? []} review={review} onOpen={() => onOpen(true)} />;
  return (
    <aside className={classes(styles.side, place === "over" && styles.over)} aria-label={text("review.title")}>
      <header className={styles.head}>
        <h3>{text("review.title")}</h3>
        <IconButton small label={text("review.fold")} icon={<ChevronsRight />} onClick={() => onOpen(false)} />
      </header>
      {pane}
    </aside>
  );
}

/** A span that the address names is what was opened; else it is the trace, or the session where that was judged last. */
function useWantedTarget() {
  const [remembered, remember] = usePreference(targetPreference);
  const isSpanNamed = useAddress().get(SELECTED_SPAN) !== null;
  const [wanted, setWanted] = useState(() => (isSpanNamed ? "span" : remembered === "span" ? "trace" : remembered));
  const choose = (kind: string) => {
    setWanted(kind);
    remember(kind);
  };
  return [wanted, choose] as const;
}

interface KeysProps {
  readonly questions: NonNullable<ReturnType<typeof useQuestions>>;
  readonly review: Review;
  readonly enabled: boolean;
  /** The questions are there. */
  readonly loaded: boolean;
  readonly onSaveNext: () => void;
}

/** Inside a sheet they are the sheet's. */
function Keys({ questions, review, enabled, loaded, onSaveNext }: KeysProps) {
  const group = "review.keys";
  const choose = (event: globalThis.KeyboardEvent) => {
    const chosen = chosenBy(Number(event.key), questions);
    if (chosen === null) return;
    const { question, label } = chosen;
    const { name } = question;
    const {
      score,
      explanation,
      label: given,
    } = shownVerdict(review.entry, name, review.grouped.own.get(name) ?? emptyVerdict);
    const before = { label: given, score, explanation };
    // The chosen one again takes the choice back.
    review.judge(name, judged(question, before, controlValue(question, before) === label ? "" : label));
  };
  useShortcut(
    { keys: "1 2 3 4 5 6 7 8 9", label: "review.keys.choose", group, run: choose },
    enabled && !review.loading,
  );
  useShortcut({ keys: "mod+Enter", label: "review.keys.next", group, inFields: true, run: onSaveNext }, enabled);
  // The answers of the next trace are on their way.
  return enabled && (review.loading || !loaded) ? <HoldKeys only="1 2 3 4 5 6 7 8 9" /> : null;
}

interface StripProps extends Pick<KeysProps, "questions" | "review"> {
  readonly onOpen: () => void;
}

/** One dot a verdict: own ones first. */
function Strip({ questions, review: { grouped }, onOpen }: StripProps) {
  const all = [...grouped.own.values(), ...[...grouped.others.values()].flat()];
  return (
    <aside className={styles.strip} aria-label={text("review.title")}>
      <IconButton label={text("review.open")} icon={<ChevronsLeft />} onClick={onOpen} />
      {all.map((annotation) => (
        <ScoreDot
          key={annotation.id}
          goodness={goodness(
            questions.find(({ name }) => name === annotation.name),
            annotation,
          )}
          label={text("review.verdict", { name: annotation.name, value: verdictText(annotation) })}
        />
      ))}
    </aside>
  );
}
