// What can be wrong with a retention policy.
import { fail } from "../../../kernel/failure.ts";

export const policyNotFound = (id: string) =>
  fail("retention.not_found", "not_found", `Retention policy with ID ${id} not found`);

export const notAPolicyId = (id: string) =>
  fail("retention.not_an_id", "invalid", `Invalid retention policy ID: ${id}`);

export const policyRefused = (field: string, problem: string) =>
  fail("retention.refused", "invalid", `${field}: ${problem}`);

export const defaultPolicyKeepsItsName = () =>
  fail("retention.default_name", "invalid", "name: the default policy keeps its name");

export const defaultPolicyStays = () =>
  fail("retention.default_stays", "invalid", "The default policy cannot be deleted");
