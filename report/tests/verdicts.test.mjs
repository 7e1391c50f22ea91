/** The sentence that counts the verdicts of a reproduction. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findingsOf } from "../src/verdicts.js";

test("verdicts are counted, by their data as well", () => {
  const verdicts = [
    { verdict: "holds", basis: "the paper's data" },
    { verdict: "holds in part", basis: "stand-ins", on_paper_data: "holds" },
    { verdict: "does not hold", basis: "stand-ins" },
    { verdict: "undecided", basis: "ours" },
  ];
  assert.equal(findingsOf(verdicts),
    "Of 4 claims 1 holds, 1 holds in part, 1 does not hold and 1 is undecided. With the paper's data: holds 1. " +
    "With stand-ins: holds in part 1 and does not hold 1. Ours: undecided 1. " +
    "Of those with stand-ins 1 have panels with the paper's data; by these alone: holds 1.");
  assert.equal(findingsOf([{ verdict: "holds", basis: "ours" }]), "Of 1 claim 1 holds.");
  assert.equal(findingsOf([]), "");
});
