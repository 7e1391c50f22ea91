/** Formulas: converts the program's plain text to subscripts, superscripts and Greek letters. */
import { el } from "./dom.js";

const letters = { phi: "φ", lambda: "λ", gamma: "γ", epsilon: "ε", sum: "Σ" };
const pattern = /(\d+(?:\.\d+)?)e([+-]?\d+)|_(\+|[a-z]+|\d+)|\^(\d+)|\b(b)0\b|\b(phi|lambda|gamma|epsilon|sum)(?![a-z])|(!=)|(<=)|(a_i)\.(x)|( )-( )/g;

/**
 * A formula in pieces: text, subscript or superscript.
 * @param {string} plain "1/n sum_i phi(z_i) + (1e-05/2) |x|^2"
 * @returns {Array<{tag: ""|"sub"|"sup", text: string}>}
 */
export function pieces(plain) {
  const list = [];
  const add = (tag, text) => {
    const last = list[list.length - 1];
    if (text === "") return;
    if (last && last.tag === tag && tag === "") last.text += text;
    else list.push({ tag, text });
  };
  let from = 0;
  for (const match of plain.matchAll(pattern)) {
    const [all, digits, exponent, lowered, raised, b, letter, unequal, atMost, a, x, before] = match;
    add("", plain.slice(from, match.index));
    from = match.index + all.length;
    if (digits !== undefined) { add("", `${digits}·10`); add("sup", String(Number(exponent)).replace("-", "−")); }
    else if (lowered !== undefined) add("sub", lowered);
    else if (raised !== undefined) add("sup", raised);
    else if (b !== undefined) { add("", "b"); add("sub", "0"); }
    else if (letter !== undefined) add("", letters[letter]);
    else if (unequal !== undefined) add("", "≠");
    else if (atMost !== undefined) add("", "≤");
    else if (a !== undefined) { add("", "a"); add("sub", "i"); add("", `·${x}`); }
    else if (before !== undefined) add("", " − ");
  }
  add("", plain.slice(from));
  return list;
}

/** The same as DOM nodes. */
export function symbols(plain) {
  return pieces(plain).map(({ tag, text }) => (tag ? el(tag, {}, text) : text));
}
