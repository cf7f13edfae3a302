// Opens finished reports in Chromium from disk, offline, and proves what report-design promises:
// one request, no console message, verdict in view, table, keyboard, selection in the address, axe
// clean in both themes at 1440 and 390 px. Screenshots go to out/screens.
//
//   npm --prefix web run browser -- out/report/sample.html [more.html]

import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const screens = resolve(root, "out/screens");
const named = process.argv.slice(2).map((file) => resolve(process.env.INIT_CWD ?? process.cwd(), file));
const samples = resolve(root, "out/report");
const files = named.length > 0 ? named : readdirSync(samples).filter((name) => name.endsWith(".html")).map((name) => resolve(samples, name));
const widths = [1440, 390];
const themes = ["light", "dark"];
let passed = 0;
const failures = [];

function expect(condition, statement) {
  if (condition) passed += 1;
  else failures.push(statement);
}

async function axe(page, statement) {
  await page.evaluate(axeSource);
  const found = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  const text = found.violations.map((v) => `${v.id} (${v.nodes.length}): ${v.nodes.slice(0, 3).map((n) => n.target + " " + (n.any[0]?.message ?? "")).join(" | ")}`);
  expect(text.length === 0, `${statement}: axe found ${text.join("; ")}`);
}

async function open(browser, file, width, theme, hash = "") {
  const context = await browser.newContext({ viewport: { width, height: width < 900 ? 844 : 1000 }, colorScheme: theme, offline: true });
  const page = await context.newPage();
  const requests = [];
  const messages = [];
  page.on("request", (request) => { if (!request.url().startsWith("data:") && !request.url().startsWith("blob:")) requests.push(request.url()); });
  page.on("console", (message) => messages.push(message.text()));
  page.on("pageerror", (error) => messages.push(String(error)));
  await page.goto(pathToFileURL(file).href + hash);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "true", null, { timeout: 20000 });
  return { context, page, requests, messages };
}

async function look(browser, file, width, theme) {
  const name = `${basename(file, ".html")}, ${width} px, ${theme}`;
  const { context, page, requests, messages } = await open(browser, file, width, theme);
  expect(requests.length === 1, `${name}: one request, saw ${requests.join(" ")}`);
  expect(messages.length === 0, `${name}: no console message, saw ${messages.join(" | ")}`);
  expect(await page.locator("h1").isVisible(), `${name}: the verdict is visible`);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name}: the page does not scroll sideways`);
  expect(await page.evaluate(() => document.querySelectorAll("*").length) <= 6000, `${name}: at most 6,000 elements`);
  await axe(page, name);
  await page.screenshot({ path: resolve(screens, `${basename(file, ".html")}-${width}-${theme}.png`), fullPage: true });
  await context.close();
}

async function use(browser, file) {
  const name = basename(file, ".html");
  const { context, page, messages } = await open(browser, file, 1440, "light");
  const table = page.locator('[data-table="groups"] button', { hasText: "Show as table" });
  if (await table.count() > 0) {
    const before = await page.locator("#groups tbody tr:visible").count();
    await table.click();
    expect(await page.locator("#groups tbody tr:visible").count() >= before, `${name}: the table opens`);
  }
  if (await page.locator(".icicle").count() > 0) {
    await page.locator(".icicle").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    expect((await page.locator("#say").textContent()) !== "", `${name}: the tree says where the focus is`);
    await page.keyboard.press("Enter");
    expect((await page.evaluate(() => location.hash)).includes("phase="), `${name}: Enter selects, and the address holds it`);
    expect(await page.locator("#selection").isVisible(), `${name}: the selection bar shows`);
    await axe(page, `${name} with a layer selected`);
    await page.screenshot({ path: resolve(screens, `${name}-selected.png`), fullPage: true });
    const link = await page.evaluate(() => location.hash);
    const again = await open(browser, file, 1440, "dark", link);
    expect(await again.page.locator("#selection .chip").count() > 0, `${name}: the copied link reopens the selection`);
    await axe(again.page, `${name} reopened dark with a selection`);
    await again.page.screenshot({ path: resolve(screens, `${name}-selected-dark.png`) });
    await again.context.close();
    await page.keyboard.press("Escape"); // closes the tip
    await page.keyboard.press("Escape");
    expect(!(await page.locator("#selection").isVisible()), `${name}: Escape clears the selection`);
  }
  await page.locator(".bar.run button").first().focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  expect((await page.evaluate(() => location.hash)).includes("cause="), `${name}: a cause is selected by keyboard`);
  await page.goBack();
  expect(!(await page.evaluate(() => location.hash)).includes("cause="), `${name}: the browser's back works`);
  if (await page.locator("#matrix").count() > 0) {
    await page.locator("#matrix td[tabindex='0']").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect((await page.locator("#pair h3").textContent()) !== "", `${name}: a pair is explained`);
  }
  await page.keyboard.press("/");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("role") === "combobox"), `${name}: / opens find`);
  expect(messages.length === 0, `${name}: no console message in use, saw ${messages.join(" | ")}`);
  await context.close();
}

async function withoutScripts(browser, file) {
  const name = basename(file, ".html");
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1440, height: 1000 } });
  const page = await context.newPage();
  await page.goto(pathToFileURL(file).href);
  for (const part of ["#verdict h1", "#time .legend", "#run h2"])
    expect(await page.locator(part).isVisible(), `${name} without scripts: ${part} is there`);
  await context.close();
}

mkdirSync(screens, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
try {
  for (const file of files) {
    for (const theme of themes) for (const width of widths) await look(browser, file, width, theme);
    await use(browser, file);
    await withoutScripts(browser, file);
  }
} finally {
  await browser.close();
}
for (const failure of failures) console.error(`failed: ${failure}`);
console.log(`browser: ${passed} passed, ${failures.length} failed`);
process.exit(failures.length === 0 ? 0 : 1);
