// Elements without a framework. External data becomes text or an attribute, never markup.

const SVG = "http://www.w3.org/2000/svg";

// Creates an HTML element. Attributes that are null, undefined or false are omitted; children are nodes or text.
export function element(name, attributes = {}, ...children) {
  return populate(document.createElement(name), attributes, children);
}

// Creates an SVG element.
export function svgElement(name, attributes = {}, ...children) {
  return populate(document.createElementNS(SVG, name), attributes, children);
}

function populate(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  const present = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
  node.append(...present);
  return node;
}

// Replaces the content of `parent`. Existing elements are patched rather than replaced, so that focus, scrolling,
// selection and opened details are preserved.
export function render(parent, ...children) {
  const fresh = document.createElement("div");
  fresh.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  patch(parent, fresh);
}

function patch(old, fresh) {
  const children = [...fresh.childNodes];
  children.forEach((child, index) => {
    const present = old.childNodes[index];
    if (present === undefined) {
      old.append(child);
    } else if (!isSameElement(present, child)) {
      present.replaceWith(child);
    } else if (child.nodeType === Node.TEXT_NODE) {
      if (present.data !== child.data) present.data = child.data;
    } else {
      patchAttributes(present, child);
      patch(present, child);
    }
  });
  while (old.childNodes.length > children.length) old.lastChild.remove();
}

function isSameElement(one, other) {
  return one.nodeType === other.nodeType && one.nodeName === other.nodeName && one.dataset?.key === other.dataset?.key;
}

function patchAttributes(old, fresh) {
  for (const { name } of [...old.attributes]) {
    // The user decides whether details are open.
    if (name !== "open" && !fresh.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
}

// Creates a table with a caption and headers; on a narrow screen the table scrolls and the page does not. A column is
// [title, isNumber]; the first cell of a row is the row's header.
export function table(caption, columns, rows) {
  const alignment = ([, isNumber]) => (isNumber ? "number" : null);
  const head = columns.map((column) => element("th", { scope: "col", class: alignment(column) }, column[0]));
  const body = rows.map((cells) =>
    element("tr", {}, cells.map((cell, index) =>
      index === 0
        ? element("th", { scope: "row" }, cell)
        : element("td", { class: alignment(columns[index]) }, cell))));
  return element("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": caption },
    element("table", {},
      element("caption", {}, caption),
      element("thead", {}, element("tr", {}, head)),
      element("tbody", {}, body)));
}
