// The search of the site runs in a worker, and a page that was opened as a file may start none. A hidden frame takes its place:
// the script of the worker runs there, and messages go between the two windows. Over http nothing is changed.
// Before that, every query loses the dashes in front of its words: options are what people look for, and a dash says "without" there.
"use strict";

const asked = message => message?.type === 2 && typeof message.data === "string"
  ? { ...message, data: message.data.replace(/(^|\s)[-+]+(?=\S)/g, "$1") } : message;

const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...rest) { post.call(this, asked(message), ...rest); };

if (location.protocol === "file:") {
  // what a worker has and a window has otherwise, as the frame's own script
  const inside = `
    var postMessage = data => parent.postMessage(data, "*");
    var importScripts = (...addresses) => addresses.reduce((before, address) => before.then(() => new Promise(done => {
      const script = document.createElement("script");
      script.src = address;
      script.onload = done;
      document.body.append(script);
    })), Promise.resolve());`;

  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const frame = this.frame.contentWindow;
      frame.document.open();
      frame.document.write(`<body><script>${inside}<\/script><script src="${address}"><\/script></body>`);
      frame.document.close();
      this.ready = new Promise(done => frame.addEventListener("load", done));
      this.hear = message => {
        if (message.source !== frame) return;
        const copy = new MessageEvent("message", { data: message.data });
        this.dispatchEvent(copy);
        if (this.onmessage) this.onmessage(copy);
      };
      addEventListener("message", this.hear);
    }

    async postMessage(data) {
      await this.ready;
      this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data: structuredClone(asked(data)) }));
    }

    terminate() {
      removeEventListener("message", this.hear);
      this.frame.remove();
    }
  };
}
