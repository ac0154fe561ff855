// The rows of the policy that the features of the product declare, for tests of servers that are put together without features.
import { declareActions } from "../../src/access/policy.ts";
import { features } from "../../src/server/features.ts";

for (const { declares } of features) declareActions(declares.actions ?? {});
