// Python in workers: one that works and one that waits, so that ending an endless loop costs nothing.

const LATE = 90_000;  // milliseconds until a Python that does not start counts as one that never will
const LOOK_EVERY = 200;
const GRACE = 500;

export class Accident extends Error {
  constructor(trouble, at) {
    super(trouble);
    Object.assign(this, { trouble, test: at?.test ?? "load", number: at?.number ?? 0 });
  }
}

class Python {
  constructor(address) {
    this.worker = new Worker(address, { type: "module" });
    this.files = null;
    this.ready = new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error("late")), LATE);
      this.worker.onerror = () => reject(new Error("the worker did not start"));
      this.worker.onmessage = ({ data }) => {
        if (data?.kind !== "ready" && data?.kind !== "failed") return;
        clearTimeout(late);
        if (data.kind === "ready") resolve(this);
        else reject(new Error(data.text));
      };
    });
    this.ready.catch(() => this.worker.terminate());
  }

  // What is sent by the worker is a student's word: it is shown as text, and decides nothing.
  run(request, files, hear) {
    return new Promise((resolve, reject) => {
      let at = null;
      const end = (what, value) => {
        clearInterval(watching);
        this.end = null;
        what(value);
      };
      const fail = (trouble) => {
        this.worker.terminate();
        this.isOver = true;
        end(reject, new Accident(trouble, at));
      };
      const watching = setInterval(() => { if (at && performance.now() > at.deadline) fail("took too long"); }, LOOK_EVERY);
      this.end = () => fail("stopped");
      this.worker.onerror = () => fail("ended the process");
      this.worker.onmessage = ({ data }) => {
        if (data?.kind === "call") at = { test: String(data.test), number: Number(data.number), deadline: performance.now() + Number(data.seconds) * 1000 + GRACE };
        else if (data?.kind === "done") end(resolve, data.value);
        else if (data?.kind === "died") fail("ended the process");
        else hear(data);
      };
      this.worker.postMessage({ ...request, ...(files !== this.files && { files: [...files] }) });
      this.files = files;
    });
  }
}

export class Pythons {
  constructor(address) {
    this.address = address;
    this.now = null;
  }

  async take() {
    if (!this.now || this.now.isOver) {
      this.now = this.spare ?? new Python(this.address);
      this.spare = null;
    }
    try {
      await this.now.ready;
    } catch (error) {
      this.now = null;
      throw error;
    }
    this.spare ??= new Python(this.address);
    this.spare.ready.catch(() => { this.spare = null; });
    return this.now;
  }

  stop() {
    this.now?.end?.();
  }
}

// Loads all parts into the browser's own cache, from which the workers then take them; tells how far it is in bytes.
export async function loadParts(parts, tell) {
  const total = parts.reduce((sum, [, , onWire]) => sum + onWire, 0);
  let done = 0;
  await Promise.all(parts.map(async ([address, size, onWire]) => {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
    for (const reader = answer.body.getReader(); ;) {
      const piece = await reader.read();
      if (piece.done) break;
      done += (piece.value.length / size) * onWire;
      tell(Math.min(done, total), total);
    }
  }));
}
