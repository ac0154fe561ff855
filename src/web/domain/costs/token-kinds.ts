// Kinds of tokens by which costs are split: their names and hues, the same in every split and chart.
import { text } from "../../texts/texts.ts";

interface TokenKind {
  readonly tokenType: string;
  /** Of the prompt, else of the completion. */
  readonly isPrompt: boolean;
}

const prompt: Readonly<Record<string, readonly [word: () => string, hue: string]>> = {
  input: [() => text("costs.kind.input"), "--kind-prompt"],
  cache_read: [() => text("costs.kind.cache_read"), "--kind-retriever"],
  cache_write: [() => text("costs.kind.cache_write"), "--kind-tool"],
  audio: [() => text("costs.kind.audio.in"), "--kind-embedding"],
};
const completion: typeof prompt = {
  output: [() => text("costs.kind.output"), "--kind-llm"],
  reasoning: [() => text("costs.kind.reasoning"), "--kind-evaluator"],
  audio: [() => text("costs.kind.audio.out"), "--kind-reranker"],
};

/** A kind that only its sender knows has the word of the sender. */
export function tokenKindWord({ tokenType, isPrompt }: TokenKind): string {
  const known = knownKind({ tokenType, isPrompt });
  if (known !== undefined) return known[0]();
  return text(isPrompt ? "costs.kind.other.in" : "costs.kind.other.out", { kind: tokenType });
}

/** Name of a colour. */
export function tokenKindHue(kind: TokenKind): string {
  return knownKind(kind)?.[1] ?? "--kind-unknown";
}

/** Order of kinds: what goes in before what comes out, the plain before the special. */
export function tokenKindPlace({ tokenType, isPrompt }: TokenKind): number {
  const at = Object.keys(isPrompt ? prompt : completion).indexOf(tokenType);
  return (isPrompt ? 0 : 100) + (at < 0 ? 99 : at);
}

function knownKind({ tokenType, isPrompt }: TokenKind) {
  const kinds = isPrompt ? prompt : completion;
  return Object.hasOwn(kinds, tokenType) ? kinds[tokenType] : undefined;
}
