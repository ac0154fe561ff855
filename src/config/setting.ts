// The kit of settings: one setting is a row of data that knows its name, default, meaning and how its text is read. Operators
// know the failure texts (docs/protocol/configuration.md); sections put rows together, environment.ts reads them.
import { quoted } from "./findings.ts";

type SettingKind =
  | "text"
  | "boolean"
  | "integer"
  | "number"
  | "minutes"
  | "port"
  | "list"
  | "path"
  | "url"
  | "choice"
  | "secret";

export type Parsed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly message: string; readonly hint: string | null };

export interface Setting<Value> {
  readonly name: string;
  readonly kind: SettingKind;
  readonly default: Value;
  /** The default as documentation prints it. */
  readonly defaultText: string;
  readonly meaning: string;
  readonly unit: string | null;
  /** Never printed; also read from the file that `<name>_FILE` names. */
  readonly secret: boolean;
  /** Set but empty counts as unset; otherwise the empty text is read like any other. */
  readonly emptyIsUnset: boolean;
  /** The part that will use the value once it is built; null for a setting that works. */
  readonly waitsFor: string | null;
  readonly parse: (text: string) => Parsed<Value>;
}

/** What every kind of setting takes. */
export interface Row<Default> {
  readonly name: string;
  readonly default: Default;
  readonly meaning: string;
  readonly defaultText?: string;
  readonly unit?: string;
  readonly secret?: boolean;
  readonly emptyIsUnset?: boolean;
  readonly waitsFor?: string;
}

/** The values of a group of settings, by the same keys. */
export type Values<Settings> = {
  readonly [Key in keyof Settings]: Settings[Key] extends Setting<infer Value> ? Value : never;
};

type Settings = Readonly<Record<string, Setting<unknown>>>;

/** The settings of one feature, under a title of the documentation. */
export interface DeclaredSettings<Group extends Settings = Settings> {
  readonly title: string;
  readonly settings: Group;
}

/** What a server read of the settings of its features. */
export type ReadSettings = <Group extends Settings>(of: DeclaredSettings<Group>) => Values<Group>;

export function groupOfSettings<const Group extends Settings>(title: string, settings: Group): DeclaredSettings<Group> {
  return { title, settings };
}

export function defaultsOf<Group extends Settings>(settings: Group): Values<Group> {
  return Object.fromEntries(Object.entries(settings).map(([key, one]) => [key, one.default])) as Values<Group>;
}

export function accepted<Value>(value: Value): Parsed<Value> {
  return { ok: true, value };
}

export function refused<Value>(message: string, hint: string | null = null): Parsed<Value> {
  return { ok: false, message, hint };
}

/** A setting of any kind, from its row and the function that reads its text. */
export function setting<Value>(
  row: Row<Value>,
  kind: SettingKind,
  parse: (text: string) => Parsed<Value>,
): Setting<Value> {
  return {
    name: row.name,
    kind,
    default: row.default,
    defaultText: row.defaultText ?? (row.default === null || row.default === "" ? "" : String(row.default)),
    meaning: row.meaning,
    unit: row.unit ?? null,
    secret: row.secret ?? kind === "secret",
    emptyIsUnset: row.emptyIsUnset ?? true,
    waitsFor: row.waitsFor ?? null,
    parse,
  };
}

function invalidValue(name: string, value: string, rule: string): string {
  return `Invalid value for environment variable ${name}: ${quoted(value)}. ${rule}`;
}

export function text<Default extends string | null>(row: Row<Default>): Setting<string | Default> {
  return setting<string | Default>(row, "text", (value) =>
    value === "" ? refused(invalidValue(row.name, value, "Value must not be empty.")) : accepted(value),
  );
}

export function path<Default extends string | null>(row: Row<Default>): Setting<string | Default> {
  return { ...text(row), kind: "path" };
}

export function secret<Default extends string | null>(row: Row<Default>): Setting<string | Default> {
  return setting<string | Default>(row, "secret", accepted);
}

interface BooleanRow<Default> extends Row<Default> {
  /** The wording of the two settings whose refusal operators know in other words. */
  readonly refusal?: "as invalid value";
}

export function boolean<Default extends boolean | null>(row: BooleanRow<Default>): Setting<boolean | Default> {
  return setting<boolean | Default>({ ...row, emptyIsUnset: false }, "boolean", (value) => {
    const lower = value.toLowerCase();
    if (lower === "true" || lower === "false") return accepted(lower === "true");
    return refused(
      row.refusal === undefined
        ? `${row.name} must be set to TRUE or FALSE (case-insensitive). Got: ${quoted(value)}`
        : invalidValue(row.name, value, "Value values are 'TRUE' and 'FALSE' (case-insensitive)."),
    );
  });
}

