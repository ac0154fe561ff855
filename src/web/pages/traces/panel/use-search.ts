// Which spans hold some words: names and models at once, inputs and outputs by the server.

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { searchedWords } from "../../../../modules/tracing/spans/search/search.rules.ts";
import type { TraceTree } from "../../../domain/trace/tree.ts";
import type { PageFailure } from "../../../lib/failure.ts";
import { askGraphql } from "../../../lib/graphql.ts";
import { spanSearch } from "./trace.queries.ts";

/** Minimum milliseconds between requests while the reader types. */
const PAUSE_MS = 250;
/** Fewer characters are in nearly every text. */
const FEWEST = 3;
const MOST_FOUND = 1000;

/** Where texts are searched: inputs and outputs, messages of models, documents. */
const searched = [
  "input.value",
  "output.value",
  "attributes['llm']",
  "attributes['retrieval']",
  "attributes['reranker']",
  "attributes['metadata']",
];

export interface Search {
  /** Keys of spans; null without words, and until something is found or the search has ended. */
  readonly found: ReadonlySet<string> | null;
  readonly running: boolean;
  readonly failure: PageFailure | null;
}

export function useSearch(tree: TraceTree, traceNodeId: string, words: string): Search {
  const wanted = words.trim();
  const asked = usePaused(wanted);
  const enabled = asked.length >= FEWEST;
  const condition = searchedWords(asked)
    .map((word) => `(${searched.map((place) => `${quoted(word)} in ${place}`).join(" or ")})`)
    .join(" and ");
  const inside = useQuery<readonly string[], PageFailure>({
    queryKey: ["SpanSearch", traceNodeId, asked],
    queryFn: async ({ signal }) => {
      const { node } = await askGraphql(spanSearch, { trace: traceNodeId, first: MOST_FOUND, condition }, signal);
      return node?.__typename === "Trace" ? node.spans.edges.map((edge) => edge.node.spanId) : [];
    },
    enabled,
    placeholderData: keepPreviousData,
  });
  const found = useMemo(() => {
    if (wanted === "") return null;
    const keys = new Set(namedLike(tree, wanted));
    if (enabled && asked === wanted) for (const key of inside.data ?? []) keys.add(key);
    return keys;
  }, [tree, wanted, enabled, asked, inside.data]);
  const waits = wanted.length >= FEWEST && asked !== wanted;
  const running = waits || (enabled && inside.isFetching);
  // While nothing is found yet, the rows stay as they were.
  const [shown, setShown] = useState(found);
  const isNothingYet = running && found?.size === 0;
  if (!isNothingYet && shown !== found) setShown(found);
  const kept = shown?.size === 0 ? null : shown;
  return { found: isNothingYet ? kept : found, running, failure: enabled ? inside.error : null };
}

function usePaused(words: string): string {
  const [paused, setPaused] = useState(words);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(words), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [words]);
  return paused;
}

function namedLike(tree: TraceTree, words: string): string[] {
  const wanted = searchedWords(words).map((word) => word.toLowerCase());
  const found: string[] = [];
  for (const { key, span } of tree.byKey.values()) {
    if (span === null) continue;
    const { name, model, error } = span;
    const texts = [name, model, error].map((text) => text?.toLowerCase() ?? "");
    if (wanted.every((word) => key === word || texts.some((text) => text.includes(word)))) found.push(key);
  }
  return found;
}

/** A text of the filter language. */
function quoted(words: string): string {
  return `'${words.replace(/[\\']/g, "\\$&").replace(/\n/g, "\\n").replace(/\r/g, "\\r").replaceAll("\0", "")}'`;
}
