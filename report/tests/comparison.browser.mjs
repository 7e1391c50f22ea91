// The comparison page in a browser. tests/cli/page writes the pages: methods with several seeds on two problems, one
// method that diverges and one that does not apply.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { asPrinted, downloaded, inkOf, launch, linesIn, visiting } from "./browser.mjs";
import { colour } from "../src/palette.js";
import { kindOf, parseLines } from "../src/lines.js";

let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

const comparison = (name, visit, options = {}) => test(name, () => visiting(browser, "comparison.html", options, visit));
const lines = parseLines(linesIn("comparison.html"));
const labels = [...new Set(lines.runs.map((run) => run.label))];
const stage = (page) => page.locator("#convergence .stage");
const entry = (page, label) => page.locator(`#convergence .legend button[data-label="${label}"]`);
const summary = (page) => stage(page).getAttribute("aria-label");
const csv = async (page) => (await downloaded(page, page.locator("#convergence [data-format=CSV]"))).content;
const column = (page, name) => page.locator("#milestones tbody tr").evaluateAll((rows, index) => rows.map((row) => row.children[index].textContent), name);

test("the lines are those of a comparison, with a refusal and a run that diverged", () => {
  assert.equal(kindOf(lines), "comparison");
  assert.ok(lines.refused.length > 0 && lines.runs.some((run) => run.status === "diverged"));
});

comparison("it shows what was compared, the data and the program", async (page) => {
  const head = await page.locator(".head").innerText();
  assert.match(head, new RegExp(`${labels.length} methods on 2 problems`));
  assert.match(head, /seesaw \d+\.\d+/);
  assert.match(head, new RegExp(`${lines.runs.length} runs, up to 3 seeds each`));  // one for deterministic methods
  assert.match(await page.locator(".about").innerText(), /relative gap of/);
  assert.match(await page.title(), /Seesaw/);
  assert.equal(await page.evaluate(() => document.querySelectorAll("h1").length), 1);
});

comparison("every method has a line, a name in the legend and a row in the table", async (page) => {
  assert.deepEqual((await column(page, 0)).sort(), [...labels].sort());
  assert.match(await summary(page), new RegExp(`${labels.length} of ${labels.length} lines shown`));
  assert.match(await page.locator("#milestones").innerText(), /diverged/);
  assert.match(await page.locator("#refused").innerText(), new RegExp(lines.refused[0].label));
});

comparison("a click on a name hides its line, a second one shows it", async (page) => {
  const blue = colour({ slot: 0, shade: 0 }, "light");
  const before = await inkOf(page, blue);
  assert.ok(before > 100, `the line of sdca is drawn: ${before}`);
  await entry(page, "sdca").click();
  assert.equal(await entry(page, "sdca").getAttribute("aria-pressed"), "false");
  assert.ok((await inkOf(page, blue)) < before / 10);
  assert.doesNotMatch(await csv(page), /^sdca,/m);
  await entry(page, "sdca").click();
  assert.equal(await entry(page, "sdca").getAttribute("aria-pressed"), "true");
  assert.ok((await inkOf(page, blue)) > before / 2);
});

comparison("Shift-click shows one line alone, and show all shows all", async (page) => {
  await entry(page, "sdca").click({ modifiers: ["Shift"] });
  assert.match(await summary(page), new RegExp(`1 of ${labels.length} lines shown`));
  await page.locator("#convergence .legend").getByText("show all").click();
  assert.match(await summary(page), new RegExp(`${labels.length} of ${labels.length} lines shown`));
});

comparison("the axes can be switched, and the plot changes with them", async (page) => {
  const seen = new Set([await csv(page)]);
  for (const name of ["seconds", "entries"]) {
    await page.locator("#convergence .segments").getByText(name, { exact: true }).click();
    seen.add(await csv(page));
  }
  for (const name of ["gap", "suboptimality"]) {
    await page.locator("#convergence .segments").getByText(name, { exact: true }).click();
    seen.add(await csv(page));
  }
  assert.equal(seen.size, 5);
  assert.match(await summary(page), /lowest P of all runs against entries touched/);
  const box = page.locator("#convergence .checkbox input");
  const picture = async () => (await downloaded(page, page.locator("#convergence [data-format=SVG]"))).content;
  const before = await picture();
  await box.setChecked(!(await box.isChecked()));
  assert.notEqual(await picture(), before);
});

