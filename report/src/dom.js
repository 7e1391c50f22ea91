/** DOM elements, without a framework. */

/**
 * An element with attributes and children. `class`, `style` and `aria-*` are attributes; `onclick` and the like are
 * listeners; attributes that are null, undefined or false are omitted.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node|string|number|null|undefined|Array)} children
 * @returns {HTMLElement}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/**
 * A section of the page with its heading; the caller appends it to the page.
 * @param {string} title
 * @param {string} id anchor of the section
 * @param {string} [lead] a sentence below the heading
 * @returns {HTMLElement}
 */
export function section(title, id, lead) {
  return el("section", { id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, title),
            lead ? el("p", { class: "lead" }, lead) : null);
}

/**
 * Radio buttons: one choice of a few.
 * @param {string} legend the name of the choice
 * @param {Array<{value: string, name: string}>} options
 * @param {string} value the initial choice
 * @param {(value: string) => void} choose
 * @returns {HTMLElement}
 */
export function segments(legend, options, value, choose) {
  const group = `choice-${legend.replace(/\W+/g, "-")}-${segments.count++}`;
  return el("fieldset", { class: "segments" }, el("legend", {}, legend),
            el("div", {}, options.map((option) => el("label", {},
              el("input", { type: "radio", name: group, value: option.value, checked: option.value === value,
                            onchange: () => choose(option.value) }),
              el("span", {}, option.name)))));
}
segments.count = 0;

/** A choice of many. Parameters as for segments. */
export function select(legend, options, value, choose) {
  return el("label", { class: "select" }, el("span", {}, legend),
            el("select", { onchange: (event) => choose(event.target.value) },
               options.map((option) => el("option", { value: option.value, selected: option.value === value }, option.name))));
}

/** A checkbox with its label. */
export function checkbox(name, checked, choose) {
  return el("label", { class: "checkbox" },
            el("input", { type: "checkbox", checked, onchange: (event) => choose(event.target.checked) }), name);
}

/** A button that copies a text and confirms it. */
export function copyButton(text, name = "copy") {
  const button = el("button", { type: "button", class: "quiet", "aria-label": `Copy: ${text}` }, name);
  button.addEventListener("click", async () => {
    button.textContent = (await copied(text)) ? "copied" : "select and copy";
    setTimeout(() => (button.textContent = name), 1500);
  });
  return button;
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {  // not allowed for some pages opened from disk: use execCommand
    const area = el("textarea", { style: "position:fixed;opacity:0" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
