// How good a retrieval was, from the scores of its documents in the order in which they were retrieved. A document is a hit with a score
// above zero. Null says "unknown": a document that the answer depends on has no score.

/** Of one span; null for documents without a score. */
export type DocumentScores = readonly (number | null)[];

/** Gains are scores, those below zero none; each counts less by the logarithm of its place. 1 is the best order of these scores. */
export function ndcg(scores: DocumentScores, given: number | null): number | null {
  if (!allKnown(scores)) return null;
  const k = given ?? scores.length;
  const gains = scores.map((score) => Math.max(score, 0));
  const best = discounted(
    gains.toSorted((a, b) => b - a),
    k,
  );
  return best === 0 ? 0 : discounted(gains, k) / best;
}

/** The share of hits among the first `k`; of all without it. */
export function precision(scores: DocumentScores, given: number | null): number | null {
  if (!allKnown(scores)) return null;
  const k = given ?? scores.length;
  return k < 1 ? 0 : scores.slice(0, k).filter(isHit).length / k;
}

/** 1 over the place of the first hit, 0 without one. */
export function reciprocalRank(scores: DocumentScores): number | null {
  const place = scores.findIndex((score) => score === null || isHit(score));
  if (place === -1) return 0;
  return scores[place] === null ? null : 1 / (place + 1);
}

/** 1 with any hit, else 0. */
export function hit(scores: DocumentScores): number | null {
  if (scores.some((score) => score !== null && isHit(score))) return 1;
  return allKnown(scores) ? 0 : null;
}

/** The mean over what is known, and how much that is. */
export function meanOf(values: readonly (number | null)[]): { readonly mean: number | null; readonly count: number } {
  const known = values.filter((value) => value !== null);
  return {
    mean: known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length,
    count: known.length,
  };
}

/** The scores of `count` documents by position. A document that several scored counts with the mean of them. */
export function documentScores(
  count: number,
  scored: readonly { readonly position: number; readonly score: number }[],
): DocumentScores {
  const byPosition = Map.groupBy(scored, ({ position }) => position);
  return Array.from({ length: count }, (_, position) =>
    meanOf((byPosition.get(position) ?? []).map(({ score }) => score)),
  ).map(({ mean }) => mean);
}

const isHit = (score: number) => score > 0;

function allKnown(scores: DocumentScores): scores is readonly number[] {
  return !scores.includes(null);
}

function discounted(gains: readonly number[], k: number): number {
  return gains.slice(0, Math.max(k, 0)).reduce((sum, gain, place) => sum + gain / Math.log2(place + 2), 0);
}
