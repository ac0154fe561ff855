// Patterns of models that price nothing, or not what they could: found in the ingest worker, reported to the thread that started it.

import type { PatternProblem } from "../costs/name-search.ts";
import type { Channel } from "../kernel/link.ts";

interface ReportedProblem {
  readonly patternProblem: PatternProblem;
}

/** In the worker. */
export function reportPatternProblem(parent: Channel, patternProblem: PatternProblem): void {
  parent.post({ patternProblem } satisfies ReportedProblem);
}

/** In the thread that started it. */
export function onPatternProblem(worker: Channel, notify: (problem: PatternProblem) => void): void {
  worker.receive((message) => {
    const { patternProblem } = message as Partial<ReportedProblem>;
    if (patternProblem !== undefined) notify(patternProblem);
  });
}