comparison("a hidden line stays hidden when the axes change", async (page) => {
  await entry(page, "sdca").click();
  await page.locator("#convergence .segments").getByText("seconds", { exact: true }).click();
  assert.equal(await entry(page, "sdca").getAttribute("aria-pressed"), "false");
  assert.doesNotMatch(await csv(page), /^sdca,/m);
});

comparison("the drawn numbers are those of the lines", async (page) => {
  const [first] = lines.runs.filter((run) => run.label === "bpd");  // a deterministic method: one run, no median
  const last = first.checks[first.checks.length - 1];
  const rows = (await csv(page)).split("\n").filter((line) => line.startsWith("bpd,")).map((line) => line.split(",").map(Number));
  const drawn = rows[rows.length - 1];
  assert.equal(drawn[1], last.passes);
  assert.ok(Math.abs(drawn[2] / (last.gap / last.primal) - 1) < 1e-12);
});

comparison("the pointer reads the values of all lines", async (page) => {
  await stage(page).scrollIntoViewIfNeeded();
  const box = await stage(page).boundingBox();
  await page.mouse.move(box.x + 120, box.y + box.height / 2);
  const text = await page.locator("#convergence .readout").innerText();
  assert.match(text, /passes over the data: /);
  assert.ok(labels.filter((label) => text.includes(label)).length >= 3, text);
  await page.mouse.move(box.x + 120, box.y - 60);
  assert.ok(await page.locator("#convergence .readout").isHidden());
});

comparison("dragging zooms, a button and a double click reset", async (page) => {
  const place = async () => {  // a click on a button may have scrolled the page
    await stage(page).scrollIntoViewIfNeeded();
    return stage(page).boundingBox();
  };
  const picture = async () => (await downloaded(page, page.locator("#convergence [data-format=SVG]"))).content;
  const drag = async () => {
    const box = await place();
    await page.mouse.move(box.x + 200, box.y + 80);
    await page.mouse.down();
    await page.mouse.move(box.x + 500, box.y + 300, { steps: 5 });
    await page.mouse.up();
  };
  const whole = await picture();
  const reset = page.locator("#convergence .reset");
  assert.ok(await reset.isHidden());
  await drag();
  assert.ok(await reset.isVisible());
  const part = await picture();
  assert.notEqual(part, whole);
  await reset.click();
  assert.equal(await picture(), whole);
  await drag();
  assert.equal(await picture(), part);
  const box = await place();
  await page.mouse.dblclick(box.x + 300, box.y + 200);
  assert.equal(await picture(), whole);
});

comparison("the table sorts by each column, both ways, missing values last", async (page) => {
  const head = page.locator("#milestones thead tr:last-child th");
  const index = 3;
  const numbers = (texts) => texts.map((text) => Number(text.replace(/ \(best\)|,/g, "")));
  await head.nth(index).locator("button").click();
  assert.equal(await head.nth(index).getAttribute("aria-sort"), "ascending");
  const rising = numbers(await column(page, index)), known = rising.filter((value) => !Number.isNaN(value));
  assert.ok(known.length >= 3);
  assert.deepEqual(known, [...known].sort((one, other) => one - other));
  assert.deepEqual(rising.slice(0, known.length), known);
  assert.match((await column(page, index))[0], /best/);
  await head.nth(index).locator("button").click();
  assert.equal(await head.nth(index).getAttribute("aria-sort"), "descending");
  const falling = numbers(await column(page, index));
  assert.deepEqual(falling.slice(0, known.length), [...known].reverse());
  await head.nth(0).locator("button").click();
  assert.deepEqual(await column(page, 0), [...labels].sort((one, other) => one.localeCompare(other, "en", { numeric: true })));
});

comparison("another problem can be chosen", async (page) => {
  const before = [await csv(page), await page.locator("#milestones tbody").innerText()];
  const radios = page.locator(".chooser label");
  if (await radios.count() > 1) await radios.nth(1).click();
  else await page.locator(".chooser select").selectOption("1");
  assert.notEqual(await csv(page), before[0]);
  assert.notEqual(await page.locator("#milestones tbody").innerText(), before[1]);
});

