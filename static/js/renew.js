// Turns a piece of the page into a newer one and touches only what differs: so the focus, the scroll, a press
// under way and what is being typed stay as they are.

// What an item of a list, a form, a link or a mark on the board is about: it is found again by this when others
// come or go before it. An item is about the last thing that can be pressed in it.
function subject(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) return "";
  return node.id || node.getAttribute("transform") || (node.matches("li, tr, form, a") && addressIn(node)) || "";
}

function addressIn(node) {
  const speaks = "[action], [href]";
  const last = node.matches(speaks) ? node : [...node.querySelectorAll(speaks)].at(-1);
  return last?.getAttribute("action") ?? last?.getAttribute("href");
}

const isSame = (one, other) => one.nodeName === other.nodeName && subject(one) === subject(other);

function sameAfter(node, wanted) {
  if (!subject(wanted)) return null;
  while (node && !isSame(node, wanted)) node = node.nextSibling;
  return node;
}

const isBlank = (node) => node?.nodeType === Node.TEXT_NODE && !node.nodeValue.trim();
const canGiveWay = (old, fresh) => old?.nodeType === fresh.nodeType && !subject(old) && !subject(fresh);

export function renewChildren(old, fresh) {
  let next = old.firstChild;
  for (const child of [...fresh.childNodes]) {
    while (isBlank(next) && !isBlank(child)) next = removed(next);  // so that what follows it is found again
    const known = next && isSame(next, child) ? next : sameAfter(next, child);
    if (known) {
      while (next !== known) next = removed(next);
      renew(known, child);
      next = known.nextSibling;
    } else if (canGiveWay(next, child)) {
      const given = next;
      next = next.nextSibling;
      given.replaceWith(child);
    } else {
      old.insertBefore(child, next);
    }
  }
  while (next) next = removed(next);
}

function removed(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

function renew(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (old.nodeType !== Node.ELEMENT_NODE) {
    old.nodeValue = fresh.nodeValue;
    return;
  }
  if (old.hasAttribute("data-copy")) return;  // it says that it was pressed (copy.js)
  renewAttributes(old, fresh);
  renewChildren(old, fresh);
}

// Whether details are open is the reader's choice.
function renewAttributes(old, fresh) {
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !(name === "open" && old.matches("details"))) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
}
