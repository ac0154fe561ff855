// Where the text of a setting comes from: the variable itself or, for secrets, the file its `_FILE` twin names. Problems
// are gathered, never thrown; a setting that could not be read has its default, so that reading goes on.
import { messageOf } from "../kernel/failure.ts";
import type { Findings } from "./findings.ts";
import type { Setting, Values } from "./setting.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

/** The few things settings ask of the file system; each throws what the system says. */
export interface FileAccess {
  isFile(path: string): boolean;
  readText(path: string): string;
  /** Creates missing parents; a directory that exists is fine. */
  makeDirectory(path: string): void;
}

/** The variable whose value is the path of a file that holds a secret. */
export function twinName(name: string): string {
  return `${name}_FILE`;
}

export class Environment {
  constructor(
    readonly variables: Variables,
    readonly files: FileAccess,
    readonly findings: Findings,
  ) {}

  /** Whether the setting was given, by variable or file. */
  has(setting: Setting<unknown>): boolean {
    return this.#given(setting) !== undefined || (setting.secret && this.#twin(setting) !== undefined);
  }

  read<Value>(setting: Setting<Value>): Value {
    const text = this.#text(setting);
    if (text === null) return setting.default;
    if (setting.waitsFor !== null) {
      this.findings.warning(setting.name, `has no effect yet: ${setting.waitsFor} is not built.`);
    }
    const parsed = setting.parse(text);
    if (parsed.ok) return parsed.value;
    this.findings.problem(setting.name, parsed.message, parsed.hint);
    return setting.default;
  }

  readAll<Settings extends Readonly<Record<string, Setting<unknown>>>>(settings: Settings): Values<Settings> {
    const values = Object.entries(settings).map(([key, setting]) => [key, this.read(setting)]);
    return Object.fromEntries(values) as Values<Settings>;
  }

  #given(setting: Setting<unknown>): string | undefined {
    const raw = this.variables[setting.name];
    // A URL with a password is taken as it is; every other text loses the white space around it.
    const text = setting.kind === "url" && setting.secret ? raw : raw?.trim();
    return text === "" && setting.emptyIsUnset ? undefined : text;
  }

  #twin(setting: Setting<unknown>): string | undefined {
    return this.variables[twinName(setting.name)]?.trim() || undefined;
  }

  #text(setting: Setting<unknown>): string | null {
    const given = this.#given(setting);
    const twin = setting.secret ? this.#twin(setting) : undefined;
    if (twin === undefined) return given ?? null;
    const twinVariable = twinName(setting.name);
    if (given !== undefined) {
      this.findings.problem(setting.name, `Both ${setting.name} and ${twinVariable} are set.`, "Set only one of them.");
      return null;
    }
    try {
      const content = this.files.readText(twin).replace(/\r?\n$/, "");
      return content === "" && setting.emptyIsUnset ? null : content;
    } catch (error) {
      this.findings.problem(twinVariable, `file is not readable: ${twin} (${messageOf(error)})`);
      return null;
    }
  }
}
