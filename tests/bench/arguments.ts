// The command line of a benchmark: `--name value`, or `--name` for a switch, against a list of defaults.

export interface Option {
  readonly default: string | number | boolean;
  readonly meaning: string;
  readonly choices?: readonly string[];
}

type Values<Options extends Record<string, Option>> = {
  readonly [Name in keyof Options]: Options[Name] extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : Options[Name]["default"] extends number
      ? number
      : Options[Name]["default"] extends boolean
        ? boolean
        : string;
};

/** Reads the arguments of this process; prints the usage and ends it for `--help` and for mistakes. */
export function readArguments<const Options extends Record<string, Option>>(options: Options): Values<Options> {
  const values: Record<string, string | number | boolean> = {};
  for (const [name, option] of Object.entries(options)) values[name] = option.default;
  const words = process.argv.slice(2);
  for (let at = 0; at < words.length; at++) {
    const name = words[at]!.replace(/^--/, "");
    const option = options[name];
    if (name === "help") endWithUsage(options, null);
    if (!words[at]!.startsWith("--") || option === undefined) endWithUsage(options, `Unknown argument ${words[at]}`);
    else if (typeof option.default === "boolean") values[name] = true;
    else values[name] = readValue(options, name, option, words[++at]);
  }
  return values as Values<Options>;
}

function readValue(options: Record<string, Option>, name: string, option: Option, word = ""): string | number {
  if (word === "") return endWithUsage(options, `--${name} needs a value`);
  if (option.choices?.includes(word) === false) {
    return endWithUsage(options, `--${name} is one of ${option.choices.join(", ")}`);
  }
  if (typeof option.default !== "number") return word;
  const number = Number(word.replaceAll("_", ""));
  return number >= 0 ? number : endWithUsage(options, `--${name} is a number`);
}

function endWithUsage(options: Record<string, Option>, mistake: string | null): never {
  if (mistake !== null) console.error(`${mistake}\n`);
  for (const [name, option] of Object.entries(options)) {
    const value = option.choices?.join("|") ?? (typeof option.default === "boolean" ? "" : typeof option.default);
    const fallback = option.default === false || option.default === "" ? "" : ` (default ${option.default})`;
    console.error(`  ${`--${name} ${value}`.padEnd(40)}${option.meaning}${fallback}`);
  }
  process.exit(mistake === null ? 0 : 2);
}

/** What every benchmark of a running service takes. */
export const sharedOptions = {
  binary: { default: "", meaning: "path of the compiled service; from source without it" },
  directory: {
    default: "",
    meaning: "where databases are made and kept for the next run; a folder of the system's temporary ones without it",
  },
  fresh: { default: false, meaning: "make the stored spans again instead of taking those of an earlier run" },
} as const satisfies Record<string, Option>;

/** The same of those that begin with a stored database. */
export const storedOptions = {
  driver: { default: "sqlite", choices: ["sqlite", "postgres"], meaning: "database" },
  ...sharedOptions,
} as const satisfies Record<string, Option>;
