// Steps of a draft that can be taken back. What is typed in a row is one step.
import { type PlaygroundDraft, shapeOf } from "./playground-draft.ts";

const MOST_STEPS = 100;

export interface DraftHistory {
  readonly past: readonly PlaygroundDraft[];
  readonly now: PlaygroundDraft;
  readonly future: readonly PlaygroundDraft[];
  /** The last step was typed. */
  readonly isTyping: boolean;
}

export function historyOf(now: PlaygroundDraft): DraftHistory {
  return { past: [], now, future: [], isTyping: false };
}

export function step(history: DraftHistory, next: PlaygroundDraft): DraftHistory {
  if (next === history.now) return history;
  const isTyping = shapeOf(history.now) === shapeOf(next);
  const past = isTyping && history.isTyping ? history.past : [...history.past, history.now].slice(-MOST_STEPS);
  return { past, now: next, future: [], isTyping };
}

export function undone({ past, now, future }: DraftHistory): DraftHistory | null {
  const before = past.at(-1);
  if (before === undefined) return null;
  return { past: past.slice(0, -1), now: before, future: [now, ...future], isTyping: false };
}

export function redone({ past, now, future }: DraftHistory): DraftHistory | null {
  const [next, ...rest] = future;
  if (next === undefined) return null;
  return { past: [...past, now], now: next, future: rest, isTyping: false };
}
