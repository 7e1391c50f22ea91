// The page of a path in a browser. tests/cli/page writes the pages, by `path --report`: a grid of l1 with validation
// (path), and a range of C that is covered (cover).
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { downloaded, inkOf, launch, linesIn, visiting } from "./browser.mjs";
import { colour } from "../src/palette.js";
import { kindOf, parseLines } from "../src/lines.js";
import { bestModel } from "../src/path_series.js";
import { significant } from "../src/format.js";

const lineOf = (name) => parseLines(linesIn(`${name}.html`)).paths[0];

let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());
const shown = (page, name, visit, options = {}) => test(name, () => visiting(browser, `${page}.html`, options, visit));

test("each file has the line of one path, its models in the order of the values", () => {
  for (const name of ["path", "cover"]) {
    const lines = parseLines(linesIn(`${name}.html`));
    assert.equal(kindOf(lines), "path");
    const values = lines.paths[0].models.map((model) => model.value);
    assert.deepEqual(values, [...values].sort((one, other) => one - other));
    for (const { values: own } of lines.paths[0].coefficients) assert.equal(own.length, values.length);
  }
  const { models } = lineOf("path");
  assert.ok(models.slice(0, -1).every((model) => model.relative_gap_to_next > 0) && models[models.length - 1].relative_gap_to_next === undefined);
});

shown("path", "coefficients, validation, gaps and support are drawn, and the table has every model", async (page) => {
  const path = lineOf("path");
  assert.match(await page.locator(".head").innerText(), /between the values one of the two neighbours is within/);
  for (const id of ["coefficients", "validation", "gaps", "support"]) assert.equal(await page.locator(`#${id} .stage`).count(), 1, id);
  for (const [index, slot] of [[0, 0], [1, 0], [2, 0], [3, 0]]) assert.ok((await inkOf(page, colour({ slot, shade: 0 }, "light"), index)) > 20, `plot ${index}`);
  assert.equal(await page.locator("#models tbody tr").count(), path.models.length);
  const best = bestModel(path);
  assert.ok((await page.locator("#validation").innerText()).includes(significant(best.validation, 4)));
  const { content } = await downloaded(page, page.locator("#coefficients [data-format=CSV]"));
  assert.ok(content.includes(path.coefficients[0].name));
});

shown("path", "the pointer shows the weights at a value, dragging zooms", async (page) => {
  const over = page.locator("#coefficients .u-over");
  const box = await over.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  assert.match(await page.locator("#coefficients .readout").innerText(), /l1: /);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.8 * box.width, box.y + 0.8 * box.height, { steps: 4 });
  await page.mouse.up();
  assert.ok(await page.locator("#coefficients .reset").isVisible());
}, { mayMove: true });

shown("cover", "a covered range shows its intervals and the accuracy", async (page) => {
  assert.match(await page.locator(".head").innerText(), /For every C in|Proved: for every C in/);
  assert.equal(await page.locator("#validation").count(), 0);
  assert.match(await page.locator("#models thead").innerText(), /covers/);
});

for (const width of [360, 1200])
  shown("path", `at ${width} pixels nothing is wider than the window`, async (page) => {
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
  }, { viewport: { width, height: 800 }, colorScheme: "dark", mayMove: true });
