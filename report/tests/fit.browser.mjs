// The page of a fit in a browser. tests/cli/page writes the pages, by `train --report`: a regression on a CSV file with
// unusual names (csv), l1 (l1), one-versus-rest (classes), a fit that diverged (diverged), one that was stopped
// (stopped). cut.html is a truncated trace.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { asPrinted, downloaded, inkOf, launch, linesIn, visiting } from "./browser.mjs";
import { colour } from "../src/palette.js";
import { diagnosticNames, diagnosticSeries } from "../src/diagnostics.js";
import { kindOf, parseLines } from "../src/lines.js";

const names = ["csv", "l1", "classes", "diverged", "stopped", "cut"];
const linesOf = (name) => parseLines(linesIn(`${name}.html`));
const text = (page, id) => page.locator(`#${id}`).innerText();

let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());
const fit = (page, name, visit, options = {}) => test(name, () => visiting(browser, `${page}.html`, options, visit));

test("each file has the lines of one fit with the expected status", () => {
  for (const name of names) assert.equal(kindOf(linesOf(name)), "fit", name);
  assert.deepEqual(names.map((name) => linesOf(name).runs[0].status), ["converged", "converged", "converged", "diverged", "pass-limit", "unfinished"]);
});

for (const name of names)
  fit(name, `${name}: it shows the status, and P, D and the gap of the lines`, async (page) => {
    const run = linesOf(name).runs[0];
    const ended = { converged: /Converged in/, diverged: /Diverged after/, "pass-limit": /Stopped by the limit of 2 passes/, unfinished: /The trace ends after/ }[run.status];
    assert.match(await page.locator(".head").innerText(), ended);
    assert.match(await page.locator(".head").innerText(), /above the optimum.*: proved, not estimated/);
    const last = run.end ?? run.checks[run.checks.length - 1];
    const [primal, dual] = (await page.locator(".digits").allInnerTexts()).map(Number);
    assert.ok(Math.abs(primal - last.primal) <= 1e-8 * Math.abs(last.primal) && Math.abs(dual - last.dual) <= 1e-8 * Math.abs(last.primal), `${primal} ${dual}`);
    assert.equal(await page.evaluate(() => document.querySelectorAll("h1").length), 1);
    for (const [index, wanted] of [[0, 0], [0, 1], [1, 0]]) assert.ok((await inkOf(page, colour({ slot: wanted, shade: 0 }, "light"), index)) > 50, `plot ${index}, colour ${wanted}`);
  });

for (const name of ["csv", "l1", "classes"])
  fit(name, `${name}: every diagnostic of the trace can be drawn`, async (page) => {
    const run = linesOf(name).runs[0];
    const wanted = diagnosticNames(run);
    assert.ok(wanted.length > 0);
    const choice = page.locator("#diagnostics select");
    if (wanted.length > 1) assert.deepEqual(await choice.locator("option").evaluateAll((options) => options.map((option) => option.value)), wanted);
    for (const each of wanted) {
      if (wanted.length > 1) await choice.selectOption(each);
      const { content } = await downloaded(page, page.locator("#diagnostics [data-format=CSV]"));
      const points = diagnosticSeries(run, each, (check) => check.passes).reduce((sum, one) => sum + one.x.length, 0);
      assert.ok(content.trim().split("\n").length > 1 && points > 0, each);
    }
  }, { mayMove: true });

fit("csv", "feature names are shown unchanged, and nothing in them is executed", async (page) => {
  const list = linesOf("csv").runs[0].end.coefficients;
  assert.ok(list.some((one) => one.name.includes("</script>")) && list.some((one) => /[^\x00-\x7f]/.test(one.name)));
  const rows = await page.locator(".coefficients tbody th").allInnerTexts();
  assert.deepEqual(rows, list.map((one) => one.name));
  assert.equal(await page.locator(".coefficients tbody th *").count(), 0);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
});

fit("csv", "bars are on the side of their sign, proportional to the value, and have an arrow", async (page) => {
  const list = linesOf("csv").runs[0].end.coefficients;
  const drawn = await page.locator(".coefficients tbody tr").evaluateAll((rows) => rows.map((row) => ({
    left: row.querySelector(".left").textContent, right: row.querySelector(".right").textContent, width: row.querySelector(".level").getBoundingClientRect().width,
    values: [...row.querySelectorAll("td.numeric")].map((cell) => cell.textContent) })));
  assert.ok(list.some((one) => one.value > 0) && list.some((one) => one.value < 0));
  for (const [index, one] of list.entries()) {
    assert.deepEqual([drawn[index].left, drawn[index].right], one.value > 0 ? ["", "▶"] : ["◀", ""]);
    const share = Math.abs(one.value) / Math.abs(list[0].value);
    assert.ok(Math.abs(drawn[index].width / drawn[0].width - share) < 0.03 + 2 / drawn[0].width, `${index}: ${drawn[index].width}`);
    const value = Number(drawn[index].values[1].replace("−", "-").replace(",", ""));
    assert.ok(Math.abs(value - one.value) <= 1e-3 * Math.abs(one.value), `${value} for ${one.value}`);
  }
});

