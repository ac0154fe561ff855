// How full the database may become and how long traces are kept.
import type { Values } from "./setting.ts";
import { integer, number, percentage, positiveNumber } from "./setting.ts";

export const storageLimitSettings = {
  capacityGibibytes: number({
    name: "SERVICE_DATABASE_ALLOCATED_STORAGE_CAPACITY_GIBIBYTES",
    default: null,
    unit: "GiB",
    check: positiveNumber,
    meaning: "Size of the database that counts as 100 %.",
  }),
  blockingPercentage: number({
    name: "SERVICE_DATABASE_USAGE_INSERTION_BLOCKING_THRESHOLD_PERCENTAGE",
    default: null,
    unit: "percent",
    check: percentage,
    meaning: "Usage above which inserts and updates are refused (507); needs the capacity; 0 for never.",
  }),
  mailPercentage: number({
    name: "SERVICE_DATABASE_USAGE_EMAIL_WARNING_THRESHOLD_PERCENTAGE",
    default: null,
    unit: "percent",
    check: percentage,
    meaning:
      "Usage above which administrators are warned by mail, once a day; needs capacity and mail server; 0 for never.",
  }),
  minimumFreeBytes: integer({
    name: "SERVICE_DATABASE_MINIMUM_FREE_BYTES",
    default: 0,
    unit: "bytes",
    check: (value, name) => (value >= 0 ? null : `${name} must be non-negative`),
    meaning:
      "Free space of the disk of a SQLite file below which inserts and updates are refused (507), until there is more, and of that of the working directory below which no file of an upload is kept; 0 for never. PostgreSQL watches its own disk.",
  }),
  defaultRetentionDays: integer({
    name: "SERVICE_DEFAULT_RETENTION_POLICY_DAYS",
    default: 0,
    unit: "days",
    check: (value, name) => (value >= 0 ? null : `${name} must be non-negative`),
    meaning: "Days that traces are kept by the default policy, read when that policy is first created; 0 for ever.",
  }),
} as const;

export type StorageLimitsConfig = Values<typeof storageLimitSettings>;
