// Annotations of people and of programs on the same spans, traces or sessions, counted in pairs. It may read every annotation: slow reads.
import { type RawBuilder, sql } from "kysely";
import type { Settled } from "../../../../filter/settled.ts";
import { evenEdges } from "../../../../kernel/histogram.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import { numberBin } from "../../../../storage/number-bin.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { TargetKind } from "../annotation-targets.rules.ts";
import { type AnnotationAgreement, agreementOfLabels, agreementOfScores, type Tally } from "./agreement.rules.ts";

/** Bins of scores: so few that neighbours mean different things. */
const MOST_BINS = 5;
/** Different pairs of labels of one name that are read. */
const MOST_PAIRS = 400;
/** Above it every number is whole. */
const WHOLE_ABOVE = 1e15;

export interface AgreementScope {
  readonly startUs: number;
  readonly endUs: number;
  /** Null for all names. */
  readonly name: string | null;
}

interface NameRow {
  readonly name: string;
  /** Pairs that both have a label. */
  readonly labelled: number;
  readonly people_least: number | null;
  readonly people_most: number | null;
  readonly programs_least: number | null;
  readonly programs_most: number | null;
  /** Scores that are no whole numbers. */
  readonly broken: number;
}

interface PairRow<Category> {
  readonly name: string;
  readonly people: Category;
  readonly programs: Category;
  readonly pairs: number;
  readonly all_pairs: number;
  readonly agreed: number;
  readonly combinations: number;
}

export type AgreementStore = ReturnType<typeof createAgreementStore>;

export function createAgreementStore(dialect: Dialect) {
  const isWhole = (score: RawBuilder<unknown>) => sql`case when abs(${score}) >= ${sql.lit(WHOLE_ABOVE)} then 1
    else case when cast(${score} as bigint) = ${score} then 1 else 0 end end`;

  return {
    /** Of what starts in the range: the names with most pairs, those first. Labels are compared where both have some, else scores. */
    async list(
      context: CallContext,
      kind: TargetKind,
      projectId: number,
      { startUs, endUs, name }: Settled<AgreementScope>,
      limit: number,
    ): Promise<AnnotationAgreement[]> {
      const database = context.database.read(context, "slow");
      // Nothing but the annotations may choose the way: they are fewer than the spans.
      const project = dialect.withoutIndex(sql.ref(`${kind.owners}.project_id`));
      const start = sql.ref(`${kind.owners}.start_us`);
      const column = sql.ref(kind.column);
      const both = sql`${sql.table(kind.table)} people join ${sql.table(kind.table)} programs
          on programs.${column} = people.${column} and programs.name = people.name
        join ${sql.table(kind.owners)} on ${sql.ref(`${kind.owners}.id`)} = people.${column}
        where people.annotator_kind = 'HUMAN' and programs.annotator_kind <> 'HUMAN' and ${project} = ${projectId}
          and ${start} >= ${startUs} and ${start} < ${endUs}
          ${name === null ? sql`` : sql`and people.name = ${name}`}`;
      const labelled = sql`people.label is not null and programs.label is not null`;
      const scored = sql`people.score is not null and programs.score is not null`;
      const ofScored = (value: RawBuilder<unknown>) => sql`case when ${scored} then ${value} end`;
      const { rows: names } = await sql<NameRow>`
        select people.name as name, sum(case when ${labelled} then 1 else 0 end) as labelled,
          min(${ofScored(sql`people.score`)}) as people_least, max(${ofScored(sql`people.score`)}) as people_most,
          min(${ofScored(sql`programs.score`)}) as programs_least, max(${ofScored(sql`programs.score`)}) as programs_most,
          sum(${ofScored(sql`2 - (${isWhole(sql`people.score`)}) - (${isWhole(sql`programs.score`)})`)}) as broken
        from ${both} and ((${labelled}) or (${scored}))
        group by people.name order by count(*) desc, people.name limit ${limit}`.execute(database);

      const tallies = async <Category>(
        among: readonly string[],
        compared: RawBuilder<unknown>,
        categoryOf: (by: "people" | "programs") => RawBuilder<unknown>,
        read: (value: unknown) => Category,
      ): Promise<Map<string, Tally<Category>>> => {
        if (among.length === 0) return new Map();
        const { rows } = await sql<PairRow<unknown>>`
          select name, people, programs, pairs, all_pairs, agreed, combinations from (
            select name, people, programs, pairs, sum(pairs) over (partition by name) as all_pairs,
              sum(case when people = programs then pairs else 0 end) over (partition by name) as agreed,
              count(*) over (partition by name) as combinations,
              row_number() over (partition by name order by pairs desc, people, programs) as place
            from (select name, people, programs, count(*) as pairs from (
              select distinct people.name as name, people.${column} as owner, ${categoryOf("people")} as people, ${categoryOf("programs")} as programs
              from ${both} and ${compared} and ${dialect.inList(sql.ref("people.name"), among)}) compared
            group by name, people, programs) counted) ordered
          where place <= ${MOST_PAIRS} order by name, place`.execute(database);
        const byName = Map.groupBy(rows, (row) => row.name);
        return new Map(
          [...byName].map(([each, pairs]) => [
            each,
            {
              pairs: pairs.map(({ people, programs, pairs: count }) => {
                return { people: read(people), programs: read(programs), count: Number(count) };
              }),
              pairCount: Number(pairs[0]!.all_pairs),
              agreedCount: Number(pairs[0]!.agreed),
              complete: Number(pairs[0]!.combinations) <= MOST_PAIRS,
            },
          ]),
        );
      };
      const edged = names.flatMap((row) => {
        if (Number(row.labelled) > 0) return [];
        const whole = Number(row.broken) === 0;
        const least = Math.min(row.people_least!, row.programs_least!);
        const most = Math.max(row.people_most!, row.programs_most!);
        // A bin of whole numbers ends before the next one.
        return [{ name: row.name, whole, edges: evenEdges(least, whole ? most + 1 : most, MOST_BINS, whole) }];
      });
      const bin = (by: "people" | "programs") => {
        const cases = edged.map((each) => {
          return sql`when people.name = ${each.name} then ${numberBin(sql.ref(`${by}.score`), each.edges.slice(1, -1))}`;
        });
        return sql`case ${sql.join(cases, sql` `)} end`;
      };
      const ofLabels = names.filter((row) => Number(row.labelled) > 0).map((row) => row.name);
      const labels = await tallies(ofLabels, labelled, (by) => sql.ref(`${by}.label`), String);
      const scores = await tallies(
        edged.map((each) => each.name),
        scored,
        bin,
        Number,
      );
      return names.flatMap((row) => {
        const [ofLabel, ofScore] = [labels.get(row.name), scores.get(row.name)];
        if (ofLabel !== undefined) return [agreementOfLabels(row.name, ofLabel)];
        const bins = edged.find((each) => each.name === row.name);
        return ofScore === undefined || bins === undefined ? [] : [agreementOfScores(row.name, bins, ofScore)];
      });
    },
  };
}
