// The scalar of schedules.
declare module "../../../graphql/builder.ts" {
  interface Scalars {
    CronExpression: { Input: string; Output: string };
  }
}

export const cronScalar = {
  name: "CronExpression",
  description: "Five fields of cron in UTC: `0 hour * * weekday`.",
  serialize: (value: unknown) => String(value),
  parseValue: (value: unknown) => String(value),
};
