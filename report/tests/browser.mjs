// A browser for the tests: pages are opened from disk; console messages, errors and requests are recorded.
// Environment variables: SEESAW_PAGES, the folder of the pages; SEESAW_PACKAGES, the folder that has node_modules; CHROMIUM.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const { chromium } = createRequire(join(resolve(process.env.SEESAW_PACKAGES), "package.json"))("playwright-core");

const fileOf = (name) => join(resolve(process.env.SEESAW_PAGES), name);

/** The lines embedded in a page. */
export function linesIn(name) {
  return readFileSync(fileOf(name), "utf8").match(/<script type="application\/jsonl" id="lines">\n([^]*?)<\/script>/)[1];
}

export function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
}

/**
 * Runs `visit(page)` in a new window; fails if the page wrote to the console, threw, had layout shifts (unless mayMove),
 * or requested anything but itself.
 */
export async function visiting(browser, name, { mayMove = false, ...options }, visit) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  const complaints = [], requests = [];
  page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(String(error.stack)));
  page.on("request", (request) => requests.push(request.url()));
  await page.addInitScript(() => {
    window.shifts = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts.push(entry.value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  const address = pathToFileURL(fileOf(name)).href;
  await page.goto(address);
  try {
    await visit(page);
    assert.deepEqual(complaints, []);
    assert.deepEqual(requests.filter((url) => url !== address && !/^(data|blob):/.test(url)), []);
    if (!mayMove) assert.deepEqual(await page.evaluate(() => window.shifts), []);
  } finally {
    await context.close();
  }
}

/**
 * Shows the page as printed. Plots are drawn for paper on the `change` event of the medium, which the browser sends with
 * its next frame: waits until `selector` matches `count` elements.
 */
export async function asPrinted(page, selector, count, options = {}) {
  await page.emulateMedia({ media: "print", ...options });
  await page.waitForFunction(([each, wanted]) => document.querySelectorAll(each).length === wanted, [selector, count]);
}

/** What a click on a download button saves, as text or bytes. */
export async function downloaded(page, button, encoding = "utf8") {
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return { name: download.suggestedFilename(), content: readFileSync(await download.path(), encoding) };
}

/** How many pixels of the first plot have a colour, roughly: how much ink a line has left on it. */
export function inkOf(page, colour, plot = 0) {
  return page.evaluate(([wanted, index]) => {
    const drawn = document.querySelectorAll(".stage canvas")[index];
    const copy = Object.assign(document.createElement("canvas"), { width: drawn.width, height: drawn.height }).getContext("2d", { willReadFrequently: true });
    copy.drawImage(drawn, 0, 0);
    const { data } = copy.getImageData(0, 0, drawn.width, drawn.height);
    const [red, green, blue] = [1, 3, 5].map((from) => parseInt(wanted.slice(from, from + 2), 16));
    let count = 0;
    for (let at = 0; at < data.length; at += 4)
      if (data[at + 3] > 200 && Math.abs(data[at] - red) + Math.abs(data[at + 1] - green) + Math.abs(data[at + 2] - blue) < 12) count++;
    return count;
  }, [colour, plot]);
}
