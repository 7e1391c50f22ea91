// Bundles the page from its sources: one HTML file with a placeholder for the lines; the build embeds it in the program.
// usage: node bundle.mjs FOLDER OUT      FOLDER has node_modules; OUT is the file to write. `make page` calls it.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const folder = resolve(process.argv[2]);
const sources = join(dirname(fileURLToPath(import.meta.url)), "src");
const packages = join(folder, "node_modules");
const esbuild = createRequire(join(folder, "package.json"))("esbuild");

const { outputFiles } = await esbuild.build({
  entryPoints: [join(sources, "page.js")], outdir: folder, nodePaths: [packages], bundle: true, minify: true, write: false,
  format: "iife", target: ["chrome111", "firefox113", "safari16.4"], charset: "utf8", legalComments: "none", logLevel: "warning",
});
const output = (ending) => outputFiles.find((file) => file.path.endsWith(ending)).text.trim();

const parts = { style: output(".css"), script: output(".js") };
const license = readFileSync(join(packages, "uplot", "LICENSE"), "utf8").trim();
const page = readFileSync(join(sources, "page.html"), "utf8").replace(/@@(style|script)@@/g, (_, part) => parts[part])
  .replace("<body>", () => `<body>\n<!-- Drawn with uPlot.\n${license}\n-->`);
if (page.split("@@lines@@").length !== 2) throw new Error("the page needs exactly one placeholder for its lines: @@lines@@");

writeFileSync(resolve(process.argv[3]), page);
