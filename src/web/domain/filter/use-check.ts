// What the server says of a condition that is being written: asked a quarter of a second after the last key, never more often.
import { useEffect, useState } from "react";
import type { Document } from "../../lib/graphql.ts";
import { useGraphql } from "../../lib/queries.ts";

export interface Problem {
  readonly message: string;
  /** Offsets into the condition; null where the mistake has no place. */
  readonly start: number | null;
  readonly end: number | null;
}

interface Validation {
  readonly isValid: boolean;
  readonly errorMessage: string | null;
  readonly errorStart: number | null;
  readonly errorEnd: number | null;
}

type CheckAnswer =
  | { readonly validation: Validation }
  | { readonly node: { readonly __typename: string; readonly validation?: Validation } };

/** A query that takes a `$condition: String!` and answers `validation: validate…(condition: $condition)`, by itself or of a node. */
export type CheckDocument<Of> = Document<CheckAnswer, Of & { readonly condition: string }>;

/** How a condition is checked. */
export interface Check<Of> {
  readonly document: CheckDocument<Of>;
  /** What the query asks for beside the condition. */
  readonly of: Of;
}

const WAIT_MS = 250;

/** `problem` is null while nothing is known. */
export function useCheck<Of>({ document, of }: Check<Of>, written: string): { readonly problem: Problem | null } {
  const settled = useSettled(written.trim(), WAIT_MS);
  const { data } = useGraphql(document, { ...of, condition: settled }, { enabled: settled !== "" });
  const validation = data === undefined || "validation" in data ? data?.validation : data.node.validation;
  if (settled !== written.trim() || validation === undefined || validation.isValid) return { problem: null };
  const { errorMessage, errorStart: start, errorEnd: end } = validation;
  return { problem: { message: errorMessage ?? "", start, end } };
}

/** The value, once it has stayed the same for a while. */
function useSettled<Value>(value: Value, milliseconds: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}
