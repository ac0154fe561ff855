// The rows of evaluators. Of built-in ones only the name is stored: what they take and give is known to the program.
import { type Selectable, type SqlBool, sql } from "kysely";
import { mapPage, type PlacedPage, type SortedRequest } from "../../../kernel/list.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import { type ListOrder, readPage, textOrder } from "../../../storage/list.ts";
import type { CallContext, ReadClass } from "../../../storage/storage.ts";
import { builtInEvaluators } from "./built-in/built-in-evaluators.rules.ts";
import type { BuiltInEvaluatorKey, Evaluator, EvaluatorSort, LlmEvaluator } from "./evaluators.schema.ts";
import type { EvaluatorsTable } from "./evaluators.tables.ts";
import { outputsOfText, textOfOutputs } from "./output-configs.rules.ts";

type NewLlmEvaluator = Omit<LlmEvaluator, "id" | "kind" | "updatedUs">;
type LlmEvaluatorChanges = Omit<NewLlmEvaluator, "userId" | "createdUs"> & { readonly updatedUs: number };

export type EvaluatorsStore = ReturnType<typeof createEvaluatorsStore>;

/** By a column of evaluators or of their links, then by row id. */
export function evaluatorOrder(
  { sort, order }: Pick<SortedRequest<EvaluatorSort>, "sort" | "order">,
  { names, times }: { readonly names: string; readonly times: string },
): ListOrder {
  const rowId = sql.ref<number>(`${times}.id`);
  switch (sort) {
    case "name":
      return textOrder(sql.ref<string>(`${names}.name`), rowId, order);
    case "kind":
      return textOrder(sql.ref<string>("evaluators.kind"), rowId, order);
    default:
      return { value: sql.ref<number>(`${times}.${sort}`), rowId, direction: order, nullable: false };
  }
}

export function createEvaluatorsStore(dialect: Dialect) {
  const evaluators = (context: CallContext, readClass: ReadClass = "short") =>
    context.database.read(context, readClass).selectFrom("evaluators").selectAll("evaluators");

  /** Built-in evaluators that this program knows are listed where a dataset uses them. */
  const isListed = sql<SqlBool>`(evaluators.kind = 'LLM' or (
    ${dialect.inList(sql.ref("evaluators.name"), [...builtInEvaluators.keys()])}
    and exists (select 1 from dataset_evaluators as links
      where links.evaluator_id = evaluators.id and links.deletion_began_us is null)))`;

  return {
    /** LLM evaluators, and built-in ones that a dataset uses. `nameContains`, in any letter case, may also be in the name of a link. */
    async list(
      context: CallContext,
      nameContains: string,
      request: SortedRequest<EvaluatorSort>,
    ): Promise<PlacedPage<Evaluator>> {
      let query = evaluators(context, nameContains === "" ? "short" : "slow").where(isListed);
      if (nameContains !== "") {
        query = query.where((eb) =>
          eb.or([
            dialect.containsIgnoringCase(sql.ref("evaluators.name"), nameContains),
            eb.exists(
              eb
                .selectFrom("dataset_evaluators as links")
                .select("links.id")
                .whereRef("links.evaluator_id", "=", "evaluators.id")
                .where("links.deletion_began_us", "is", null)
                .where(dialect.containsIgnoringCase(sql.ref("links.name"), nameContains)),
            ),
          ]),
        );
      }
      const order = evaluatorOrder(request, { names: "evaluators", times: "evaluators" });
      return mapPage(await readPage(query, order, request), (row) => evaluatorOfRow(row)[0]!);
    },

    async count(context: CallContext): Promise<number> {
      const row = await context.database
        .read(context, "short")
        .selectFrom("evaluators")
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .where(isListed)
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },

    /** By name. */
    async listBuiltIn(context: CallContext): Promise<Evaluator[]> {
      const rows = await evaluators(context).where("kind", "=", "BUILTIN").orderBy("name").execute();
      return rows.flatMap(evaluatorOfRow);
    },

    async findAll(context: CallContext, ids: readonly number[]): Promise<Evaluator[]> {
      const rows = await evaluators(context)
        .where(dialect.inList(sql.ref("evaluators.id"), ids))
        .execute();
      return rows.flatMap(evaluatorOfRow);
    },

    /** Null when the name is taken. */
    async insertLlm(context: CallContext, evaluator: NewLlmEvaluator): Promise<number | null> {
      const row = await context.database
        .write(context)
        .insertInto("evaluators")
        .values({
          ...llmColumns(evaluator),
          kind: "LLM",
          user_id: evaluator.userId,
          created_us: evaluator.createdUs,
          updated_us: evaluator.createdUs,
        })
        .onConflict((conflict) => conflict.column("name").doNothing())
        .returning("id")
        .executeTakeFirst();
      return row?.id ?? null;
    },

    /** Of the name only what is free: taken, the evaluator keeps the one that it has. */
    async updateLlm(context: CallContext, id: number, { name, ...changes }: LlmEvaluatorChanges): Promise<void> {
      const isFree = sql`not exists (select 1 from evaluators as others where others.name = ${name} and others.id <> ${id})`;
      await context.database
        .write(context)
        .updateTable("evaluators")
        .set({
          ...llmColumns({ ...changes, name }),
          name: sql<string>`case when ${isFree} then ${name} else evaluators.name end`,
          updated_us: changes.updatedUs,
        })
        .where("id", "=", id)
        .execute();
    },

    /** Lets changes of an evaluator come one after the other, to the end of the transaction. Null when it is gone. */
    async lock(context: CallContext, id: number): Promise<Evaluator | null> {
      const query = context.database.write(context).selectFrom("evaluators").selectAll().where("id", "=", id);
      // SQLite has one writer anyway.
      const row = await (dialect.name === "sqlite" ? query : query.forUpdate()).executeTakeFirst();
      return row === undefined ? null : (evaluatorOfRow(row)[0] ?? null);
    },

    /** False when a dataset still uses it. */
    async removeUnused(context: CallContext, id: number): Promise<boolean> {
      const { numDeletedRows } = await context.database
        .write(context)
        .deleteFrom("evaluators")
        .where("id", "=", id)
        .where("kind", "=", "LLM")
        .where(sql<SqlBool>`not exists (select 1 from dataset_evaluators as links where links.evaluator_id = ${id})`)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}

function llmColumns({
  name,
  description,
  outputs,
  promptId,
  promptTagId,
  madePrompt,
}: Omit<NewLlmEvaluator, "userId" | "createdUs">) {
  return {
    name,
    description,
    outputs: textOfOutputs(outputs),
    prompt_id: promptId,
    prompt_tag_id: promptTagId,
    made_prompt: madePrompt ? 1 : 0,
  };
}

/** Empty for a built-in evaluator of a newer version of the program. */
function evaluatorOfRow(row: Selectable<EvaluatorsTable>): [Evaluator] | [] {
  const common = { id: row.id, userId: row.user_id, createdUs: row.created_us, updatedUs: row.updated_us };
  if (row.kind === "LLM") {
    return [
      {
        ...common,
        kind: "LLM",
        name: row.name,
        description: row.description,
        outputs: outputsOfText(row.outputs!),
        promptId: row.prompt_id!,
        promptTagId: row.prompt_tag_id,
        madePrompt: row.made_prompt === 1,
      },
    ];
  }
  const known = builtInEvaluators.get(row.name as BuiltInEvaluatorKey);
  if (known === undefined) return [];
  const { key, description, output } = known;
  return [{ ...common, kind: "BUILTIN", name: key, description, outputs: [output] }];
}
