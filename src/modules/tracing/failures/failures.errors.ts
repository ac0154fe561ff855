// Failures of groups of failures.
import { fail } from "../../../kernel/failure.ts";
import { globalId } from "../../../kernel/ids.ts";
import { FAILURE_GROUP } from "./failures.schema.ts";

export const failureGroupNotFound = (identifier: string) =>
  fail("failures.not_found", "not_found", `No failure group of the project has the identifier ${identifier}`);

export const failureGroupGone = (id: number) =>
  fail("failures.not_found", "not_found", `No failure group has the identifier ${globalId(FAILURE_GROUP, id)}`);

export const trendTooFine = (most: number) =>
  fail("failures.trend_too_fine", "invalid", `timeRange: a trend has at most ${most} intervals`);

export const versionWithoutResolution = () =>
  fail("failures.version", "invalid", "resolved_version: only a resolved group has the version that resolves it");

export const notToBeMerged = (id: number) =>
  fail(
    "failures.merge",
    "invalid",
    `failure_group_identifiers: ${globalId(FAILURE_GROUP, id)} is the group itself, or one of another project`,
  );

export const splitOfName = (key: string) =>
  fail("failures.split", "invalid", `fingerprint: the group is called by ${key}; split the others off`);

export const noSuchFingerprint = (fingerprint: string) =>
  fail("failures.split", "invalid", `fingerprint: ${fingerprint} is not one of the group`);

export const alreadySplit = (attribute: string, value: string) =>
  fail(
    "failures.split_again",
    "conflict",
    `Spans whose ${attribute} is ${JSON.stringify(value)} were split off before`,
  );

export const splitOfNothing = () =>
  fail("failures.split", "invalid", "Either fingerprint, or attribute and value must be given");
