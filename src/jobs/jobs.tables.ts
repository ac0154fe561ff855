// The tables of jobs, as Kysely sees them.

interface JobFailuresTable {
  job: string;
  item: string;
  reason: string;
  attempts: number;
  first_us: number;
  last_us: number;
  retry_us: number;
}

declare module "../storage/tables.ts" {
  interface Tables {
    job_failures: JobFailuresTable;
  }
}
