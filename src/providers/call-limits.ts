// How long and how large answers may be.
import type { ModelEndpoint } from "./model-call.ts";

export interface CallLimits {
  /** Until the first piece of the answer: models think, and local ones are loaded. */
  readonly firstPieceSeconds: number;
  /** Without any byte, after the first piece. */
  readonly idleSeconds: number;
  /** Of one attempt. */
  readonly totalSeconds: number;
  readonly maximumBytes: number;
}

const MAXIMUM_BYTES = 32 * 1024 * 1024;

/** Somebody waits for the answer. Providers by name that speak like OpenAI are given up earlier. */
export function playgroundLimits({ wire }: ModelEndpoint, isCustom: boolean): CallLimits {
  const isQuick = !isCustom && (wire === "openai_chat" || wire === "openai_responses");
  return { firstPieceSeconds: 90, idleSeconds: isQuick ? 30 : 90, totalSeconds: 600, maximumBytes: MAXIMUM_BYTES };
}

/** A run of an experiment, and an evaluation of one. */
export const taskLimits: CallLimits = limitsOf(120);
export const evaluationLimits: CallLimits = limitsOf(60);

function limitsOf(totalSeconds: number): CallLimits {
  return { firstPieceSeconds: totalSeconds, idleSeconds: totalSeconds, totalSeconds, maximumBytes: MAXIMUM_BYTES };
}