fit("csv", "objective, deviations, facts and commands are shown", async (page) => {
  const { header } = linesOf("csv").runs[0];
  assert.match(await text(page, "objective"), /minimize 1\/n Σi φ\(zi\)[^]*φ\(z\) = \(z − b\)2 \/ 2[^]*Ridge/);
  const deviations = await text(page, "method");
  assert.deepEqual(header.deviations.map((one) => one.option), ["--loss", "--scale", "--solver", "--gap"]);
  for (const one of header.deviations) assert.ok(deviations.includes(one.option) && deviations.includes(one.value), one.option);
  assert.match(await text(page, "data"), /columns-std/);
  const commands = await page.locator("#again code").allInnerTexts();
  assert.equal(commands[0], header.command);
  assert.match(commands[1], /^seesaw verify houses\.csv /);
  await page.locator("#again button").first().click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), header.command);
}, { permissions: ["clipboard-read", "clipboard-write"] });

fit("csv", "the parts of the time sum to the total", async (page) => {
  const { seconds } = linesOf("csv").runs[0].end;
  const widths = await page.locator(".stack span").evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().width));
  const whole = widths.reduce((sum, width) => sum + width, 0);
  assert.ok(Math.abs(widths[0] / whole - seconds.read / Math.max(seconds.total, seconds.read + seconds.solve + seconds.check)) < 0.03, `${widths}`);
  assert.match(await page.locator(".stack").getAttribute("aria-label"), /reading .* \(.*%\), solving .*checking/);
});

fit("l1", "features proved to be 0 are counted", async (page) => {
  const { end } = linesOf("l1").runs[0];
  assert.ok(end.proved_zero > 0);
  assert.match(await text(page, "certificate"), new RegExp(`${end.proved_zero.toLocaleString("en-US")} features? (is|are) proved to have weight 0`));
  assert.match(await text(page, "method"), /Auto selected/);
});

fit("settled", "the settled labels are drawn against the gap", async (page) => {
  const run = linesOf("settled").runs[0];
  assert.equal(run.status, "labels-settled");
  const counted = run.checks.filter((check) => check.settled && check.gap > 0);
  assert.ok(counted.length > 2);
  assert.match(await text(page, "settled"), /All 200 labels of the test rows are settled/);
  const rows = (await downloaded(page, page.locator("#settled [data-format=CSV]"))).content.trim().split("\n").map((row) => row.split(","));
  const drawn = rows.filter((row) => row[0].replaceAll('"', "") === "labels settled").map((row) => [Number(row[1]), Number(row[2])]);
  const expected = counted.map((check) => [check.gap / check.primal, check.settled.rows]).sort((one, other) => one[0] - other[0]);
  assert.deepEqual(drawn, expected);
});

fit("csv", "there is no section of settled labels without them", async (page) => {
  assert.equal(await page.locator("#settled").count(), 0);
});

fit("classes", "every class has a certificate and a line; a click sorts and hides", async (page) => {
  const { end, classes } = linesOf("classes").runs[0];
  assert.equal(end.classes.length, 4);
  assert.equal(await page.locator("#certificate tbody tr").count(), 4);
  for (const label of classes.keys()) assert.equal(await page.locator(`#closing .legend button[data-label="class ${label}"]`).count(), 1);
  const gap = page.locator("#certificate thead th", { hasText: /^gap/ });
  await gap.locator("button").click();
  assert.equal(await gap.getAttribute("aria-sort"), "ascending");
  const shown = (await page.locator("#certificate tbody tr td:nth-child(5)").allInnerTexts()).map(Number);
  assert.deepEqual(shown, [...shown].sort((one, other) => one - other));
  const entry = page.locator('#closing .legend button[data-label="class 1"]');
  await entry.click();
  assert.equal(await entry.getAttribute("aria-pressed"), "false");
});