interface NumberRow<Default> extends Row<Default> {
  /** What is wrong with a number that can be read, or null. */
  readonly check?: (value: number, name: string) => string | null;
}

const INTEGER = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

function checked<Default extends number | null>(row: NumberRow<Default>, value: number): Parsed<number | Default> {
  const problem = row.check?.(value, row.name) ?? null;
  return problem === null ? accepted(value) : refused(problem);
}

export function integer<Default extends number | null>(row: NumberRow<Default>): Setting<number | Default> {
  return setting<number | Default>({ ...row, emptyIsUnset: false }, "integer", (value) =>
    INTEGER.test(value) && Number.isSafeInteger(Number(value))
      ? checked(row, Number(value))
      : refused(invalidValue(row.name, value, "Value must be an integer.")),
  );
}

export function number<Default extends number | null>(row: NumberRow<Default>): Setting<number | Default> {
  return setting<number | Default>({ ...row, emptyIsUnset: false }, "number", (value) =>
    DECIMAL.test(value) && Number.isFinite(Number(value))
      ? checked(row, Number(value))
      : refused(invalidValue(row.name, value, "Value must be a number.")),
  );
}

/** A lifetime in minutes; fractions are allowed, zero is not. */
export function minutes<Default extends number | null>(row: Row<Default>): Setting<number | Default> {
  return { ...number({ ...row, unit: "minutes", check: positiveNumber }), kind: "minutes" };
}

export function positiveInteger(value: number, name: string): string | null {
  return value > 0 ? null : invalidValue(name, String(value), "Value must be a positive integer.");
}

export function positiveNumber(value: number, name: string): string | null {
  return value > 0 ? null : invalidValue(name, fraction(value), "Value must be a positive number.");
}

export function percentage(value: number, name: string): string | null {
  if (value >= 0 && value <= 100) return null;
  return invalidValue(name, fraction(value), "Value must be a percentage between 0 and 100.");
}

/** Numbers that may be fractions are quoted as fractions: `0.0`. */
function fraction(value: number): string {
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
}

const LARGEST_PORT = 65_535;

export function port(row: Row<number>): Setting<number> {
  return setting(row, "port", (value) => {
    if (/^tcp:\/\//.test(value)) {
      return refused(
        invalidValue(row.name, value, "Value must be an integer."),
        `Kubernetes injects such a value for a Service whose name equals the prefix of these settings; set ${row.name} to a number explicitly, or rename that Service.`,
      );
    }
    if (!/^\d+$/.test(value)) return refused(invalidValue(row.name, value, "Value must be an integer."));
    const number = Number(value);
    if (number >= 1 && number <= LARGEST_PORT) return accepted(number);
    return refused(invalidValue(row.name, value, `Value must be between 1 and ${LARGEST_PORT}.`));
  });
}

export interface ListRow extends Row<readonly string[]> {
  /** What is wrong with one entry, or null. */
  readonly check?: (entry: string) => string | null;
}

/** Comma-separated; blank entries and repetitions are left out. */
export function list(row: ListRow): Setting<readonly string[]> {
  return setting(row, "list", (value) => {
    const entries = value.split(",").map((entry) => entry.trim());
    const kept = [...new Set(entries.filter((entry) => entry !== ""))];
    for (const entry of kept) {
      const problem = row.check?.(entry) ?? null;
      if (problem !== null) return refused(problem);
    }
    return accepted(kept);
  });
}

interface ChoiceRow<Choice extends string> extends Row<Choice> {
  /** Each accepted spelling, in lower case, with the choice that it means. */
  readonly choices: Readonly<Record<string, Choice>>;
  /** How the failure text lists the choices. */
  readonly listed: string;
}

export function choice<Choice extends string>(row: ChoiceRow<Choice>): Setting<Choice> {
  return setting(row, "choice", (value) => {
    const chosen = Object.hasOwn(row.choices, value.toLowerCase()) ? row.choices[value.toLowerCase()] : undefined;
    if (chosen !== undefined) return accepted(chosen);
    return refused(
      `Invalid value \`${quoted(value)}\` for env var \`${row.name}\`. Valid values are: ${row.listed} (case-insensitive).`,
    );
  });
}
