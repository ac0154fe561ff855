// The whole of a text that is shown in part.
import { useCallback, useState } from "react";
import { failureOf, failureOfResponse, unreachable } from "../../../lib/failure.ts";
import type { Excerpt } from "../payload/payload.ts";
import { addressOfValue, useSpan } from "./span-context.ts";

/** The text itself where it is whole already. Throws a PageFailure. */
export async function readWhole(spanId: string, excerpt: Excerpt): Promise<string> {
  if (excerpt.wholeBytes === null || excerpt.place === null) return excerpt.text;
  const response = await fetch(addressOfValue(spanId, excerpt.place)).catch((error: unknown) => {
    throw unreachable(error);
  });
  if (!response.ok) throw await failureOfResponse(response);
  return response.text();
}

export interface WholeText {
  /** Null until it was asked for and has come. */
  readonly whole: string | null;
  readonly loading: boolean;
  /** Why it did not come. */
  readonly problem: string | null;
  readonly load: () => void;
}

export function useWholeText(excerpt: Excerpt): WholeText {
  const { spanId } = useSpan();
  const [whole, setWhole] = useState<string | null>(null);
  const [loading, setLoading] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const load = useCallback(async () => {
    setLoading(true);
    setProblem(null);
    try {
      setWhole(await readWhole(spanId, excerpt));
    } catch (error) {
      setProblem(failureOf(error).message);
    }
    setLoading(false);
  }, [spanId, excerpt]);
  return { whole, loading, problem, load: () => void load() };
}
