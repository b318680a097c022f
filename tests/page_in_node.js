// Shows a page of `stoker simulate run --report` without a browser: runs its scripts on a small document and prints the elements
// that they make, as HTML. usage: node page_in_node.js PAGE
'use strict';
const fs = require('fs');
const vm = require('vm');

const html = fs.readFileSync(process.argv[2], 'utf8');
const escaped = (text) => String(text).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

class Node {
  constructor(tag, text) {
    Object.assign(this, {tag, text, children: [], attributes: {}, className: '', style: {}, parentNode: null});
    this.classList = {add: (name) => { this.className += ' ' + name; }};
  }
  appendChild(child) {
    this.children.push(child);
    child.parentNode = this;
    return child;
  }
  get textContent() { return this.text ?? this.children.map((child) => child.textContent).join(''); }
  set textContent(text) { this.children = [new Node('', String(text))]; }
  get isConnected() { return true; }
  get ownerDocument() { return document; }
  // What Chart.js asks of its canvas and of what that lies in.
  getAttribute(name) { return this.attributes[name] ?? null; }
  setAttribute(name, value) { this.attributes[name] = value; }
  removeAttribute(name) { delete this.attributes[name]; }
  addEventListener() {}
  removeEventListener() {}
  getRootNode() { return document; }
  getBoundingClientRect() { return {left: 0, top: 0, width: this.clientWidth, height: this.clientHeight}; }
  get clientWidth() { return 480; }
  get clientHeight() { return 270; }
  getContext() { return (this.context ??= drawing(this)); }
  toString() {
    if (!this.tag) return escaped(this.text);
    const name = this.className ? ` class="${this.className}"` : '';
    const drawn = this.drawn ? ` data-drawn="${escaped([...this.drawn].join('|'))}"` : '';
    return `<${this.tag}${name}${drawn}>${this.children.join('')}</${this.tag}>`;
  }
}

// A canvas that remembers the texts that are drawn on it and refuses numbers that are none.
function drawing(canvas) {
  canvas.drawn = new Set();
  const known = {canvas, measureText: (text) => ({width: 6 * String(text).length}), fillText: (text) => canvas.drawn.add(text)};
  return new Proxy(known, {
    get: (target, name) => (name in target ? target[name] : (...values) => {
      if (values.some((value) => typeof value === 'number' && !Number.isFinite(value))) throw new Error(`${String(name)}(${values})`);
    })});
}

const scripts = [...html.matchAll(/<script>\n([^]*?)<\/script>/g)].map((match) => match[1]);
const data = new Node('script');
data.textContent = html.match(/<script type="application\/json" id="data">([^]*?)<\/script>/)[1];
const page = new Node('main');
const document = {
  getElementById: (id) => ({data, page})[id], createElement: (tag) => new Node(tag), createTextNode: (text) => new Node('', String(text)),
  body: new Node('body'), addEventListener() {}, removeEventListener() {}};
const style = {fontFamily: 'sans-serif', getPropertyValue: () => ''};
class Observer { observe() {} disconnect() {} }
const world = {
  document, getComputedStyle: () => style, ResizeObserver: Observer, MutationObserver: Observer, HTMLCanvasElement: Node,
  requestAnimationFrame: (call) => call(), devicePixelRatio: 1, addEventListener() {}, removeEventListener() {}, console, Intl};
world.window = document.defaultView = world;
vm.createContext(world);
try {
  for (const script of scripts) vm.runInContext(script, world);
} catch (error) {
  // Not the whole trace: it quotes the line, and Chart.js is one.
  console.error(error.message + error.stack.split(/^    at /m).slice(1, 6).map((frame) => '\n  at ' + frame.trim()).join(''));
  process.exit(1);
}
console.log(`${scripts.length} scripts\n${page}\n</html>`);
