// The page of a cross-validation in a browser. tests/cli/page writes it, by `tune --report` with two losses, two metrics and
// a calibration (tune).
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { downloaded, inkOf, launch, linesIn, visiting } from "./browser.mjs";
import { colour } from "../src/palette.js";
import { parseLines } from "../src/lines.js";
import { significant } from "../src/format.js";

const linesOf = () => parseLines(linesIn("tune.html"));

let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());
const shown = (name, visit, options = {}) => test(name, () => visiting(browser, "tune.html", options, visit));

test("the file has the lines of the cross-validation, of the calibration and of the fit", () => {
  const { tune, calibration, runs, damaged } = linesOf();
  assert.equal(damaged, 0);
  assert.equal(tune.candidates.length, 6);
  assert.deepEqual(tune.metrics.map(({ name }) => name), ["accuracy", "auc"]);
  assert.equal(calibration.method, "sigmoid");
  assert.equal(runs.length, 1);
});

shown("the curve is drawn, the table has every candidate, and the chosen one is marked", async (page) => {
  const { tune } = linesOf();
  const part = page.locator("#tuning");
  assert.equal(await part.locator(".stage").count(), 1);
  for (const slot of [0, 1]) assert.ok((await inkOf(page, colour({ slot, shade: 0 }, "light"), 0)) > 20, `loss ${slot}`);
  assert.equal(await part.locator("tbody tr").count(), tune.candidates.length);
  const chosen = tune.candidates[tune.chosen];
  const row = part.locator("tbody tr", { hasText: "chosen" });
  assert.equal(await row.count(), 1);
  assert.ok((await row.innerText()).includes(significant(chosen.metrics.accuracy.mean, 5)));
  const { content } = await downloaded(page, part.locator("[data-format=CSV]"));
  assert.ok(content.includes("logistic") && content.includes("squared-hinge"));
});

shown("another metric replaces the curve", async (page) => {
  const part = page.locator("#tuning");
  await part.locator(".controls").getByText("auc", { exact: true }).click();
  const { content } = await downloaded(page, part.locator("[data-format=CSV]"));
  const { tune } = linesOf();
  assert.ok(content.includes(String(tune.candidates[0].metrics.auc.mean)));
}, { mayMove: true });

shown("the reliability before and after the calibration is drawn", async (page) => {
  const { calibration } = linesOf();
  const part = page.locator("#calibration");
  assert.equal(await part.locator(".stage").count(), 1);
  const text = await part.innerText();
  for (const { brier } of [calibration.before, calibration.after]) assert.ok(text.includes(significant(brier, 4)) || text.includes(significant(brier, 3)), text);
});

for (const width of [360, 1200])
  shown(`at ${width} pixels nothing is wider than the window`, async (page) => {
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
  }, { viewport: { width, height: 800 }, colorScheme: "dark", mayMove: true });