comparison("all problems are panels of one figure with one legend", async (page) => {
  const part = page.locator("#panels");
  await part.scrollIntoViewIfNeeded();
  const problems = [...new Set(lines.runs.map((run) => run.problem))];
  assert.deepEqual(await part.locator(".panel h3").allInnerTexts(), problems);
  await page.waitForFunction((count) => document.querySelectorAll("#panels .stage canvas").length === count, problems.length);
  assert.equal(await part.locator(".legend").count(), 1);
  assert.deepEqual((await part.locator(".legend button[data-label]").evaluateAll((all) => all.map((each) => each.dataset.label))).sort(), [...labels].sort());
}, { mayMove: true });

comparison("the cost against lambda follows its controls", async (page) => {
  const rows = async () => (await downloaded(page, page.locator("#sweep [data-format=CSV]"))).content.trim().split("\n").slice(1).map((row) => row.split(","));
  const values = [...new Set(lines.runs.map((run) => run.header.lambda))].sort((one, other) => one - other);
  const passes = await rows();
  assert.deepEqual([...new Set(passes.map((row) => Number(row[1])))].sort((one, other) => one - other), values);
  await page.locator("#sweep .segments").getByText("seconds", { exact: true }).click();
  assert.notDeepEqual(await rows(), passes);
}, { mayMove: true });

comparison("the profile over all problems follows its controls", async (page) => {
  const profile = async () => (await downloaded(page, page.locator("#profile [data-format=CSV]"))).content;
  const seconds = await profile();
  await page.locator("#profile .segments").getByText("passes", { exact: true }).click();
  const passes = await profile();
  assert.notEqual(passes, seconds);
  const shares = passes.trim().split("\n").slice(1).map((line) => Number(line.split(",")[2]));
  assert.ok(shares.every((share) => share >= 0 && share <= 1) && Math.max(...shares) > 0);
});

comparison("plots can be downloaded as CSV, PNG and SVG", async (page) => {
  const table = await downloaded(page, page.locator("#convergence [data-format=CSV]"));
  assert.match(table.name, /\.csv$/);
  const rows = table.content.trim().split("\n");
  assert.equal(rows[0], "series,passes over the data,certified gap / P,lowest,highest");
  for (const label of labels) assert.ok(rows.some((row) => row.startsWith(`${label},`)), label);
  assert.ok(rows.slice(1).every((row) => Number(row.split(",")[2]) > 0));

  const svg = await downloaded(page, page.locator("#convergence [data-format=SVG]"));
  assert.match(svg.name, /\.svg$/);
  assert.ok(svg.content.startsWith("<svg xmlns=") && svg.content.endsWith("</svg>"));
  assert.equal(svg.content.match(/<polyline/g).length, labels.length);
  const broken = await page.evaluate((text) => new DOMParser().parseFromString(text, "image/svg+xml").querySelector("parsererror") !== null, svg.content);
  assert.equal(broken, false);

  const png = await downloaded(page, page.locator("#convergence [data-format=PNG]"), null);
  assert.match(png.name, /\.png$/);
  assert.equal(png.content.subarray(1, 4).toString(), "PNG");
  assert.equal(png.content.readUInt32BE(16), 1720);
  assert.ok(png.content.length > 20000, `a picture, not a blank: ${png.content.length} bytes`);
});

comparison("every run has its command, with a button that copies it", async (page) => {
  await page.locator("#rerun details").evaluate((details) => (details.open = true));
  const commands = await page.locator("#rerun code").allInnerTexts();
  assert.equal(commands.length, lines.runs.length);
  assert.ok(commands.every((command) => command.startsWith("seesaw train ") && /--seed \d+/.test(command)), commands[0]);
  await page.locator("#rerun .command button").first().click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), commands[0]);
}, { permissions: ["clipboard-read", "clipboard-write"] });

