// Runs a student's file in Python, in a worker: served only from /labs/python/, with a content policy that ends at that
// folder. The policy is the wall; what is taken away here is what no policy speaks of.

const TAKEN_AWAY = ["caches", "indexedDB", "BroadcastChannel", "SharedWorker", "Worker", "WebSocket", "WebTransport", "EventSource", "Notification"];
const MOST_MEMORY = 512 << 20;  // bytes, as in the terminal

// Kept by the origin, or a way to its other pages: nothing of a file may stay or be told there.
for (const name of TAKEN_AWAY) {
  for (let one = self; one; one = Object.getPrototypeOf(one)) {
    if (Object.hasOwn(one, name)) Object.defineProperty(one, name, { value: undefined, configurable: false, writable: false });
  }
}
for (const name of ["storage", "locks", "serviceWorker"]) {
  if (name in navigator) Object.defineProperty(WorkerNavigator.prototype, name, { value: undefined, configurable: false });
}

const grow = WebAssembly.Memory.prototype.grow;
WebAssembly.Memory.prototype.grow = function (pages) {
  if (this.buffer.byteLength + pages * 65536 > MOST_MEMORY) throw new RangeError("a file under check may not use so much memory");
  return grow.call(this, pages);
};

const post = (message) => self.postMessage(message);
let python, handle, folders = 0;

async function start() {
  const version = location.hash.slice(1);
  const { loadPyodide } = await import(new URL(`../${version}/pyodide.mjs`, import.meta.url));
  python = await loadPyodide({ indexURL: new URL(`../${version}/`, import.meta.url).href, stdout: () => {}, stderr: () => {} });
  const checker = await fetch(new URL("checker.zip", import.meta.url));
  python.FS.writeFile("/checker.zip", new Uint8Array(await checker.arrayBuffer()));
  const begin = python.runPython("import sys; sys.path.insert(0, '/checker.zip'); from webapp.labs.browser import start; sys.path.pop(0); start");
  handle = begin((text) => post(JSON.parse(text)));
  post({ kind: "ready" });
}

// A new folder each time the files are others, so that nothing of the old ones is found.
function lay(files) {
  const folder = `/home/given/${++folders}`;
  python.FS.mkdirTree(folder);
  for (const [name, bytes] of files) python.FS.writeFile(`${folder}/${name}`, bytes);
  return folder;
}

let folder;

self.addEventListener("message", ({ data }) => {
  try {
    if (data.files) folder = lay(data.files);
    const { files, main, ...request } = data;
    post({ kind: "done", value: JSON.parse(handle(JSON.stringify({ ...request, file: `${folder}/${main}` }))) });
  } catch (error) {
    post({ kind: "died", text: String(error) });
  }
});

start().catch((error) => post({ kind: "failed", text: String(error) }));
