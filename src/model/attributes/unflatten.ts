// Builds the nested attributes of a span from its dotted keys (docs/protocol/ingestion.md#unflattening). Work and
// memory grow with the length of the keys only, also for hostile ones.
import { emptyObject, type Json, type JsonObject } from "../../kernel/json.ts";
import { keyPath, wholeKey } from "./key-path.ts";

/** Segments that one tree cuts; further keys stay whole, so that a flood of dots cannot fill the memory. */
const MAX_SEGMENTS = 500_000;
/** From this many children on they are looked up in a map. */
const MANY_CHILDREN = 16;

const NO_BRANCHES: Branch[] = [];

/** One segment on the way to values. */
class Branch {
  value: Json | undefined = undefined;
  /** Whether the value came under a key that spells the path exactly. */
  isExact = false;
  branches = NO_BRANCHES;
  byName: Map<string, Branch> | null = null;
  /** Set when a position with something below it was put here. */
  hasPositions = false;

  constructor(
    readonly name: string,
    readonly isDigits: boolean,
  ) {}

  child(name: string, isDigits: boolean): Branch {
    const { branches } = this;
    if (this.byName !== null) {
      const known = this.byName.get(name);
      if (known !== undefined) return known;
    } else {
      // Keys arrive grouped by prefix: the newest child is the likely one.
      for (let i = branches.length - 1; i >= 0; i -= 1) if (branches[i]!.name === name) return branches[i]!;
    }
    const branch = new Branch(name, isDigits);
    if (branches === NO_BRANCHES) this.branches = [branch];
    else branches.push(branch);
    if (this.byName !== null) this.byName.set(name, branch);
    else if (branches.length >= MANY_CHILDREN) this.byName = new Map(branches.map((each) => [each.name, each]));
    return branch;
  }

  /** An element of a list: a number with something below it and no value of its own. */
  get isPosition(): boolean {
    return this.isDigits && this.branches.length > 0 && this.value === undefined;
  }
}

export class AttributeTree {
  private readonly root = new Branch("", false);
  private segments = 0;

  /** Adds a pair. Null adds nothing; of two pairs with the same path the later wins, unless only the earlier
   *  spells it without empty segments; objects and lists are values. */
  add(key: string, value: Json): void {
    if (value === null) return;
    const { names, digits, skipsEmpty } = this.segments > MAX_SEGMENTS ? wholeKey(key) : keyPath(key);
    const last = names.length - 1;
    this.segments += names.length;
    let branch = this.root;
    for (let i = 0; i <= last; i += 1) {
      const isDigits = digits[i]!;
      if (isDigits && i < last) branch.hasPositions = true;
      branch = branch.child(names[i]!, isDigits);
    }
    if (skipsEmpty && branch.isExact) return;
    branch.value = value;
    branch.isExact = !skipsEmpty;
  }

  toObject(): JsonObject {
    return members(this.root);
  }
}

/** Nested attributes of flat pairs. */
export function unflatten(pairs: Iterable<readonly [string, Json]>): JsonObject {
  const tree = new AttributeTree();
  for (const [key, value] of pairs) tree.add(key, value);
  return tree.toObject();
}

/** The children as members of an object, also numbers: only what has a name above it can be a list. */
function members(branch: Branch): JsonObject {
  const object = emptyObject();
  for (const child of branch.branches) place(object, child.name, child);
  return object;
}

/** Puts a branch under a key; what cannot be nested below it becomes siblings with dots. */
function place(object: JsonObject, key: string, branch: Branch): void {
  if (branch.value !== undefined) {
    object[key] = branch.value;
    for (const child of branch.branches) place(object, `${key}.${child.name}`, child);
    return;
  }
  const positions = branch.hasPositions ? branch.branches.filter((child) => child.isPosition) : NO_BRANCHES;
  if (positions.length === 0) {
    object[key] = members(branch);
    return;
  }
  object[key] = positions.sort(byPosition).map(members);
  if (positions.length === branch.branches.length) return;
  for (const child of branch.branches) if (!child.isPosition) place(object, `${key}.${child.name}`, child);
}

/** Ascending numbers of any size: without leading zeros the longer is the larger. */
function byPosition(a: Branch, b: Branch): number {
  return a.name.length - b.name.length || (a.name < b.name ? -1 : 1);
}
