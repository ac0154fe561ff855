// The few figures of a span, in one line that wraps. Only what was sent is shown.
import type { ReactNode } from "react";
import { CostFigure } from "../../../../domain/costs/Cost.tsx";
import type { Facts as FactsOfSpan } from "../../../../domain/trace/payload/facts.ts";
import type { TraceSpan } from "../../../../domain/trace/trace-span.ts";
import { formatCount, formatDuration } from "../../../../lib/format.ts";
import { Late, late } from "../../../../lib/late.tsx";
import { text } from "../../../../texts/texts.ts";
import styles from "./SpanDetail.module.css";

const { Part: PromptVersionLink } = late(() => import("./PromptVersionLink.tsx"));

/** How the tokens of the span stand to the sums over spans. */
export interface SpanSums {
  /** Of everything below it, itself included. */
  readonly tokensBelow: number | null;
  /** A child recorded the same call, which is counted there. */
  readonly isCountedInChild: boolean;
  /** Where its cost is from; null for what is no call of a model. */
  readonly costSource: "PRICE" | "GIVEN" | "UNKNOWN" | null;
}

interface FactsProps {
  readonly span: TraceSpan;
  readonly facts: FactsOfSpan;
  readonly sums: SpanSums;
  readonly traceStartUs: number;
}

export function Facts({ span, facts, sums: { tokensBelow, isCountedInChild, costSource }, traceStartUs }: FactsProps) {
  const { promptTokens, completionTokens, cachedTokens, cacheWrittenTokens, reasoningTokens } = facts;
  const started = span.startUs - traceStartUs;
  return (
    <div className={styles.facts}>
      {facts.model !== null && (
        <b title={facts.provider ?? undefined}>
          <bdi>{facts.model}</bdi>
        </b>
      )}
      <Fact word={text("span.fact.latency")}>{formatDuration((span.endUs - span.startUs) / 1000)}</Fact>
      {started > 0 && <Fact word={text("span.fact.start")}>{formatDuration(started / 1000)}</Fact>}
      {facts.firstTokenUs !== null && (
        <Fact word={text("span.fact.first")}>{formatDuration(facts.firstTokenUs / 1000)}</Fact>
      )}
      {(promptTokens !== null || completionTokens !== null) && (
        <span>
          {promptTokens !== null && <Fact word={text("span.fact.in")}>{formatCount(promptTokens)}</Fact>}
          {promptTokens !== null && completionTokens !== null && " · "}
          {completionTokens !== null && <Fact word={text("span.fact.out")}>{formatCount(completionTokens)}</Fact>}
        </span>
      )}
      {cachedTokens !== null && cachedTokens > 0 && (
        <Fact word={text("span.fact.cached")}>{formatCount(cachedTokens)}</Fact>
      )}
      {cacheWrittenTokens !== null && cacheWrittenTokens > 0 && (
        <Fact word={text("span.fact.cache.written")}>{formatCount(cacheWrittenTokens)}</Fact>
      )}
      {reasoningTokens !== null && reasoningTokens > 0 && (
        <Fact word={text("span.fact.reasoning")}>{formatCount(reasoningTokens)}</Fact>
      )}
      {(span.cost !== null || costSource !== null) && (
        <span>
          {span.cost !== null && `${text("span.fact.cost")} `}
          <b>
            <CostFigure id={span.id} cost={span.cost} unknown={span.cost === null} />
          </b>
          {costSource === "GIVEN" && ` ${text("span.fact.cost.given")}`}
        </span>
      )}
      {isCountedInChild && (
        <span className={styles.faint} title={text("span.fact.repeated.why")}>
          {text("span.fact.repeated")}
        </span>
      )}
      {tokensBelow !== null && tokensBelow > 0 && span.tokens === null && (
        <span>
          <Fact word={text("span.fact.tokens")}>{formatCount(tokensBelow)}</Fact> {text("span.fact.below")}
        </span>
      )}
      {facts.temperature !== null && (
        <span className={styles.faint}>{`${text("span.fact.temperature")} ${facts.temperature}`}</span>
      )}
      {facts.finishReason !== null && facts.finishReason !== "stop" && (
        <Fact word={text("span.fact.finish")}>{facts.finishReason}</Fact>
      )}
      {facts.promptVersionId !== null && (
        <Late>
          <PromptVersionLink versionId={facts.promptVersionId} />
        </Late>
      )}
    </div>
  );
}

function Fact({ word, children }: { readonly word: string; readonly children: ReactNode }) {
  return (
    <span>
      {word} <b>{children}</b>
    </span>
  );
}
