import assert from "node:assert/strict";
import test from "node:test";
import { backgrounds, colour, palettes, stylesOf } from "../src/palette.js";

// Dichromatic vision, one kind of cone missing (Machado, Oliveira and Fernandes 2009, full severity), in linear RGB.
const eyes = {
  usual: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protan: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deutan: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritan: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};
const times = (matrix, vector) => matrix.map((row) => row.reduce((sum, factor, index) => sum + factor * vector[index], 0));
const linear = (hex) => [1, 3, 5].map((from) => parseInt(hex.slice(from, from + 2), 16) / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
const luminance = (rgb) => 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
function oklab(rgb) {
  const cones = times([[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566], [0.0883024619, 0.2817188376, 0.6299787005]], rgb);
  return times([[0.2104542553, 0.793617785, -0.0040720468], [1.9779984951, -2.428592205, 0.4505937099], [0.0259040371, 0.7827717662, -0.808675766]], cones.map((part) => Math.cbrt(Math.max(0, part))));
}
const seen = (hex, eye) => oklab(times(eyes[eye], linear(hex)).map((part) => Math.min(1, Math.max(0, part))));

for (const theme of ["light", "dark"]) {
  test(`${theme}: every colour and shade has enough contrast with the page`, () => {
    const behind = luminance(linear(backgrounds[theme]));
    for (let slot = 0; slot < palettes[theme].length; slot++) {
      for (const shade of [0, 1]) {
        const own = luminance(linear(colour({ slot, shade, dash: [] }, theme)));
        const contrast = (Math.max(own, behind) + 0.05) / (Math.min(own, behind) + 0.05);
        assert.ok(contrast >= 3, `slot ${slot}, shade ${shade}: ${contrast}`);
      }
    }
  });

  for (const eye of Object.keys(eyes)) {
    test(`${theme}: colours are distinguishable for ${eye} eyes`, () => {
      const colours = palettes[theme].map((hex) => seen(hex, eye));
      for (let one = 0; one < colours.length; one++)
        for (let other = 0; other < one; other++) {
          const distance = Math.hypot(...colours[one].map((part, index) => part - colours[other][index]));
          assert.ok(distance >= 0.1, `${palettes[theme][one]} and ${palettes[theme][other]}: ${distance}`);
        }
    });
  }
}

test("a family has a colour, its methods differ by dashes or shade, and no two families have the same colour while colours are left", () => {
  const series = [["sdca", "dual ascent"], ["spdc", "primal dual"], ["catr", "dual ascent"], ["newton", "newton"], ["svrg", "gradient snapshot"], ["mine", "of my own"], ["saga", "gradient table"]]
    .map(([label, family]) => ({ label, family }));
  const styles = stylesOf(series);
  assert.equal(styles.get("sdca").slot, styles.get("catr").slot);
  assert.notDeepEqual(styles.get("sdca"), styles.get("catr"));
  assert.equal(new Set([...styles.values()].map((style) => style.slot)).size, 6);
});

test("with more families than colours, no two methods look the same", () => {
  const styles = stylesOf(Array.from({ length: 24 }, (_, index) => ({ label: `m${index}`, family: `f${index % 12}` })));
  assert.equal(new Set([...styles.values()].map((style) => JSON.stringify(style))).size, 24);
});
