// The page of a reproduction in a browser. tests/cli/page writes it: some experiments in their test size.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { asPrinted, downloaded, launch, linesIn, visiting } from "./browser.mjs";
import { lowestPrimal } from "../src/curves.js";
import { kindOf, parseLines } from "../src/lines.js";

let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

const reproduction = (name, visit, options = {}) => test(name, () => visiting(browser, "reproduction.html", options, visit));
const lines = parseLines(linesIn("reproduction.html"));
const first = lines.experiments.find((each) => each.panels.length > 1 && lines.runs.some((run) => run.header.experiment === each.experiment));
const printed = lines.experiments.find((each) => each.printed);
const verdicts = (page) => page.locator("#verdicts tbody tr");
const signs = { holds: "✓", "holds in part": "◐", "does not hold": "✗", undecided: "≈", "not testable": "?" };
const panels = (page, experiment) => page.locator(`[id="${experiment.experiment}"] .panel`);
async function seen(page, experiment) {  // with every panel drawn
  for (const panel of await panels(page, experiment).all()) {
    await panel.scrollIntoViewIfNeeded();
    await panel.locator(".stage canvas").waitFor();
  }
}

test("the lines are those of a reproduction, with everything these tests need", () => {
  assert.equal(kindOf(lines), "reproduction");
  assert.ok(first && printed && lines.series.length > 0 && lines.verdicts.length > 5);
});

reproduction("it begins with the verdicts, a word and a sign for each claim", async (page) => {
  assert.equal(await page.locator("main > section").first().getAttribute("id"), "verdicts");
  assert.equal(await verdicts(page).count(), lines.verdicts.length);
  for (const [index, row] of (await verdicts(page).all()).entries()) {
    const text = await row.innerText();
    assert.ok(text.includes(lines.verdicts[index].verdict) && text.includes(lines.verdicts[index].claim), text);
    assert.ok(text.includes(signs[lines.verdicts[index].verdict]), text);
  }
  const head = await page.locator(".head").innerText();
  assert.match(head, new RegExp(`Of ${lines.verdicts.length} claims`));
  assert.ok(head.includes(lines.machine.date) && head.includes(lines.machine.cpu));
});

reproduction("verdicts can be filtered by paper and by kind", async (page) => {
  const paper = lines.experiments[0].paper;
  const own = new Set(lines.experiments.filter((each) => each.paper === paper).map((each) => each.experiment));
  const of = lines.verdicts.filter((each) => own.has(each.experiment));
  await page.locator("#verdicts select").first().selectOption(paper);
  assert.equal(await verdicts(page).count(), of.length);
  await page.locator("#verdicts select").nth(1).selectOption(of[0].verdict);
  assert.equal(await verdicts(page).count(), of.filter((each) => each.verdict === of[0].verdict).length);
}, { mayMove: true });

reproduction("a verdict links to its figure", async (page) => {
  const last = lines.experiments[lines.experiments.length - 1].experiment;
  await page.locator(`#verdicts a[href="#${last}"]`).first().click();
  const box = await page.locator(`[id="${last}"]`).boundingBox();
  assert.ok(box.y > -5 && box.y < 900, `it is in the window: ${box.y}`);
});

reproduction("every experiment has its panels, in the paper's columns, drawn when they become visible", async (page) => {
  for (const experiment of lines.experiments) assert.equal(await panels(page, experiment).count(), experiment.panels.length);
  const far = panels(page, lines.experiments[lines.experiments.length - 1]).last();
  assert.equal(await far.locator(".stage canvas").count(), 0);
  await far.scrollIntoViewIfNeeded();
  await far.locator(".stage canvas").waitFor();
  const grid = page.locator(`[id="${first.experiment}"] .panels`);
  const columns = await grid.evaluate((element) => getComputedStyle(element).gridTemplateColumns.split(" ").length);
  assert.equal(columns, Math.min(first.columns, first.panels.length));
  const text = await page.locator(`[id="${first.experiment}"]`).innerText();
  for (const panel of first.panels) assert.ok(text.includes(panel.name) && text.includes(panel.substitute), panel.name);
});

reproduction("one legend controls all panels of a figure", async (page) => {
  await seen(page, first);
  const button = page.locator(`[id="${first.experiment}"] .legend button[data-label]`).first();
  const shown = () => panels(page, first).evaluateAll((all) => all.map((panel) => panel.querySelector(".stage").getAttribute("aria-label").match(/(\d+) of \d+ lines/)[1]));
  const before = await shown();
  await button.click();
  assert.deepEqual(await shown(), before.map((count) => String(count - 1)));
  assert.equal(await button.getAttribute("aria-pressed"), "false");
  await page.locator(`[id="${first.experiment}"] .legend`).getByText("show all").click();
  assert.deepEqual(await shown(), before);
});

reproduction("the drawn numbers are those of the lines", async (page) => {
  await seen(page, first);
  const panel = first.panels[0].name;
  const inside = lines.runs.filter((run) => run.header.experiment === first.experiment && run.header.panel === panel);
  const run = inside.find((each) => !each.header.reference);
  const { content } = await downloaded(page, panels(page, first).first().locator("[data-format=CSV]"));
  const drawn = content.split("\n").filter((line) => line.startsWith(`${run.label},`)).map((line) => line.split(",").map(Number));
  const last = run.checks[run.checks.length - 1], end = drawn[drawn.length - 1];
  const height = first.y === "gap" ? last.gap : last.latest_primal - lowestPrimal(inside);
  assert.equal(end[1], last.passes);
  assert.ok(Math.abs(end[2] / height - 1) < 1e-9, `${end[2]} is ${height}`);
});

reproduction("curves that do not belong to runs are drawn", async (page) => {
  const experiment = lines.experiments.find((each) => each.experiment === lines.series[0].experiment);
  await seen(page, experiment);
  const index = experiment.panels.findIndex((panel) => panel.name === lines.series[0].panel);
  const { content } = await downloaded(page, panels(page, experiment).nth(index).locator("[data-format=CSV]"));
  assert.ok(content.includes(lines.series[0].series), content.slice(0, 200));
});

reproduction("the printed numbers are shown with ours", async (page) => {
  const table = page.locator(`[id="${printed.experiment}"] .scroll`).first();
  const text = await table.innerText();
  for (const row of printed.printed[0].rows) {
    assert.ok(text.includes(row.name));
    const here = printed.panels.some((panel) => panel.name === row.name);  // all sets are generated
    assert.equal(row.data !== undefined && text.includes(row.data), here, `data used: ${row.data}`);
    for (const cell of row.cells) assert.ok(text.includes(cell.ours) && (cell.paper === "" || text.includes(cell.paper)), JSON.stringify(cell));
  }
});

reproduction("on a phone nothing is wider than the window", async (page) => {
  await seen(page, first);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
  assert.ok(await verdicts(page).first().isVisible());
}, { viewport: { width: 360, height: 740 } });

reproduction("printed: every panel is drawn", async (page) => {
  await asPrinted(page, ".panel .paper svg", lines.experiments.flatMap((each) => each.panels).length);
  assert.ok(await page.locator(".shared .legend button").first().isVisible());
}, { mayMove: true });
