// Time and size limits of calls.
import type { ModelEndpoint } from "./model-call.ts";

export interface CallLimits {
  /** Until the first piece of the answer: reasoning and loading a local model take time. */
  readonly firstPieceSeconds: number;
  /** Without any byte, after the first piece. */
  readonly idleSeconds: number;
  /** Of one attempt. */
  readonly totalSeconds: number;
  readonly maximumBytes: number;
}

const MAXIMUM_BYTES = 32 * 1024 * 1024;

/** For interactive calls. Built-in providers with OpenAI's protocols have the shorter limit of OpenAI's client. */
export function playgroundLimits({ wire }: ModelEndpoint, isCustom: boolean): CallLimits {
  const isQuick = !isCustom && (wire === "openai_chat" || wire === "openai_responses");
  return { firstPieceSeconds: 90, idleSeconds: isQuick ? 30 : 90, totalSeconds: 600, maximumBytes: MAXIMUM_BYTES };
}

/** For calls of the model proxy. */
export const proxyLimits: CallLimits = limitsOf(120);

/** For runs of experiments, and for evaluations. */
export const taskLimits: CallLimits = limitsOf(120);
export const evaluationLimits: CallLimits = limitsOf(60);

function limitsOf(totalSeconds: number): CallLimits {
  return { firstPieceSeconds: totalSeconds, idleSeconds: totalSeconds, totalSeconds, maximumBytes: MAXIMUM_BYTES };
}