comparison("everything can be reached and used by keyboard", async (page) => {
  const reached = new Set();
  for (let step = 0; step < 400; step++) {
    await page.keyboard.press("Tab");
    const place = await page.evaluate(() => {
      const at = document.activeElement;
      if (at === document.body) return null;
      const style = getComputedStyle(at.matches(".segments input") ? at.nextElementSibling : at);
      return { name: `${at.tagName}.${at.className}.${at.dataset.label ?? at.dataset.format ?? ""}`, seen: style.outlineStyle !== "none" };
    });
    if (place === null) break;
    assert.ok(place.seen, `no visible focus on ${place.name}`);
    reached.add(place.name);
  }
  for (const wanted of ["INPUT..", "DIV.stage.", "BUTTON..sdca", "BUTTON.quiet.CSV", "BUTTON.quiet theme.", "DIV.scroll."]) assert.ok(reached.has(wanted), `${wanted} in ${[...reached]}`);

  await stage(page).focus();
  for (let step = 0; step < 22; step++) await page.keyboard.press("ArrowRight");
  assert.match(await page.locator("#convergence .readout").innerText(), /passes over the data: [^]*spdc/);
  await page.keyboard.press("+");
  assert.ok(await page.locator("#convergence .reset").isVisible());
  await page.keyboard.press("0");
  assert.ok(await page.locator("#convergence .reset").isHidden());
  await entry(page, "sdca").focus();
  await page.keyboard.press("Enter");
  assert.equal(await entry(page, "sdca").getAttribute("aria-pressed"), "false");
});

for (const scheme of ["light", "dark"]) {
  comparison(`${scheme}: follows the system setting until the button is pressed, and is stored`, async (page) => {
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const [white, black] = ["rgb(255, 255, 255)", "rgb(20, 23, 28)"];
    const [own, other] = scheme === "light" ? [white, black] : [black, white];
    const blue = (name) => colour({ slot: 0, shade: 0 }, name);
    assert.equal(await background(), own);
    assert.ok((await inkOf(page, blue(scheme))) > 100);
    await page.locator(".theme").click();
    assert.equal(await background(), other);
    assert.ok((await inkOf(page, blue(scheme === "light" ? "dark" : "light"))) > 100);
    await page.reload();
    assert.equal(await background(), other);
  }, { colorScheme: scheme });
}

comparison("no horizontal scrolling on a phone", async (page) => {
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  const wide = await page.evaluate(() => [...document.querySelectorAll("main *")].filter((each) => each.getBoundingClientRect().right > 361 && !each.closest(".scroll")).map((each) => each.outerHTML.slice(0, 80)));
  assert.deepEqual(wide, []);
  assert.ok((await inkOf(page, colour({ slot: 0, shade: 0 }, "light"))) > 50);
}, { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 });

comparison("printed: light, complete, without buttons", async (page) => {
  await asPrinted(page, ".paper svg", 5, { colorScheme: "dark" });
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), "rgb(255, 255, 255)");
  assert.equal(await page.locator(".paper svg").first().locator("polyline").count(), labels.length);
  assert.ok(await page.locator(".paper svg").first().isVisible());
  assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll("button, select, .stage")].filter((each) => !each.closest("thead, .shared") && each.getClientRects().length > 0).map((each) => each.outerHTML.slice(0, 80))), []);
  assert.ok(await page.locator("#rerun code").first().isVisible());
  const pdf = await page.pdf({ format: "A4" });
  assert.ok(pdf.length > 10000);
}, { colorScheme: "dark", mayMove: true });

test("40 runs of 500 points are drawn by few elements", async () => {
  const large = parseLines(linesIn("large.html"));
  const points = large.runs.reduce((sum, run) => sum + run.checks.length, 0);
  assert.ok(large.runs.length >= 40 && points >= 20000, `${large.runs.length} runs, ${points} points`);
  await visiting(browser, "large.html", {}, async (page) => {
    await page.waitForFunction(() => performance.getEntriesByName("drawn").length > 0);
    const elements = await page.evaluate(() => document.querySelectorAll("svg *").length);
    assert.ok(elements > 0 && elements < points / 4, `${elements} elements for ${points} points`);
  });
});

test("the number of seeds is the same if all methods are stochastic", () => visiting(browser, "large.html", {}, async (page) => {
  assert.match(await page.locator(".head").innerText(), /40 runs, 5 seeds each/);
}));

test("a comparison of one method is a comparison", () => visiting(browser, "single.html", {}, async (page) => {
  assert.match(await page.locator(".head").innerText(), /1 method on data\.svm/);
  assert.equal(await page.locator("#milestones tbody tr").count(), 1);
}));

test("lines cannot end the page", () => visiting(browser, "hostile.html", {}, async (page) => {
  assert.match(await page.locator("#milestones").innerText(), /<\/script><b>wild<\/b>/);
  assert.equal(await page.locator("#milestones b").count(), 0);
  assert.match(await page.locator("#milestones").innerText(), /unfinished/);
  assert.match(await page.locator("main").innerText(), /1 line of the trace could not be read/);
}));
