/**
 * A sortable table.
 *
 * @typedef {Object} Column
 * @property {string} name head of the column
 * @property {string|((row: Object) => any)} key field of a row, or a function of it; the sort key
 * @property {string} [group] head above several columns
 * @property {boolean} [numeric] right-aligned, sorted ascending
 * @property {(value: any, row: Object) => (string|Node)} [format]
 * @property {boolean} [best] the smallest number is marked
 */
import { el } from "./dom.js";
import { significant } from "./format.js";

/**
 * @param {HTMLElement} element where it is appended
 * @param {{columns: Column[], rows: Object[], caption?: string, sortBy?: string}} description sortBy: the name of a column
 * @returns {{update: (rows: Object[]) => void, element: HTMLElement}}
 */
export function table(element, { columns, rows, caption, sortBy }) {
  let sorted = columns.findIndex((column) => column.name === sortBy);
  let direction = 1;
  const value = (column, row) => (typeof column.key === "function" ? column.key(row) : row[column.key]);
  const heads = columns.map((column, index) => el("th", { scope: "col", class: column.numeric ? "numeric" : null },
    el("button", { type: "button", onclick: () => sort(index), "aria-label": column.group ? `${column.group} ${column.name}` : null }, column.name)));
  const body = el("tbody");
  const whole = el("table", {}, caption ? el("caption", {}, caption) : null,
    el("thead", {}, columns.some((column) => column.group) ? el("tr", { class: "groups" }, groupsOf(columns)) : null, el("tr", {}, heads)), body);
  const frame = el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption ?? "table" }, whole);
  element.append(frame);

  function sort(index) {
    direction = index === sorted ? -direction : 1;
    sorted = index;
    fill();
  }

  function fill() {
    heads.forEach((head, index) => head.setAttribute("aria-sort", index !== sorted ? "none" : direction > 0 ? "ascending" : "descending"));
    const best = columns.map((column) => (column.best ? Math.min(...rows.map((row) => value(column, row) ?? Infinity)) : NaN));
    const ordered = sorted < 0 ? rows : [...rows].sort((one, other) => compared(value(columns[sorted], one), value(columns[sorted], other), direction));
    body.replaceChildren(...ordered.map((row) => el("tr", {}, columns.map((column, index) => {
      const own = value(column, row);
      const shown = column.format ? column.format(own, row) : column.numeric ? significant(own) : own ?? "";
      const first = own !== null && own === best[index];
      return el(index === 0 ? "th" : "td", { scope: index === 0 ? "row" : null, class: [column.numeric ? "numeric" : "", first ? "best" : ""].join(" ").trim() || null },
        shown, first ? el("span", { class: "unseen" }, " (best)") : null);
    }))));
  }

  fill();
  return {
    element: frame,
    update(next) {
      rows = next;
      fill();
    },
  };
}

/** Ascending or descending; missing values are last in both. */
export function compared(one, other, direction = 1) {
  const absent = (value) => value === null || value === undefined || Number.isNaN(value);
  if (absent(one) || absent(other)) return Number(absent(one)) - Number(absent(other));
  if (typeof one === "number" && typeof other === "number") return direction * (one - other);
  return direction * String(one).localeCompare(String(other), "en", { numeric: true });
}

function groupsOf(columns) {
  const groups = [];
  for (const { group = "" } of columns) {
    const last = groups[groups.length - 1];
    if (last && last.group === group) last.span++;
    else groups.push({ group, span: 1 });
  }
  return groups.map(({ group, span }) => (group ? el("th", { colspan: span, scope: "colgroup" }, group) : el("td", { colspan: span })));
}
