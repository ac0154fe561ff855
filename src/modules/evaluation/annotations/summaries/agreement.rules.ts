// How far people and programs agree: a matrix of annotations by people against those by programs, its share of equal pairs, and Cohen's
// kappa, which takes away what would be equal by chance.

/** A category: a label, or scores from `min` (included) to `max` (excluded, but in the last category and where both are equal). */
export type AgreementCategory =
  | { readonly label: string; readonly min: null; readonly max: null }
  | { readonly label: null; readonly min: number; readonly max: number };

/** What has both: of one span, trace or session each pair of different words counts once. */
export interface AnnotationAgreement {
  readonly name: string;
  readonly categories: readonly AgreementCategory[];
  /** Indexes of categories; pairs that never occur are left out. */
  readonly cells: readonly { readonly people: number; readonly programs: number; readonly count: number }[];
  readonly pairCount: number;
  readonly agreedCount: number;
  /** Of labels that are too many for the matrix. */
  readonly omittedPairCount: number;
  /** Null where all say the same, so that chance explains everything, and where there are too many different labels. */
  readonly kappa: number | null;
}

/** Pairs of one name by the value from people and the value from programs, most frequent first. */
export interface Tally<Category> {
  readonly pairs: readonly { readonly people: Category; readonly programs: Category; readonly count: number }[];
  readonly pairCount: number;
  readonly agreedCount: number;
  /** All different pairs are in `pairs`. */
  readonly complete: boolean;
}

/** Rows and columns of a matrix that can be read. */
const MOST_CATEGORIES = 12;

/** The most frequent labels, sorted by name. */
export function agreementOfLabels(name: string, tally: Tally<string>): AnnotationAgreement {
  const uses = new Map<string, number>();
  for (const { people, programs, count } of tally.pairs)
    for (const label of [people, programs]) uses.set(label, (uses.get(label) ?? 0) + count);
  const most = [...uses].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).slice(0, MOST_CATEGORIES);
  const labels = most.map(([label]) => label).sort();
  const categories = labels.map((label) => ({ label, min: null, max: null }));
  return agreementOf(name, categories, tally, (label) => labels.indexOf(label));
}

/** Of scores in bins; of whole numbers a bin may be a single one. */
export function agreementOfScores(
  name: string,
  { edges, whole }: { readonly edges: readonly number[]; readonly whole: boolean },
  tally: Tally<number>,
): AnnotationAgreement {
  const categories = edges.slice(1).map((max, at) => {
    const min = edges[at]!;
    return { label: null, min, max: whole && max - min === 1 ? min : max };
  });
  return agreementOf(name, categories, tally, (bin) => bin);
}

function agreementOf<Category>(
  name: string,
  categories: readonly AgreementCategory[],
  tally: Tally<Category>,
  indexOf: (category: Category) => number,
): AnnotationAgreement {
  const { pairs, pairCount, agreedCount, complete } = tally;
  const cells = pairs
    .map(({ people, programs, count }) => ({ people: indexOf(people), programs: indexOf(programs), count }))
    .filter(({ people, programs }) => people >= 0 && programs >= 0);
  const shown = cells.reduce((sum, { count }) => sum + count, 0);
  const kappa = complete ? kappaOf(tally) : null;
  return { name, categories, cells, pairCount, agreedCount, omittedPairCount: pairCount - shown, kappa };
}

function kappaOf<Category>({ pairs, pairCount, agreedCount }: Tally<Category>): number | null {
  const [people, programs] = [new Map<Category, number>(), new Map<Category, number>()];
  for (const pair of pairs) {
    people.set(pair.people, (people.get(pair.people) ?? 0) + pair.count);
    programs.set(pair.programs, (programs.get(pair.programs) ?? 0) + pair.count);
  }
  // Both as counts times pairs, so that "all by chance" is exact.
  const all = pairCount * pairCount;
  const byChance = [...people].reduce((sum, [category, count]) => sum + count * (programs.get(category) ?? 0), 0);
  return byChance === all ? null : (agreedCount * pairCount - byChance) / (all - byChance);
}
