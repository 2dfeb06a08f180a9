// Elements without a framework. Whatever comes from outside becomes text or an attribute, never markup.

const SVG = "http://www.w3.org/2000/svg";

// An element of HTML. Attributes that are null, undefined or false are left out; children are nodes or text.
export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

// An element of SVG.
export function drawn(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(name, value === true ? "" : String(value));
    }
  }
  const present = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
  made.append(...present);
  return made;
}

// Makes `parent` hold these children. Elements that are there already are changed and not replaced, so that focus,
// scrolling, selection and opened details stay as they are.
export function show(parent, ...children) {
  const fresh = document.createElement("div");
  fresh.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  adopt(parent, fresh);
}

function adopt(old, fresh) {
  const wanted = [...fresh.childNodes];
  wanted.forEach((child, at) => {
    const present = old.childNodes[at];
    if (present === undefined) {
      old.append(child);
    } else if (!isAlike(present, child)) {
      present.replaceWith(child);
    } else if (child.nodeType === Node.TEXT_NODE) {
      if (present.data !== child.data) present.data = child.data;
    } else {
      adoptAttributes(present, child);
      adopt(present, child);
    }
  });
  while (old.childNodes.length > wanted.length) old.lastChild.remove();
}

function isAlike(one, other) {
  return one.nodeType === other.nodeType && one.nodeName === other.nodeName && one.dataset?.key === other.dataset?.key;
}

function adoptAttributes(old, fresh) {
  for (const { name } of [...old.attributes]) {
    // Whether details are open is the reader's choice.
    if (name !== "open" && !fresh.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
}

// A table with a caption and headers; on a narrow screen it scrolls by itself, and the page does not. A column is
// [title, isNumber]; the first cell of a row is the row's header.
export function table(caption, columns, rows) {
  const kind = ([, isNumber]) => (isNumber ? "number" : null);
  const head = columns.map((column) => element("th", { scope: "col", class: kind(column) }, column[0]));
  const body = rows.map((cells) =>
    element("tr", {}, cells.map((cell, at) =>
      at === 0
        ? element("th", { scope: "row" }, cell)
        : element("td", { class: kind(columns[at]) }, cell))));
  return element("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": caption },
    element("table", {},
      element("caption", {}, caption),
      element("thead", {}, element("tr", {}, head)),
      element("tbody", {}, body)));
}