fit("diverged", "the gap at each check is drawn, an alternative is suggested, and the data is explained", async (page) => {
  assert.match(await text(page, "method"), /Adaspdc can fail on some data; use spdhg/);
  const { advice } = linesOf("diverged").runs[0].header;
  assert.ok(advice.length >= 3);
  const said = await page.locator(".advice li").allInnerTexts();
  assert.equal(said.length, advice.length);
  assert.match(said.join(" "), /The largest row norm is [\d.]+ times the mean.*2 features never occur/);
  assert.equal(await page.locator('#closing .legend button[data-label="gap at each check"]').getAttribute("aria-pressed"), "true");
});

fit("csv", "the axes can be switched and the drawn numbers are those of the lines", async (page) => {
  const { checks, header } = linesOf("csv").runs[0];
  const csv = async (index) => (await downloaded(page, page.locator("#closing [data-format=CSV]").nth(index))).content.trim().split("\n").map((row) => row.split(/,(?! )/));
  const points = (rows, label) => rows.filter((row) => row[0].replaceAll('"', "") === label);
  const bounds = await csv(0), gaps = await csv(1);
  assert.deepEqual(points(bounds, "P, upper bound").map((row) => Number(row[2])), checks.map((check) => check.primal));
  assert.deepEqual(points(bounds, "D, lower bound").map((row) => Number(row[2])), checks.map((check) => check.dual));
  assert.deepEqual(points(gaps, "gap").map((row) => [Number(row[1]), Number(row[2])]), checks.map((check) => [check.passes, check.gap]));
  const target = Number(points(gaps, "tolerance")[0][2]);
  assert.ok(Math.abs(target / (header.gap * checks[checks.length - 1].primal) - 1) < 1e-12);
  await page.locator("#closing .segments").getByText("seconds", { exact: true }).click();
  assert.deepEqual(points(await csv(1), "gap").map((row) => Number(row[1])), checks.map((check) => check.solve_seconds));
  const picture = async () => (await downloaded(page, page.locator("#closing [data-format=SVG]").first())).content;
  const meeting = await picture();
  await page.locator("#closing .segments").getByText("from the beginning").click();
  assert.notEqual(await picture(), meeting);
});

fit("l1", "the lines can be downloaded", async (page) => {
  const saved = await downloaded(page, page.locator("[data-format=JSONL]"));
  const objects = (lines) => lines.trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(objects(saved.content), objects(linesIn("l1.html")));
});

fit("classes", "the keyboard reaches everything, with a visible focus", async (page) => {
  const reached = new Set();
  for (let step = 0; step < 200; step++) {
    await page.keyboard.press("Tab");
    const place = await page.evaluate(() => {
      const at = document.activeElement;
      if (at === document.body) return null;
      const style = getComputedStyle(at.matches(".segments input") ? at.nextElementSibling : at);
      return { name: `${at.closest("section")?.id ?? ""}:${at.tagName}`, seen: style.outlineStyle !== "none" };
    });
    if (place === null) break;
    assert.ok(place.seen, `no visible focus on ${place.name}`);
    reached.add(place.name);
  }
  for (const wanted of ["certificate:BUTTON", "closing:INPUT", "closing:DIV", "closing:BUTTON", "method:DIV", "coefficients:DIV", "again:BUTTON"]) assert.ok(reached.has(wanted), `${wanted} in ${[...reached]}`);
});

for (const name of ["csv", "classes", "diverged"]) {
  fit(name, `${name}: no horizontal scrolling on a phone`, async (page) => {
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    const wide = await page.evaluate(() => [...document.querySelectorAll("main *")].filter((each) => each.getBoundingClientRect().right > 361 && !each.closest(".scroll")).map((each) => each.outerHTML.slice(0, 80)));
    assert.deepEqual(wide, []);
  }, { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 });

  fit(name, `${name}: dark`, async (page) => {
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), "rgb(20, 23, 28)");
    assert.ok((await inkOf(page, colour({ slot: 0, shade: 0 }, "dark"))) > 50);
  }, { colorScheme: "dark" });

  fit(name, `${name}: printed: light, complete, without buttons`, async (page) => {
    const checksOf = (run) => [...run.checks, ...[...(run.classes?.values() ?? [])].flat()];
    const diagnosed = linesOf(name).runs.some((run) => checksOf(run).some((check) => check.diagnostics));
    await asPrinted(page, ".paper svg", diagnosed ? 3 : 2, { colorScheme: "dark" });
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), "rgb(255, 255, 255)");
    assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll("button, input, .stage")].filter((each) => !each.closest("thead") && each.getClientRects().length > 0).map((each) => each.outerHTML.slice(0, 80))), []);
    assert.ok(await page.locator("#again code").first().isVisible());
    assert.ok((await page.pdf({ format: "A4" })).length > 10000);
  }, { colorScheme: "dark", mayMove: true });
}
