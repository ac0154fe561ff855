// Why a job cannot be made, started or stopped.
import { UNITS_PER_USD } from "../../../costs/price-list.ts";
import { fail } from "../../../kernel/failure.ts";

export const onlyChatPrompts = () =>
  fail("experiment_jobs.no_chat", "invalid", "promptVersion: only prompts that are chats can be run");

/** Amounts are 10^-12 USD, or tokens. */
export const limitReached = (what: "cost" | "tokens", spent: number, most: number, limit: number) => {
  const text = (amount: number) => (what === "cost" ? usd(amount) : `${amount} tokens`);
  return fail(
    "experiment_jobs.limit_reached",
    "rate_limited",
    `The limit of ${text(limit)} is reached: ${text(spent)} are spent, and the next call may take up to ${text(most)}`,
  );
};

/** With as many digits as small amounts need. */
function usd(units: number): string {
  const amount = units / UNITS_PER_USD;
  return `${Number(amount.toPrecision(amount < 1 ? 3 : 6))} USD`;
}

export const countRefused = (name: string, most: number, value: number) =>
  fail("experiment_jobs.count_refused", "invalid", `${name}: must be from 1 to ${most}, not ${value}`);

export const nodeOfOther = (expected: string, found: string | null, id: string) =>
  fail(
    "experiment_jobs.wrong_node",
    "invalid",
    found === null
      ? `${id} is not the id of a ${expected}`
      : `The node id must correspond to a node of type ${expected}, but instead corresponds to a node of type: ${found} (${id})`,
  );

export const jobDatasetNotFound = (rowId: number) =>
  fail("experiment_jobs.dataset_not_found", "not_found", `Could not find dataset with ID ${rowId}`);

export const jobVersionNotFound = (rowId: number) =>
  fail("experiment_jobs.version_not_found", "not_found", `Could not find dataset version with ID ${rowId}`);

export const noVersions = (rowId: number) =>
  fail("experiment_jobs.no_versions", "not_found", `No versions found for dataset with ID ${rowId}`);

export const noExamples = () =>
  fail("experiment_jobs.no_examples", "not_found", "No examples found for the given dataset and version");

export const tooManyJobs = (most: number) =>
  fail("experiment_jobs.too_many", "rate_limited", `This server runs ${most} experiments already: stop one, or wait`, {
    retryAfterSeconds: 10,
  });

export const jobNotFound = (id: string) =>
  fail("experiment_jobs.not_found", "not_found", `Experiment ${id} not found: the server runs no job for it`);

export const inCooldown = (id: string) =>
  fail(
    "experiment_jobs.cooldown",
    "conflict",
    `Experiment ${id} is still in cooldown: try again some seconds after it was stopped or resumed`,
  );

export const noPriceForLimit = (model: string) =>
  fail(
    "experiment_jobs.no_price",
    "invalid",
    `max_cost: the model ${JSON.stringify(model)} has no price, so that money cannot be limited: enter what its tokens cost among the models`,
  );

export const customProviderDeleted = () =>
  fail(
    "experiment_jobs.provider_deleted",
    "invalid",
    "The custom provider of this experiment was deleted (custom provider deleted): start a new one with another provider",
  );

/** Shown with the job. */
export const credentialsNeeded =
  "credentials needed: the keys or headers came with the request and are not stored; resume it with credentials";
