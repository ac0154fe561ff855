// What differs in one step: input and output by their words or keys, parameters by their keys, and what it took.
import type { ReactNode } from "react";
import { Link } from "wouter";
import { isJsonObject, type Json } from "../../../../kernel/json.ts";
import { cardText } from "../../../domain/trace/payload/card-text.ts";
import { cardsOf, sideCard } from "../../../domain/trace/payload/cards.ts";
import type { Payload } from "../../../domain/trace/payload/payload.ts";
import { SELECTED_SPAN } from "../../../domain/trace/selected.ts";
import type { SpanKind } from "../../../domain/trace/trace-span.ts";
import { JsonDiff } from "../../../kit/diff/JsonDiff.tsx";
import { TextDiff } from "../../../kit/diff/TextDiff.tsx";
import { FoldedText, sizeOf } from "../../../kit/FoldedText.tsx";
import { FailedState, Skeleton } from "../../../kit/States.tsx";
import { formatCost, formatCount, formatDuration } from "../../../lib/format.ts";
import { linkTo } from "../../../lib/links.ts";
import { text as pageText, textsOf } from "../../../texts/texts.ts";
import { useShownSpan } from "../panel/use-shown-span.ts";
import { sideNames } from "./ComparedSides.tsx";
import type { ComparedTrace, StepPair, TraceComparison } from "./comparison.queries.ts";
import styles from "./StepDifference.module.css";
import { comparisonTexts } from "./trace-comparison.late-texts.ts";

const text = textsOf(comparisonTexts);

interface StepDifferenceProps {
  readonly comparison: TraceComparison;
  readonly step: StepPair | undefined;
}

export function StepDifference({ comparison, step }: StepDifferenceProps) {
  const first = useShownSpan(step?.first?.spanNodeId ?? "", step?.first != null);
  const second = useShownSpan(step?.second?.spanNodeId ?? "", step?.second != null);
  if (step === undefined) return null;
  const failure = first.failure ?? second.failure;
  if (failure !== null) return <FailedState failure={failure} onRetry={first.failure ? first.retry : second.retry} />;
  const span = step.second ?? step.first;
  return (
    <div className={styles.difference}>
      <h2 className={styles.head}>
        <bdi>{step.edit === "RENAMED" ? `${step.first?.name} → ${step.second?.name}` : span?.name}</bdi>
        <span>{text(`traces.compare.edit.${step.edit}`)}</span>
      </h2>
      <Figures comparison={comparison} step={step} />
      {first.loading || second.loading ? (
        <Skeleton lines={6} />
      ) : (
        <Contents step={step} before={first.payload} after={second.payload} />
      )}
    </div>
  );
}

function Figures({ comparison, step }: { readonly comparison: TraceComparison; readonly step: StepPair }) {
  const sides = [
    [sideNames[0], comparison.first, step.first],
    [sideNames[1], comparison.second, step.second],
  ] as const;
  return (
    <table className={styles.figures}>
      <tbody>
        {sides.map(([name, trace, span]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {span === null ? (
              <td colSpan={5}>{text("traces.compare.absent")}</td>
            ) : (
              <>
                <td>{formatDuration(span.latencyMs)}</td>
                <td>
                  {span.tokens === null ? "" : pageText("trace.waste.tokens", { tokens: formatCount(span.tokens) })}
                </td>
                <td>{span.cost === null ? "" : formatCost(span.cost)}</td>
                <td>{span.modelName ?? ""}</td>
                <td>
                  <Link href={linkToSpan(trace, span.spanNodeId)}>{text("traces.compare.open")}</Link>
                </td>
              </>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function linkToSpan({ project, traceId }: ComparedTrace, spanId: string): string {
  return `${linkTo("trace", { projectId: project.id, traceId })}?${new URLSearchParams({ [SELECTED_SPAN]: spanId })}`;
}

interface ContentsProps {
  readonly step: StepPair;
  readonly before: Payload | null;
  readonly after: Payload | null;
}

function Contents({ step, before, after }: ContentsProps) {
  return (
    <>
      {(["input", "output"] as const).map((side) => (
        <Part key={side} title={text(`traces.compare.part.${side === "input" ? "INPUT" : "OUTPUT"}`)}>
          <Values before={sideValue(before, side)} after={sideValue(after, side)} />
        </Part>
      ))}
      <Parameters step={step} before={before} after={after} />
    </>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

interface SideValue {
  readonly text: string;
  /** Undefined where it is no list and no object. */
  readonly json: Json | undefined;
}

function sideValue(payload: Payload | null, side: "input" | "output"): SideValue | null {
  const card = payload === null ? null : sideCard(payload, side);
  if (card === null) return null;
  const json =
    card.messages.length === 0 && typeof card.json === "object" && card.json !== null ? card.json : undefined;
  return { text: cardText(card), json };
}

function Values({ before, after }: { readonly before: SideValue | null; readonly after: SideValue | null }) {
  const shown = after ?? before;
  if (shown === null) return <p className={styles.note}>{text("traces.compare.nothing")}</p>;
  if (before === null || after === null) return <Whole value={shown.text} />;
  if (before.text === after.text) {
    return (
      <>
        <p className={styles.note}>{text("traces.compare.same")}</p>
        <Whole value={shown.text} />
      </>
    );
  }
  if (before.json !== undefined && after.json !== undefined) return <Keys before={before.json} after={after.json} />;
  return (
    <p className={styles.text}>
      <TextDiff before={before.text} after={after.text} show="both" />
    </p>
  );
}

const SHOWN_LINES = 12;

function Whole({ value }: { readonly value: string }) {
  return (
    <FoldedText value={value} size={sizeOf(value)} lines={SHOWN_LINES}>
      <p className={styles.text}>{value}</p>
    </FoldedText>
  );
}

function Keys({ before, after }: { readonly before: Json | undefined; readonly after: Json | undefined }) {
  const names = { key: text("traces.compare.key"), before: sideNames[0], after: sideNames[1] };
  return <JsonDiff before={before} after={after} names={names} same={text("traces.compare.same")} />;
}

function Parameters({ step, before, after }: ContentsProps) {
  const [old, now] = [parametersOf(step.first, before), parametersOf(step.second, after)];
  if (old === null && now === null) return null;
  return (
    <Part title={text("traces.compare.part.PARAMETERS")}>
      <Keys before={old ?? undefined} after={now ?? undefined} />
    </Part>
  );
}

/** Those of the call, its model and the version of its prompt. */
function parametersOf(span: StepPair["first"], payload: Payload | null): Json | null {
  if (span === null || payload === null) return null;
  const kind = span.spanKind.toUpperCase() as SpanKind;
  const cards = cardsOf({ kind, status: "UNSET", statusMessage: "" }, payload);
  const card = cards.find(({ id }) => id === "parameters");
  const values = card?.id === "parameters" ? card.values : {};
  const version = card?.id === "parameters" ? (card.template?.version ?? null) : null;
  const all = {
    ...(span.modelName === null ? {} : { model: span.modelName }),
    ...(version === null ? {} : { "prompt version": version }),
    ...values,
  };
  return isJsonObject(all) && Object.keys(all).length > 0 ? all : null;
}
