// Under CI every run tests the same generated cases, so that what it says depends on the change alone; elsewhere each run tries
// others. SPANLIGHT_TEST_SEED repeats a run.
import fc from "fast-check";

const IN_CONTINUOUS_INTEGRATION = 20_261_122;

const given = process.env.SPANLIGHT_TEST_SEED;
if (given !== undefined) fc.configureGlobal({ seed: Number(given) });
else if (process.env.CI) fc.configureGlobal({ seed: IN_CONTINUOUS_INTEGRATION });
